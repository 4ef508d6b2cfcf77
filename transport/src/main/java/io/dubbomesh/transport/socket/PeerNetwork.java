package io.dubbomesh.transport.socket;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** The network of a peer's address, all of which one host may have: /24 of IPv4, /64 of IPv6. */
public final class PeerNetwork {
    private static final int IPV4_BYTES = 3;
    private static final int IPV6_BYTES = 8;

    private PeerNetwork() {}

    /** Returns a key that is equal for the addresses of one network. */
    public static ByteBuffer of(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress(), 0, address instanceof Inet4Address ? IPV4_BYTES : IPV6_BYTES);
    }
}
