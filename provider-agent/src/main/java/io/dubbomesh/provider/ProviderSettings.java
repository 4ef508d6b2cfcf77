package io.dubbomesh.provider;

import io.dubbomesh.client.call.LimitSettings;
import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.connection.ProtocolChoice;
import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.discovery.DiscoverySettings;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.tls.ProviderTlsSettings;
import io.dubbomesh.client.token.TokenSettings;
import io.dubbomesh.provider.mesh.MeshSettings;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.registry.config.RegistrySettings;
import io.dubbomesh.runtime.admin.AdminSettings;
import io.dubbomesh.runtime.otlp.OtlpSettings;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.tracing.TracingSettings;
import io.dubbomesh.transport.TransportSettings;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The provider agent's settings, read once at the start; reference.conf says what each one means.
 *
 * @param tls          of the mesh links, null for plain TCP
 * @param memoryBudget bytes, of all event loops together
 * @param metricsMethods methods with metrics of their own
 * @param protocol by which the provider is called
 * @param providerTls whether it is called with TLS, and how
 * @param services those of dubbo.services; none if the agent serves all that the provider exports
 * @param qosPort where Dubbo's QoS is asked what the provider exports, if it does not tell that itself; 0 for nowhere
 * @param exportsIntervalMs between questions to the provider what it exports; 0 if the agent has a list of services
 */
record ProviderSettings(
        ServerSettings server,
        AdminSettings admin,
        IoSettings io,
        TlsSettings tls,
        MeshSettings mesh,
        LimitSettings limit,
        DubboSettings dubbo,
        ProtocolName protocol,
        ProviderTlsSettings providerTls,
        TokenSettings tokens,
        long memoryBudget,
        int metricsMethods,
        OtlpSettings otlp,
        TracingSettings tracing,
        ServedServices services,
        int qosPort,
        long exportsIntervalMs,
        DiscoverySettings discovery,
        RegistrationSettings registration) {

    static final String REFERENCE = "io/dubbomesh/provider/reference.conf";
    private static final String SERVICES = "dubbo.services";

    /** @throws io.dubbomesh.runtime.settings.SettingsException with a line for each wrong setting */
    static ProviderSettings from(Settings settings) {
        ProviderSettings parsed = read(settings);
        settings.check();
        return parsed;
    }

    /** Reads settings that {@link Settings#check} is to be called for later. */
    static ProviderSettings read(Settings settings) {
        OtlpSettings otlp = OtlpSettings.from(settings);
        ProviderSettings parsed = new ProviderSettings(
                ServerSettings.from(settings, "server"),
                AdminSettings.from(settings),
                IoSettings.from(settings),
                TransportSettings.tls(settings),
                MeshSettings.from(settings),
                LimitSettings.from(settings),
                DubboSettings.from(settings),
                ProtocolName.from(settings),
                ProviderTlsSettings.ofOneProvider(settings),
                TokenSettings.from(settings),
                TransportSettings.memoryBudget(settings),
                settings.integer("metrics.methods", 0, 10_000),
                otlp,
                TracingSettings.from(settings, otlp),
                services(settings),
                settings.integer("dubbo.qos.port", 0, 65_535),
                isAuto(settings) ? settings.millis("dubbo.services.interval") : 0,
                DiscoverySettings.from(settings),
                RegistrationSettings.from(settings));
        requireProof(settings, parsed);
        return parsed;
    }

    /**
     * Checks that consumer agents must prove who they are, unless only this machine reaches the port: a peer may
     * execute every service.
     */
    private static void requireProof(Settings settings, ProviderSettings parsed) {
        boolean isOpen = settings.flag("mesh.open");
        if (!isOpen
                && parsed.tls() == null
                && parsed.mesh().tokens() == null
                && !isLoopback(parsed.server().host())) {
            settings.reject(
                    "server.host",
                    "a loopback address as 127.0.0.1, since whoever reaches this port can execute every service; for other"
                            + " hosts set mesh.token-file, or mesh.tls.cert, mesh.tls.key and mesh.tls.ca, or mesh.open=true");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns whether the agent serves all that the provider exports. */
    boolean followsExports() {
        return exportsIntervalMs > 0;
    }

    private static boolean isAuto(Settings settings) {
        return settings.text(SERVICES).strip().equalsIgnoreCase("auto");
    }

    private static ServedServices services(Settings settings) {
        String key = SERVICES;
        if (isAuto(settings)) {
            if (!settings.flag("dubbo.check")) {
                settings.reject("dubbo.check", "true where dubbo.services is auto");
            }
            return ServedServices.parse(List.of());
        }
        List<String> entries = settings.list(key);
        if (entries.isEmpty()) {
            settings.reject(key, "auto, or interface[:version[:group]], by comma");
        }
        // Each that is wrong, not only the first.
        entries.forEach(entry -> settings.parse(key, text -> ServedServices.parse(List.of(entry)), null));
        return settings.parse(key, text -> ServedServices.parse(entries), ServedServices.parse(List.of()));
    }

    /** The protocol by which the provider is called. */
    enum ProtocolName {
        DUBBO,
        TRI,
        /** The one to which the provider answers. */
        AUTO;

        private static ProtocolName from(Settings settings) {
            String name = settings.choice("dubbo.protocol.name", "dubbo", "tri", "auto");
            return valueOf(name.toUpperCase(Locale.ROOT));
        }

        ProtocolChoice choice() {
            return switch (this) {
                case DUBBO -> ProtocolChoice.of(ProviderProtocol.DUBBO);
                case TRI -> ProtocolChoice.of(ProviderProtocol.TRIPLE);
                case AUTO -> ProtocolChoice.either(ProviderProtocol.DUBBO);
            };
        }
    }

    /** Returns where the agent listens; port 0 for any that is free. */
    record ServerSettings(String host, int port) {
        private static ServerSettings from(Settings settings, String prefix) {
            return new ServerSettings(settings.text(prefix + ".host"), settings.port(prefix + ".port"));
        }
    }

    /**
     * @param threads event loops
     * @param sockets of all connections
     */
    record IoSettings(int threads, Transport transport, SocketSettings sockets) {
        private static final int READ_SIZE = 64 * 1024;

        private static IoSettings from(Settings settings) {
            return new IoSettings(
                    TransportSettings.eventLoops(settings),
                    TransportSettings.transport(settings),
                    TransportSettings.sockets(settings, READ_SIZE, 1, settings.millis("dubbo.connect-timeout")));
        }
    }

    /**
     * @param registry its URI
     * @param metadata the URI of the registry with metadata reports; empty for the same one, null for none
     * @param host     null for the local address of the connection to the registry
     * @param port     0 for the port listened on
     * @param weight   of this agent; if it is automatic, for a provider of median capacity
     * @param zone     empty for none
     */
    record RegistrationSettings(String registry, String metadata, String host, int port, Weight weight, String zone) {
        private static final String AUTO = "auto";
        private static final Pattern WEIGHT = Pattern.compile("[0-9]{1,4}");

        /** @param isAutomatic whether it goes by what the provider can execute */
        record Weight(int weight, boolean isAutomatic) {
            static Weight parse(String text) {
                boolean isAutomatic = text.equals(AUTO) || text.startsWith(AUTO + "*");
                String number = text.equals(AUTO)
                        ? Integer.toString(Endpoint.DEFAULT_WEIGHT)
                        : isAutomatic ? text.substring(AUTO.length() + 1) : text;
                if (!WEIGHT.matcher(number).matches() || Integer.parseInt(number) > Endpoint.MAX_WEIGHT) {
                    throw new IllegalArgumentException(text + " (expected: 0-" + Endpoint.MAX_WEIGHT
                            + ", auto, or auto*3 for three times as much)");
                }
                return new Weight(Integer.parseInt(number), isAutomatic);
            }
        }

        private static RegistrationSettings from(Settings settings) {
            return new RegistrationSettings(
                    RegistrySettings.uri(settings),
                    RegistrySettings.metadata(settings),
                    settings.parse("advertise.host", RegistrationSettings::host, null),
                    settings.port("advertise.port"),
                    settings.parse("lb.weight", text -> Weight.parse(text.strip()), new Weight(1, false)),
                    RegistrySettings.zone(settings));
        }

        private static String host(String text) {
            return text.isBlank() ? null : ReachableAddress.checkedHost(text.strip());
        }
    }
}
