package io.dubbomesh.transport.loop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.IntegerUnixChannelOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the accept queue of a listening socket on Linux while no new connections get into it. Closing the socket at
 * once would reset the connections in the queue, with the requests that they may have sent.
 *
 * <p>No system call does this. But a socket may require a time to live of 255 from the packets that it receives (RFC
 * 5082), with which hardly any system sends. Linux checks it for new connections, not for those whose handshake is half
 * done. Accepted connections inherit the option, which is reset on each.
 */
final class LastAccepts extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(LastAccepts.class);
    private static final int IPPROTO_IP = 0;
    private static final int IP_MINTTL = 21;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_MINHOPCOUNT = 73;
    private static final IntegerUnixChannelOption MIN_TTL =
            new IntegerUnixChannelOption("IP_MINTTL", IPPROTO_IP, IP_MINTTL);
    private static final IntegerUnixChannelOption MIN_HOP_COUNT =
            new IntegerUnixChannelOption("IPV6_MINHOPCOUNT", IPPROTO_IPV6, IPV6_MINHOPCOUNT);
    private static final int MOST = 255;

    private boolean acceptedAny;

    private LastAccepts() {}

    /** Keeps new connections out of the accept queue; null if the system does not support it. */
    static LastAccepts begin(Channel listener) {
        LastAccepts accepts = new LastAccepts();
        listener.pipeline().addFirst(accepts);
        return demand(listener, MOST) ? accepts : null;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
        acceptedAny = true;
        demand((Channel) accepted, 0);
        ctx.fireChannelRead(accepted);
    }

    /** Returns whether connections were accepted since the last call; on the listener's event loop. */
    boolean pollAccepted() {
        boolean any = acceptedAny;
        acceptedAny = false;
        return any;
    }

    /** A socket of IPv6 takes both options, since IPv4 may come to it too; one of IPv4 takes its own. */
    private static boolean demand(Channel channel, int timeToLive) {
        boolean known = set(channel, MIN_TTL, timeToLive);
        return set(channel, MIN_HOP_COUNT, timeToLive) || known;
    }

    private static boolean set(Channel channel, IntegerUnixChannelOption option, int value) {
        try {
            return channel.config().setOption(option, value);
        } catch (ChannelException e) {
            LOG.debug("{}: no {}", channel, option, e);
            return false;
        }
    }
}
