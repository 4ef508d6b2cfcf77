package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.runtime.HostPort;

import java.util.HashMap;
import java.util.Map;

/** Holds once what registries repeat for each service of a provider. Belongs to one thread. */
final class SharedTexts {
    private static final int MAX_TEXTS = 65_536;
    /** A longer one would be held for as long as the table, and is hardly repeated. */
    private static final int MAX_LENGTH = 256;

    private final Map<String, String> shared = new HashMap<>();

    /** Returns the same provider, with texts that others have too. */
    DubboProvider sharedBy(DubboProvider provider) {
        if (shared.size() >= MAX_TEXTS) {
            shared.clear();
        }
        DubboExport export = provider.export();
        Map<String, String> parameters = new HashMap<>();
        export.parameters().forEach((name, value) -> parameters.put(share(name), share(value)));
        HostPort address = new HostPort(
                share(provider.address().host()), provider.address().port());
        return new DubboProvider(
                new EndpointId(address, provider.id().protocol()),
                provider.weight(),
                provider.enabled(),
                provider.healthy(),
                provider.startMs(),
                share(provider.process()),
                new DubboExport(
                        new Variant(
                                share(export.variant().version()),
                                share(export.variant().group())),
                        share(export.application()),
                        share(export.revision()),
                        share(export.serialization()),
                        share(export.token()),
                        parameters));
    }

    private String share(String text) {
        if (text.length() > MAX_LENGTH) {
            return text;
        }
        String before = shared.putIfAbsent(text, text);
        return before == null ? text : before;
    }
}
