package io.dubbomesh.consumer;

import io.dubbomesh.consumer.accesslog.AccessLogSettings;
import io.dubbomesh.consumer.auth.AuthSettings;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.direct.DirectSettings;
import io.dubbomesh.consumer.mcp.McpSettings;
import io.dubbomesh.consumer.server.HttpSettings;
import io.dubbomesh.consumer.trace.TraceSampler;
import io.dubbomesh.consumer.upstream.call.UpstreamSettings;
import io.dubbomesh.registry.config.RegistrySettings;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.admin.AdminSettings;
import io.dubbomesh.runtime.otlp.OtlpSettings;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.tracing.TracingSettings;
import io.dubbomesh.transport.TransportSettings;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;
import io.netty.handler.ssl.ClientAuth;

import java.nio.file.Path;

/**
 * The consumer agent's settings, read once at the start; reference.conf says what each one means.
 *
 * @param role         consumer or gateway
 * @param descriptions the file of what the operator has written about services; null for none
 * @param memoryBudget bytes, of all event loops together
 * @param metricsMethods methods with metrics of their own
 * @param sampler  which requests begin a trace
 * @param server   where HTTP requests are taken
 * @param registry as a URI
 * @param metadata the URI of the registry with metadata reports; empty for the same one, null for none
 */
record ConsumerSettings(
        AgentRole role,
        HostPort server,
        AdminSettings admin,
        HttpSettings http,
        AuthSettings auth,
        McpSettings mcp,
        Path descriptions,
        CallSettings calls,
        UpstreamSettings upstream,
        DirectSettings direct,
        long memoryBudget,
        int metricsMethods,
        OtlpSettings otlp,
        TracingSettings tracing,
        TraceSampler sampler,
        AccessLogSettings accessLog,
        String registry,
        String metadata,
        Sockets sockets) {

    /**
     * @param tls    of the links, null for plain TCP
     * @param https  null for plain HTTP
     * @param tokens the file with the tokens of the mesh, null for none
     */
    record Sockets(
            int ioThreads,
            Transport transport,
            SocketSettings http,
            SocketSettings links,
            TlsSettings tls,
            TlsSettings https,
            Path tokens) {
        static Sockets from(Settings settings) {
            return new Sockets(
                    TransportSettings.eventLoops(settings),
                    TransportSettings.transport(settings),
                    // http.write-timeout is what bounds clients that do not read.
                    TransportSettings.sockets(settings, HTTP_READ_SIZE, 1, 0).withUserTimeoutMs(0),
                    TransportSettings.sockets(
                            settings, LINK_READ_SIZE, LINK_WATER_MARKS, settings.millis("mesh.connect-timeout")),
                    TransportSettings.tls(settings),
                    TransportSettings.https(settings),
                    settings.path(MeshTokenFile.SETTING));
        }

        /** Returns whether each HTTP client must show a certificate. */
        boolean demandsCertificates() {
            return https != null && https.peers().demand() == ClientAuth.REQUIRE;
        }
    }

    static final String REFERENCE = "io/dubbomesh/consumer/reference.conf";

    private static final int HTTP_READ_SIZE = 4 * 1024;
    private static final int LINK_READ_SIZE = 64 * 1024;
    /** A link carries the responses to many clients: it is full when it is full of several turns' worth. */
    private static final int LINK_WATER_MARKS = 8;

    /** @throws io.dubbomesh.runtime.settings.SettingsException naming everything that is wrong */
    static ConsumerSettings from(Settings settings) {
        ConsumerSettings parsed = read(settings);
        settings.check();
        return parsed;
    }

    /** Reads the settings like {@link #from}, for {@link Settings#check} to be called later. */
    static ConsumerSettings read(Settings settings) {
        OtlpSettings otlp = OtlpSettings.from(settings);
        String registry = RegistrySettings.uri(settings);
        UpstreamSettings upstream = UpstreamSettings.from(settings, RegistryUri.names(registry));
        AgentRole role = role(settings);
        requireRegistry(settings, role);
        HostPort server = new HostPort(settings.text("server.host"), settings.port("server.port"));
        Sockets sockets = Sockets.from(settings);
        HttpSettings http = HttpSettings.from(settings, sockets.https() != null);
        AuthSettings auth = AuthSettings.from(settings);
        McpSettings mcp = McpSettings.from(settings);
        DirectSettings direct =
                DirectSettings.from(settings, role, upstream.links().maxFrame());
        return new ConsumerSettings(
                role,
                server,
                AdminSettings.from(settings),
                // What a browser has, an address within reach or a certificate, each page that it shows has too. MCP
                // demands that foreign pages are refused in any case.
                auth.isOn() && !mcp.isOn() ? http : http.withoutOtherPages(),
                auth,
                mcp,
                settings.path("openapi.descriptions"),
                CallSettings.from(settings, upstream.strategy().readsKeys()),
                upstream,
                direct,
                TransportSettings.memoryBudget(settings),
                settings.integer("metrics.methods", 0, 10_000),
                otlp,
                TracingSettings.from(settings, otlp),
                TraceSampler.from(settings),
                AccessLogSettings.from(settings),
                registry,
                RegistrySettings.metadata(settings),
                sockets);
    }

    private static AgentRole role(Settings settings) {
        return AgentRole.ofType(settings.choice("type", AgentRole.CONSUMER.type(), AgentRole.GATEWAY.type()));
    }

    /** Checks the default: a registry of provider agents, of which a gateway needs none. */
    private static void requireRegistry(Settings settings, AgentRole role) {
        if (role == AgentRole.GATEWAY && !settings.isSet("registry") && !settings.isSet("etcd.url")) {
            settings.rejectDefault("registry", "the registry that lists the providers, for type " + role);
        }
    }
}
