package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A connection on which many calls are under way, told apart by their ids; one that is lost is opened again. Owned by its event loop,
 * though calls may come from any thread.
 */
abstract class Connection implements Callee {
    static final int TIMEOUT_S = 5;

    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    private static final int SWEEP_MS = 100;
    private static final int RECONNECT_MS = 200;

    private final Connector connector;
    private final InetSocketAddress address;
    /** In the order of their ids, which is that of their deadlines too. */
    private final Map<Long, Pending> pending = new LinkedHashMap<>();

    private Channel channel;
    private long lastId;

    private record Pending(Answer answer, long deadlineNs) {}

    Connection(Connector connector, InetSocketAddress address) {
        this.connector = connector;
        this.address = address;
    }

    /** To be called once, and not on the loop. */
    final void open() throws IOException {
        ChannelFuture connected = connect().awaitUninterruptibly();
        if (!connected.isSuccess()) {
            throw new IOException(connected.cause().getMessage(), connected.cause());
        }
        connector.loop().scheduleAtFixedRate(this::failTheLate, SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
    }

    private ChannelFuture connect() {
        return connector.connect(address, connecting -> {
            addHandlers(connecting);
            connecting.pipeline().addLast(new Life());
        });
    }

    /** Adds what turns the bytes that come into calls of {@link #answered}. */
    protected abstract void addHandlers(Channel channel);

    /** Writes and flushes a request; {@code in} is only read. */
    protected abstract void write(long id, MethodName name, ByteBuf in, int offset, int length) throws CallException;

    /** The one that is open, or null. */
    protected final Channel channel() {
        return channel;
    }

    @Override
    public final void call(MethodName name, ByteBuf in, int offset, int length, Answer answer) {
        if (connector.loop().inEventLoop()) {
            send(name, in, offset, length, answer);
            return;
        }
        ByteBuf arguments = in.retainedSlice(offset, length);
        Hop.to(connector.loop(), arguments, () -> {
            try {
                send(name, arguments, 0, length, answer);
            } finally {
                arguments.release();
            }
        });
    }

    private void send(MethodName name, ByteBuf in, int offset, int length, Answer answer) {
        if (channel == null) {
            answer.failed(Outcome.NO_PROVIDER, address + ": not connected");
            return;
        }
        long id = ++lastId;
        try {
            write(id, name, in, offset, length);
        } catch (CallException e) {
            answer.failed(e.outcome(), e.getMessage());
            return;
        }
        // Nothing that was written is answered before this turn of the loop is over.
        pending.put(id, new Pending(answer, System.nanoTime() + TIMEOUT_NS));
    }

    /** The document is only read. */
    protected final void answered(long id, Outcome outcome, ByteBuf in, int offset, int length) {
        Pending call = pending.remove(id);
        if (call != null) {
            call.answer.completed(outcome, in, offset, length);
        }
    }

    private void failTheLate() {
        long nowNs = System.nanoTime();
        List<Pending> late = new ArrayList<>();
        for (Iterator<Pending> calls = pending.values().iterator(); calls.hasNext(); ) {
            Pending call = calls.next();
            if (call.deadlineNs - nowNs > 0) {
                break;
            }
            calls.remove();
            late.add(call);
        }
        late.forEach(call -> call.answer.failed(Outcome.TIMEOUT, address + ": no answer in " + TIMEOUT_S + " s"));
    }

    private void reconnect() {
        connect().addListener(connected -> {
            if (!connected.isSuccess()) {
                reconnectLater();
            }
        });
    }

    private void reconnectLater() {
        if (!connector.loop().isShuttingDown()) {
            connector.loop().schedule(this::reconnect, RECONNECT_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** The last handler: sees the connection come, fail and go. */
    private final class Life extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            channel = ctx.channel();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            channel = null;
            List<Pending> lost = List.copyOf(pending.values());
            pending.clear();
            lost.forEach(call -> call.answer.failed(Outcome.PROVIDER_ERROR, address + ": connection lost"));
            reconnectLater();
        }
    }
}
