package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.merged.ProvidersBehindAgents;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.tls.TlsConnector;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

import java.net.InetSocketAddress;

/**
 * Opens the connections of links on one event loop.
 *
 * @param tls     null for plain TCP
 * @param tokens  of the mesh, null for none
 * @param agentId by which provider agents know the links of this agent
 * @param loads   of all event loops
 * @param events  of all event loops
 * @param behind  is told which agents cannot be reached
 */
public record LinkOpener(
        EventLoops loops,
        EventLoop eventLoop,
        TlsConnector tls,
        SocketSettings sockets,
        MeshTokenFile tokens,
        long agentId,
        EndpointLoads loads,
        SharedEvents events,
        ProvidersBehindAgents behind) {
    Future<Void> open(InetSocketAddress address, ChannelHandler handler) {
        return tls == null
                ? loops.connect(eventLoop, address, sockets, handler)
                : tls.connect(loops, eventLoop, address, sockets, handler);
    }

    boolean isPlain() {
        return tls == null;
    }

    public int loopIndex() {
        return loops.loops().indexOf(eventLoop);
    }

    public int loopCount() {
        return loops.loops().size();
    }
}
