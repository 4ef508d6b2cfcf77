package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.settings.Settings;

/**
 * The connection to the provider and its calls.
 *
 * @param provider         where it listens; null if that is not one for the whole agent
 * @param maxPayload       bytes of the longest body, sent or received
 * @param heartbeatMs      between heartbeats of an idle connection
 * @param silenceMs without a frame, while calls and a heartbeat wait for answers, after which the provider takes no
 *     calls
 * @param shutdownWaitMs   for how long a provider that is read-only is left alone while its port is open
 * @param reconnectFirstMs back-off after the first attempt to connect that failed
 * @param check whether the provider must answer a heartbeat before it counts as taking calls, and is asked what it
 *     exports
 */
public record DubboSettings(
        HostPort provider,
        Serialization serialization,
        int maxPayload,
        long heartbeatMs,
        long silenceMs,
        long shutdownWaitMs,
        long reconnectFirstMs,
        long reconnectMaxMs,
        boolean check) {
    private static final String HOST = "dubbo.protocol.host";
    private static final String PORT = "dubbo.protocol.port";

    public static DubboSettings from(Settings settings) {
        return from(settings, provider(settings));
    }

    /** Reads the settings of an agent with several providers; see {@link #of}. */
    public static DubboSettings withoutProvider(Settings settings) {
        return from(settings, null);
    }

    private static DubboSettings from(Settings settings, HostPort provider) {
        return new DubboSettings(
                provider,
                Serialization.named(settings.choice(
                        "dubbo.serialization", Serialization.names().toArray(String[]::new))),
                settings.size("dubbo.max-payload", 1024, 1 << 30),
                settings.millis("dubbo.heartbeat"),
                settings.millis("dubbo.silence"),
                settings.millis("dubbo.shutdown-wait"),
                settings.millis("dubbo.reconnect"),
                settings.millis("dubbo.reconnect.max"),
                settings.flag("dubbo.check"));
    }

    /** Returns the same for this provider. */
    public DubboSettings of(HostPort other) {
        return new DubboSettings(
                other,
                serialization,
                maxPayload,
                heartbeatMs,
                silenceMs,
                shutdownWaitMs,
                reconnectFirstMs,
                reconnectMaxMs,
                check);
    }

    /**
     * Returns the address of the provider. The host may be written with its port, which must not differ from a port
     * that is set.
     */
    private static HostPort provider(Settings settings) {
        String host = settings.text(HOST).strip();
        int port = settings.integer(PORT, 1, 65535);
        if (host.isEmpty()) {
            settings.reject(HOST, "a host, or host:port");
            return new HostPort(host, port);
        }
        boolean bareIpv6 = !host.startsWith("[") && host.indexOf(':') != host.lastIndexOf(':');
        if (bareIpv6) {
            return new HostPort(host, port);
        }
        HostPort both = settings.parse(HOST, text -> HostPort.parse(text.strip(), port), new HostPort(host, port));
        if (both.port() != port && settings.isSet(PORT)) {
            settings.reject(HOST, "a host, or host:port with the port of " + PORT);
        }
        return both;
    }
}
