package io.dubbomesh.client.tls;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.TransportSettings;
import io.dubbomesh.transport.tls.TlsSettings;

import java.util.Locale;

/** The settings {@code dubbo.tls.*}; each agent's reference.conf says what they mean. */
public record ProviderTlsSettings(Mode mode, TlsSettings tls) {
    private static final String MODE = "dubbo.tls.mode";
    private static final String OFF = "off";
    private static final String ON = "on";
    private static final String AUTO = "auto";

    /** The providers that are called with TLS. */
    public enum Mode {
        /** None of them. */
        OFF,
        /** All of them. */
        ON,
        /** Those that register that they have it. */
        AUTO;

        private static Mode of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }

    /** Reads the settings of an agent whose registry tells what providers register. */
    public static ProviderTlsSettings from(Settings settings) {
        return from(settings, OFF, ON, AUTO);
    }

    /** Reads the settings of an agent that knows its provider by its settings alone. */
    public static ProviderTlsSettings ofOneProvider(Settings settings) {
        return from(settings, OFF, ON);
    }

    private static ProviderTlsSettings from(Settings settings, String... modes) {
        Mode mode = Mode.of(settings.choice(MODE, modes));
        TlsSettings tls = TransportSettings.providers(settings);
        ProviderTlsSettings read = new ProviderTlsSettings(mode, tls);
        if (read.namesAny() && (mode == Mode.OFF || !settings.isSet(MODE))) {
            // What is set for TLS does not mean that calls are sent in plain text.
            settings.reject(
                    MODE,
                    modes.length == 2
                            ? "on, since others of dubbo.tls are set"
                            : "on, or set to auto for plain text to the providers that do not register TLS, since others of"
                                    + " dubbo.tls are set");
        }
        return read;
    }

    /** Returns whether certificates or names are set. */
    boolean namesAny() {
        return tls.certificates() != null
                || tls.peers().authorities() != null
                || !tls.peers().names().isEmpty();
    }
}
