package io.dubbomesh.benchmark.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpUtil;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a consumer agent, with up to {@code depth} calls that wait for their answers, which come in the order
 * of the requests.
 * <pre>
 * connecting --active--> open --last answer, or nothing answered in time--> closing --inactive--> closed
 * </pre>
 * The peer closes after an answer with {@code Connection: close}; so the ports that wait for late packets (TIME_WAIT)
 * are the peer's one port, and the client does not run out of its own.
 *
 * Owned by the client's event loop.
 */
final class ClientConnection extends SimpleChannelInboundHandler<FullHttpResponse> {
    private static final int MORE_THAN_A_HEAD = 512;
    private static final long PEER_CLOSES_NS = TimeUnit.SECONDS.toNanos(1);

    private final LoadClient client;
    private final String head;
    private final boolean keepAlive;

    /** A ring: the numbers of the calls in the order in which they were sent, and when. */
    private final int[] calls;

    private final long[] sentNs;
    private int first;
    private int waiting;

    private Channel channel;
    private boolean open;
    private long lastUsedNs;

    /** Whether the client has it among those with room. */
    boolean offered;

    /** @param head of every request, before the length of its body */
    ClientConnection(LoadClient client, String head, int depth, boolean keepAlive) {
        this.client = client;
        this.head = head;
        this.keepAlive = keepAlive;
        calls = new int[depth];
        sentNs = new long[depth];
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        open = true;
        lastUsedNs = client.elapsedNs();
        client.connected(this);
    }

    boolean hasRoom() {
        return open && waiting < calls.length;
    }

    void send(int number, Request request, String text, long nowNs) {
        int at = (first + waiting++) % calls.length;
        calls[at] = number;
        sentNs[at] = nowNs;
        lastUsedNs = nowNs;
        // One call and no more.
        open = keepAlive;
        ByteBuf bytes = channel.alloc().buffer(MORE_THAN_A_HEAD + text.length());
        request.write(bytes, head, text);
        channel.writeAndFlush(bytes, channel.voidPromise());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpResponse answer) {
        if (waiting == 0) {
            client.surplusAnswer();
            return;
        }
        boolean last = !keepAlive || answer.decoderResult().isFailure() || !HttpUtil.isKeepAlive(answer);
        open = !last;
        lastUsedNs = client.elapsedNs();
        client.answered(take(), answer);
        if (last) {
            // The peer executes nothing that came behind a request whose answer says that it is the last (RFC 9112,
            // 9.6).
            while (waiting > 0 && !answer.decoderResult().isFailure()) {
                client.sendAgain(take());
            }
            ctx.close();
        } else {
            client.hasRoom(this);
        }
    }

    private int take() {
        int number = calls[first];
        first = (first + 1) % calls.length;
        waiting--;
        return number;
    }

    /** Closes it if it had no answer for too long, or nothing to do for too long, or if the peer does not close it. */
    void checkTimeouts(long nowNs, long answerNs, long idleNs) {
        long sinceNs = waiting > 0 ? sentNs[first] : lastUsedNs;
        if (nowNs - sinceNs > (waiting > 0 ? answerNs : open ? idleNs : PEER_CLOSES_NS)) {
            close();
        }
    }

    void close() {
        open = false;
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        open = false;
        while (waiting > 0) {
            client.lost(take());
        }
        client.closed(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException || cause instanceof CodecException)) {
            client.fail(cause);
        }
        ctx.close();
    }
}
