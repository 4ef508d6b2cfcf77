package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.LogRate;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.socket.PeerPlaces;
import io.dubbomesh.transport.socket.TcpAbort;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Adds TLS to connections that are accepted. */
public final class TlsAcceptor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsAcceptor.class);
    private static final long REFUSAL_LOG_NS = TimeUnit.SECONDS.toNanos(1);
    /** The bound of handshakes, with those that have not begun; each of them costs less than 10 KB. */
    private static final int MAX_HANDSHAKES = 1024;
    /** Beyond these a client without TLS may not get to read its answer. */
    private static final int MAX_LINGERING = 64;

    private final TlsContext context;
    private final TlsGate.AtEnd atEnd;
    private final TlsRecords.NoRoom noRoom;
    /** Null where peers without TLS get no answer. */
    private final Consumer<ByteBuf> answerWithoutTls;

    private final PeerPlaces<Handshake> handshakes = PeerPlaces.byAge(MAX_HANDSHAKES);
    private final HandshakeWindow window;
    private final Semaphore lingering = new Semaphore(MAX_LINGERING);
    private final LogRate refusalLines = new LogRate(1, REFUSAL_LOG_NS);
    private long refusals;

    private TlsAcceptor(
            TlsSettings settings, TlsGate.AtEnd atEnd, TlsRecords.NoRoom noRoom, Consumer<ByteBuf> answerWithoutTls) {
        this.atEnd = atEnd;
        this.noRoom = noRoom;
        this.answerWithoutTls = answerWithoutTls;
        context = new TlsContext(settings, files -> files.toAccept(settings));
        window = new HandshakeWindow(
                MAX_HANDSHAKES,
                context.handshakeTimeoutMs() / 2,
                look -> context.schedule(look, HandshakeWindow.LOOK_MS),
                System::nanoTime);
    }

    /**
     * Has {@link Settings#check} report what is wrong with the files.
     *
     * @param tls null for plain TCP
     */
    public static void check(Settings settings, TlsSettings tls) {
        if (tls != null) {
            TlsFiles.check(settings, tls, files -> files.toAccept(tls));
        }
    }

    /**
     * Makes the acceptor of links, which end as a whole.
     *
     * @throws io.dubbomesh.runtime.settings.SettingsException if a file cannot be read or used; names its setting, its
     *     path and the reason
     */
    public static TlsAcceptor ofLinks(TlsSettings settings) {
        return new TlsAcceptor(settings, TlsGate.AtEnd.CLOSE, TlsRecords.NoRoom.KEEP, null);
    }

    /**
     * Makes the acceptor of HTTP, whose clients may end their output before they have the answer.
     *
     * @param answerWithoutTls writes what a client gets that does not speak TLS, on its event loop
     * @throws io.dubbomesh.runtime.settings.SettingsException if a file cannot be read or used; names its setting, its
     *     path and the reason
     */
    public static TlsAcceptor ofHttp(TlsSettings settings, Consumer<ByteBuf> answerWithoutTls) {
        return new TlsAcceptor(settings, TlsGate.AtEnd.TELL, TlsRecords.NoRoom.CLOSE, answerWithoutTls);
    }

    /**
     * Adds TLS to a connection that was just accepted. Handlers behind it are told of the connection, by
     * {@code channelActive}, when the handshake is done.
     *
     * @param memory of the connection's event loop
     * @return null if there are too many handshakes: the connection is closed
     */
    public TlsConnection accept(Channel channel, MemoryBudget memory) {
        TlsRecords records = new TlsRecords(memory, noRoom, reason -> refused(channel, reason));
        Handshake handshake = new Handshake(channel, records);
        Handshake replaced = handshakes.add(handshake, handshake.address, System.nanoTime());
        if (replaced != null) {
            refused(replaced.channel, "more than " + MAX_HANDSHAKES + " at once");
            window.end(replaced, HandshakeWindow.End.STOOD_STILL);
            replaced.abort();
        }
        if (replaced == handshake) {
            return null;
        }
        // Until the handshake is done, the next bytes are read when the last ones are used up: none are kept while
        // handshakes queue up.
        channel.config().setAutoRead(false);
        context.addTo(channel, records);
        channel.pipeline().addLast(handshake.firstRecord);
        // A task of the handshake may still be under way then.
        channel.closeFuture().addListener(closed -> {
            handshakes.remove(handshake, handshake.address);
            window.end(handshake, HandshakeWindow.End.FAILED);
        });
        return new TlsConnection(channel, records);
    }

    /** The handshake of one connection. */
    private final class Handshake implements FirstRecord.TlsStart, HandshakeWindow.Opening, HandshakeTasks.Progress {
        private final Channel channel;
        private final TlsRecords records;
        private final InetAddress address;
        private final FirstRecord firstRecord;
        /** Whether the handshake is done; used on the event loop. */
        private boolean isDone;

        Handshake(Channel channel, TlsRecords records) {
            this.channel = channel;
            this.records = records;
            // Nothing is known of one that is closed already, and it makes no difference.
            address = channel.remoteAddress() instanceof InetSocketAddress remote
                    ? remote.getAddress()
                    : InetAddress.getLoopbackAddress();
            firstRecord = new FirstRecord(records, context.handshakeTimeoutMs(), this);
        }

        @Override
        public InetAddress address() {
            return address;
        }

        @Override
        public boolean request() {
            return window.request(this);
        }

        @Override
        public void begin() {
            execute(firstRecord::begin);
        }

        /** Runs as a task of its own: a read or the end of a handshake of another connection may be on the stack. */
        private void execute(Runnable task) {
            try {
                channel.eventLoop().execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("the event loop of a connection has ended before its handshake", e);
            }
        }

        @Override
        public void begin(ChannelHandlerContext first, long leftMs) {
            SslHandler tls = context.newHandler(channel, leftMs, this);
            tls.handshakeFuture().addListener(done -> ended(done.cause()));
            channel.pipeline()
                    .addAfter(first.name(), null, new TlsGate(tls.engine(), records, atEnd))
                    .addAfter(first.name(), null, tls);
        }

        @Override
        public void computes() {
            window.computes(this);
        }

        @Override
        public void awaitsPeer() {
            window.awaits(this);
        }

        /** @param failure null if it has succeeded */
        private void ended(Throwable failure) {
            isDone = true;
            handshakes.remove(this, address);
            if (failure == null) {
                window.end(this, HandshakeWindow.End.SUCCEEDED);
                return;
            }
            boolean stoodStill = failure instanceof SslHandshakeTimeoutException;
            window.end(this, stoodStill ? HandshakeWindow.End.STOOD_STILL : HandshakeWindow.End.FAILED);
            failed(channel, failure);
        }

        @Override
        public void abandon() {
            refused(channel, "no answer for " + HandshakeWindow.LEAST_MS + " ms while others waited");
            abort();
        }

        /** Resets the connection: TLS would first wait to send its end. A handshake that was done meanwhile stays. */
        void abort() {
            execute(() -> {
                if (!isDone) {
                    TcpAbort.abort(channel);
                }
            });
        }

        @Override
        public void timedOut() {
            refused(channel, "handshake timed out after " + context.handshakeTimeoutMs() + "ms");
        }
    }

    /** Connections that just close are not worth a word. */
    private void failed(Channel channel, Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return;
        }
        if (answerWithoutTls != null && cause instanceof NotSslRecordException) {
            answerWithoutTls(channel);
        }
        refused(channel, TlsGate.reason(cause));
    }

    /** TLS is about to close the connection. */
    private void answerWithoutTls(Channel channel) {
        ByteBuf answer = channel.alloc().buffer();
        answerWithoutTls.accept(answer);
        ChannelFuture written = channel.pipeline().context(SslHandler.class).writeAndFlush(answer);
        if (lingering.tryAcquire()) {
            channel.pipeline().addFirst(new LingeringClose(lingering));
            written.addListener(done -> ((DuplexChannel) channel).shutdownOutput());
        }
    }

    /** Logs at most one line a second, since any host can try at any rate. */
    private synchronized void refused(Channel channel, String reason) {
        refusals++;
        if (refusalLines.admits(System.nanoTime())) {
            LOG.warn("{}: TLS handshake: {}{}", channel.remoteAddress(), reason, refusalLines.leftOut());
        }
    }

    /**
     * Returns the number of connections whose handshakes have failed so far, and of those for which there were too
     * many; without those that just closed.
     */
    public synchronized long refused() {
        return refusals;
    }

    /** Returns whether a peer is about to be told that its connection is open. */
    public boolean hasHandshakes() {
        return handshakes.count() > 0;
    }

    /**
     * Makes connections of this process to a listener with this TLS: they trust the certificate that it uses now, under
     * any name.
     */
    public SSLSocketFactory ownClient() {
        try {
            SSLContext own = SSLContext.getInstance("TLS");
            own.init(null, new TrustManager[] {new PinnedCertificate(context.certificate())}, null);
            return own.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    void readAgain() {
        context.readAgain();
    }

    /** Closes it; called after the event loops are closed. */
    @Override
    public void close() {
        context.close();
    }
}
