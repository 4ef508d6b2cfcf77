package io.dubbomesh.registry.thread;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.function.Supplier;

/**
 * Whether a registry answers: logs that it is away as {@link Outage} says, and spaces the attempts. Belongs to one
 * thread.
 */
public final class RegistryContact {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final Object registry;
    private final Outage outage;
    private final Backoff backoff;
    private final Supplier<String> consequence;

    /**
     * @param registry    its text is for the log
     * @param consequence returns what it means that the registry is away, for the log
     */
    public RegistryContact(Object registry, Outage outage, Backoff backoff, Supplier<String> consequence) {
        this.registry = registry;
        this.outage = outage;
        this.backoff = backoff;
        this.consequence = consequence;
    }

    /** Logs that an attempt has failed, if that is due. */
    public void failed(String reason) {
        failed(reason, null);
    }

    /** Logs that an attempt has ended with an exception that nothing explains, if that is due. */
    public void failed(RuntimeException unexpected) {
        failed(unexpected.toString(), unexpected);
    }

    private void failed(String reason, RuntimeException unexpected) {
        String brief = PrintableText.brief(reason);
        String line = outage.failed(brief, System.nanoTime());
        if (line == null) {
            LOG.debug("registry {}: {}", registry, brief, unexpected);
        } else {
            LOG.warn("registry {} {}; {}", registry, line, consequence.get(), unexpected);
        }
    }

    /** Returns the milliseconds to wait before the next attempt. */
    public long pauseMs() {
        return backoff.nextMs();
    }

    /** Begins with the shortest pause after the next failure. */
    public void resetPause() {
        backoff.reset();
    }

    /** Called when the registry has answered; returns whether it was away until now. */
    public boolean answered() {
        return outage.end();
    }

    /** Returns whether the last attempt failed. */
    public boolean isFailing() {
        return outage.isFailing();
    }
}
