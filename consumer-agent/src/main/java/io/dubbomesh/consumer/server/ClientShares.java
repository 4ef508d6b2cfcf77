package io.dubbomesh.consumer.server;

import io.dubbomesh.transport.memory.MemoryBudget;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * The shares of the clients of one event loop. A client is an address; behind the loopback address, as behind a proxy
 * on this machine, may be many clients, so there each connection is one. Owned by the loop.
 */
final class ClientShares {
    private final MemoryBudget memory;
    private final Map<InetAddress, Shared> byAddress = new HashMap<>();

    ClientShares(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Returns the share of a new connection from this address; {@link #release} follows. */
    ClientShare acquire(SocketAddress address) {
        InetAddress client = client(address);
        if (client == null) {
            return new ClientShare(memory);
        }
        Shared shared = byAddress.computeIfAbsent(client, absent -> new Shared(new ClientShare(memory)));
        shared.connections++;
        return shared.share;
    }

    /** Called when a connection from this address has ended. */
    void release(SocketAddress address) {
        InetAddress client = client(address);
        if (client != null && --byAddress.get(client).connections == 0) {
            byAddress.remove(client);
        }
    }

    /** Returns the number of clients that are known by their addresses. */
    int size() {
        return byAddress.size();
    }

    /** Returns null where the address does not tell clients apart. */
    private static InetAddress client(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                        && inet.getAddress() != null
                        && !inet.getAddress().isLoopbackAddress()
                ? inet.getAddress()
                : null;
    }

    private static final class Shared {
        final ClientShare share;
        int connections;

        Shared(ClientShare share) {
            this.share = share;
        }
    }
}
