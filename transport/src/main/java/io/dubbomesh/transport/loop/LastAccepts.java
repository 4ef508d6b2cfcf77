package io.dubbomesh.transport.loop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.IntegerUnixChannelOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a listening socket of Linux: it still gives out the connections that it has let in, while it gets no more of them. Closing it at
 * once would reset the former, with the requests that they may have sent.
 *
 * <p>No system call says so. But a socket may ask of the packets that it takes a time to live that is 255 still (RFC 5082), with
 * which hardly any system sends, and Linux asks it for connections that are opened, not for those that are half open. Accepted ones inherit
 * the demand, which is taken back from each.
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

    private LastAccepts() {}

    /** False if the system does not know how. */
    static boolean begin(Channel listener) {
        listener.pipeline().addFirst(new LastAccepts());
        return demand(listener, MOST);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
        demand((Channel) accepted, 0);
        ctx.fireChannelRead(accepted);
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
