package io.dubbomesh.client.tls;

import io.dubbomesh.client.tls.ProviderTlsSettings.Mode;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.tls.TlsConnector;

/**
 * Decides which providers are called with TLS, by {@code dubbo.tls.mode}. One for all event loops and threads of an
 * agent. Thread-safe.
 */
public final class ProviderTls implements AutoCloseable {
    /** Calls no provider with TLS. */
    public static final ProviderTls NONE = new ProviderTls(new ProviderTlsSettings(Mode.OFF, null));

    private final ProviderTlsSettings settings;
    /** Null until the first provider with TLS is called: what it is made of takes time and memory. Guarded by this. */
    private TlsConnector connector;

    private ProviderTls(ProviderTlsSettings settings) {
        this.settings = settings;
    }

    /**
     * Has {@link Settings#check} report what is wrong with the files.
     */
    public static void check(Settings settings, ProviderTlsSettings read) {
        if (read.mode() != Mode.OFF && read.namesAny()) {
            TlsConnector.check(settings, read.tls());
        }
    }

    /**
     * Reads the files, if there are any.
     *
     * @throws io.dubbomesh.runtime.settings.SettingsException if one of them cannot be read or used; names its setting,
     *     its path and the reason
     */
    public static ProviderTls open(ProviderTlsSettings settings) {
        ProviderTls opened = new ProviderTls(settings);
        if (settings.mode() == Mode.ON || settings.mode() == Mode.AUTO && settings.namesAny()) {
            opened.connector();
        }
        return opened;
    }

    /**
     * Returns whether a provider is called with TLS.
     *
     * @param isRegistered whether it registers that it has TLS
     */
    public boolean isFor(boolean isRegistered) {
        return settings.mode() == Mode.ON || settings.mode() == Mode.AUTO && isRegistered;
    }

    /** Returns whether it depends on what a provider registers, and a certificate of one can be checked. */
    public boolean dependsOnRegistration() {
        return settings.mode() == Mode.AUTO && settings.namesAny();
    }

    /**
     * Returns what opens the connections to a provider; null if it is called without TLS. Not to be closed.
     *
     * @param isRegistered likewise
     */
    public TlsConnector connector(boolean isRegistered) {
        return isFor(isRegistered) ? connector() : null;
    }

    private synchronized TlsConnector connector() {
        if (connector == null) {
            connector = new TlsConnector(settings.tls());
        }
        return connector;
    }

    /** Closes it; called after the event loops are closed. */
    @Override
    public synchronized void close() {
        if (connector != null) {
            connector.close();
        }
    }
}
