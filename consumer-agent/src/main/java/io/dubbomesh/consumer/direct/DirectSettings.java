package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.call.LimitSettings;
import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.discovery.DiscoverySettings;
import io.dubbomesh.client.tls.ProviderTlsSettings;
import io.dubbomesh.client.token.TokenSettings;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.TransportSettings;
import io.dubbomesh.transport.socket.SocketSettings;

/**
 * The settings of calls to Dubbo providers without a provider agent; reference.conf says what each setting means.
 *
 * @param role        of this process
 * @param dubbo       without a provider
 * @param limit       of each provider
 * @param tls         which providers are called with it, and how
 * @param tokens      for the services of which the registry tells none
 * @param sockets     of the connections to providers
 * @param maxFrame    bytes of the longest answer
 * @param errorsStack whether the answer about an exception of the service has its stack
 * @param preferred   the protocol of providers that offer a service by several
 */
public record DirectSettings(
        AgentRole role,
        DubboSettings dubbo,
        ProviderTlsSettings tls,
        LimitSettings limit,
        TokenSettings tokens,
        DiscoverySettings discovery,
        SocketSettings sockets,
        int maxFrame,
        boolean errorsStack,
        EndpointProtocol preferred) {
    private static final String TRIPLE = "tri";
    private static final int READ_SIZE = 64 * 1024;
    /** The factor of the water marks, as for a link: a connection carries the calls of many clients. */
    private static final int WATER_MARKS = 8;

    /** @param maxFrame as between agents */
    public static DirectSettings from(Settings settings, AgentRole role, int maxFrame) {
        return new DirectSettings(
                role,
                DubboSettings.withoutProvider(settings),
                ProviderTlsSettings.from(settings),
                LimitSettings.from(settings),
                TokenSettings.from(settings),
                DiscoverySettings.from(settings),
                TransportSettings.sockets(settings, READ_SIZE, WATER_MARKS, settings.millis("dubbo.connect-timeout")),
                maxFrame,
                settings.flag("errors.stack"),
                settings.choice("dubbo.prefer", "dubbo", TRIPLE).equals(TRIPLE)
                        ? EndpointProtocol.TRIPLE
                        : EndpointProtocol.DUBBO);
    }
}
