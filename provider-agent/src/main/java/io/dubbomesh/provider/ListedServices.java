package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;

import java.util.List;
import java.util.Map;

/**
 * The services of the list in {@code dubbo.services}, as far as the provider exports them. What it does not export is
 * asked for again.
 */
final class ListedServices implements OfferedServices {
    private static final long FIRST_PAUSE_MS = 1_000;
    private static final long LONGEST_PAUSE_MS = 30_000;

    private final ServedServices services;
    private final MissingServices missing;
    private final Backoff pauses = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    private boolean asksAgain;

    ListedServices(HostPort provider, ServedServices services) {
        this.services = services;
        missing = new MissingServices(provider);
    }

    @Override
    public Map<String, List<Variant>> update(Exports found) {
        Map<String, List<Variant>> offered = services.variantsWithout(missing.update(found));
        asksAgain = missing.isAny() || !found.unsaid().isEmpty();
        return offered;
    }

    @Override
    public long nextQuestionMs() {
        return asksAgain ? pauses.nextMs() : -1;
    }

    @Override
    public void providerIsBack() {
        pauses.reset();
    }

    @Override
    public String source() {
        return "as dubbo.services lists them";
    }

    @Override
    public String problem() {
        return missing.isAny() ? missing.text() : "";
    }
}
