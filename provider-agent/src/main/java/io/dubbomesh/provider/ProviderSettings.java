package io.dubbomesh.provider;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.transport.SocketSettings;
import io.dubbomesh.transport.Transport;

/**
 * What a provider agent is told when it starts; every key is explained in {@code reference.conf}.
 *
 * @param advertiseHost null for the local address of the connection to the registry
 * @param advertisePort 0 for the port listened on
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
        String dubboHost,
        int dubboPort,
        Serialization serialization,
        int maxPayload,
        long dubboHeartbeatMs,
        long reconnectFirstMs,
        long reconnectMaxMs,
        int maxFrame,
        int tableSize,
        long heartbeatMs,
        int threads,
        Transport transport,
        SocketSettings meshSockets,
        SocketSettings dubboSockets,
        String adminHost,
        int adminPort,
        long graceNs) {

    /** {@code host:port}, for messages. */
    String provider() {
        return dubboHost.indexOf(':') >= 0 ? "[" + dubboHost + "]:" + dubboPort : dubboHost + ':' + dubboPort;
    }
}
