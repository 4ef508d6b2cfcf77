package io.dubbomesh.client.connection;

import io.netty.channel.Channel;

/** Gives tests the channel below a connection to the provider. */
public final class ConnectionChannel {
    private ConnectionChannel() {}

    public static Channel of(ProviderConnection connection) {
        return ((DubboConnection) connection).channel();
    }
}
