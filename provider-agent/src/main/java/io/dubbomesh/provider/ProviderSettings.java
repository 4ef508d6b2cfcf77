package io.dubbomesh.provider;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.provider.discovery.DiscoverySettings;
import io.dubbomesh.provider.discovery.ServedServices;
import io.dubbomesh.registry.config.RegistrySettings;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.transport.TransportSettings;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The provider agent's settings, read once at the start; reference.conf says what each one means.
 *
 * @param advertiseHost null for the local address of the connection to the registry
 * @param advertisePort 0 for the port listened on
 * @param tls           of the mesh links, null for plain TCP
 */
record ProviderSettings(
        String serverHost,
        int serverPort,
        int maxConnections,
        String registry,
        String advertiseHost,
        int advertisePort,
        int weight,
        int limit,
        int queue,
        ServedServices services,
        DiscoverySettings discovery,
        String dubboHost,
        int dubboPort,
        Serialization serialization,
        int maxPayload,
        boolean errorsStack,
        long dubboHeartbeatMs,
        long reconnectFirstMs,
        long reconnectMaxMs,
        int maxFrame,
        int tableSize,
        long heartbeatMs,
        int threads,
        Transport transport,
        SocketSettings sockets,
        TlsSettings tls,
        String adminHost,
        int adminPort) {

    static final String REFERENCE = "io/dubbomesh/provider/reference.conf";

    private static final int READ_SIZE = 64 * 1024;

    private static final String PROVIDER_HOST = "dubbo.protocol.host";
    private static final String PROVIDER_PORT = "dubbo.protocol.port";
    /** {@code host:port} or {@code [v6]:port}; an IPv6 address without brackets has more colons than one. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:([^:\\[\\]]+)|\\[([^\\[\\]]+)]):([0-9]{1,5})");

    static ProviderSettings from(Settings settings) {
        String host = settings.text(PROVIDER_HOST).strip();
        int port = settings.integer(PROVIDER_PORT, 1, 65535);
        Matcher both = HOST_AND_PORT.matcher(host);
        if (both.matches()) {
            int other = Integer.parseInt(both.group(3));
            if (other < 1 || other > 65535 || settings.isSet(PROVIDER_PORT) && other != port) {
                throw settings.invalid(PROVIDER_HOST, "a host, or host:port with the port of " + PROVIDER_PORT);
            }
            host = both.group(1) != null ? both.group(1) : both.group(2);
            port = other;
        } else if (host.isEmpty()) {
            throw settings.invalid(PROVIDER_HOST, "a host, or host:port");
        }
        String advertiseHost = settings.text("advertise.host").strip();
        ProviderSettings parsed = new ProviderSettings(
                settings.text("server.host"),
                settings.port("server.port"),
                settings.integer("mesh.max-connections", 1, 1_000_000),
                RegistrySettings.uri(settings),
                advertiseHost.isEmpty() ? null : advertiseHost,
                settings.port("advertise.port"),
                settings.integer("lb.weight", 0, 1000),
                settings.integer("lb.limit", 1, 100_000),
                settings.integer("dubbo.queue", 0, 100_000),
                services(settings),
                DiscoverySettings.from(settings),
                host,
                port,
                Serialization.valueOf(settings.choice("dubbo.serialization", "hessian2", "fastjson", "fastjson2")
                        .toUpperCase(Locale.ROOT)),
                settings.size("dubbo.max-payload", 1024, 1 << 30),
                settings.flag("errors.stack"),
                settings.millis("dubbo.heartbeat"),
                settings.millis("dubbo.reconnect"),
                settings.millis("dubbo.reconnect.max"),
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.integer("mesh.table-size", 0, 1 << 20),
                settings.millis("mesh.heartbeat"),
                TransportSettings.eventLoops(settings),
                TransportSettings.transport(settings),
                TransportSettings.sockets(settings, READ_SIZE, 1, settings.millis("dubbo.connect-timeout")),
                TransportSettings.tls(settings),
                settings.text("admin.host"),
                settings.port("admin.port"));
        settings.check();
        return parsed;
    }

    /** Where the provider listens. */
    HostPort provider() {
        return new HostPort(dubboHost, dubboPort);
    }

    private static ServedServices services(Settings settings) {
        List<String> entries = settings.list("dubbo.services");
        if (entries.isEmpty()) {
            throw settings.invalid("dubbo.services", "interface[:version[:group]], by comma");
        }
        try {
            return ServedServices.parse(entries);
        } catch (IllegalArgumentException e) {
            throw new SettingsException("dubbo.services: " + e.getMessage());
        }
    }
}
