package io.dubbomesh.provider.dubbo;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;

import java.net.InetSocketAddress;

/** Opens a connection on the event loop that it belongs to. */
@FunctionalInterface
public interface Connector {
    ChannelFuture connect(InetSocketAddress address, ChannelHandler handler);
}
