package io.dubbomesh.runtime.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Date;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A connection of the admin port. No thread waits for its client, neither for a request nor until an answer is read.
 * Owned by the event loop; only {@link #answer} is called by any thread.
 *
 * <pre>
 *     +---------------- answer written, keep-alive ---------------+
 *     v                                                           |
 *  READING --- whole request ---> SERVED --- answer() ---> ANSWERING
 *     |                                                           |
 *     | malformed                     answer written, to be closed |
 *     +-------------------> ANSWERING --------------------> ENDING, until the client ends its side
 *
 *  each --- timeout, failure, the connection ends ---> CLOSED
 * </pre>
 *
 * <p>READING, ANSWERING and ENDING have a timeout. A client that sends a second request before it has the answer to the
 * first gets no answer to the second: the connection ends.
 */
final class AdminConnection extends ChannelInboundHandlerAdapter {
    static final int MAX_BODY = 16 * 1024;

    private static final Logger log = LoggerFactory.getLogger(AdminConnection.class);

    private static final long REQUEST_NS = TimeUnit.SECONDS.toNanos(5);
    /** The time from an answer to the whole next request. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(10);
    /** The time to write each {@link #PIECE}. */
    private static final long WRITE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long END_NS = TimeUnit.SECONDS.toNanos(1);
    /** The bytes of an answer that are written at once: what is written is copied into memory outside the heap. */
    private static final int PIECE = 16 * 1024;

    enum State {
        READING,
        SERVED,
        ANSWERING,
        ENDING,
        CLOSED
    }

    /** Answers requests. */
    interface Requests {
        /** Called on the event loop; calls {@link AdminConnection#answer} once, then or later. */
        void serve(PageRequest request, AdminConnection connection);
    }

    private final AdminConnections connections;
    private final Requests requests;
    private ChannelHandlerContext ctx;
    private State state = State.READING;
    private long deadlineNs;

    // The request that is read or served.
    private HttpRequest head;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean keepAlive;

    // The answer that is written.
    private byte[] content = {};
    private int written;

    AdminConnection(AdminConnections connections, Requests requests) {
        this.connections = connections;
        this.requests = requests;
        deadlineNs = connections.nowNs() + REQUEST_NS;
    }

    State state() {
        return state;
    }

    boolean isAnswering() {
        return state == State.ANSWERING;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        connections.opened(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        close();
    }

    void checkTimeout(long nowNs) {
        if (nowNs - deadlineNs >= 0) {
            close();
        }
    }

    void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            connections.closed(this);
            connections.read(content.length - written);
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (state == State.READING) {
                read((HttpObject) message);
            } else {
                // The codec also hands on what is left of a head when the connection has been closed.
                keepAlive = false;
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(HttpObject part) {
        if (part.decoderResult().isFailure()) {
            refuse(part.decoderResult().cause());
            return;
        }
        if (part instanceof HttpRequest request) {
            head = request;
            keepAlive = HttpUtil.isKeepAlive(request);
            body.reset();
            if (HttpUtil.is100ContinueExpected(request)) {
                ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
            }
        }
        if (part instanceof HttpContent piece) {
            add(piece.content());
            if (part instanceof LastHttpContent || body.size() > MAX_BODY) {
                keepAlive &= part instanceof LastHttpContent;
                serve();
            }
        }
    }

    private void refuse(Throwable cause) {
        int status = cause instanceof TooLongHttpLineException ? 414 : 400;
        keepAlive = false;
        write(PageAnswer.line(cause instanceof TooLongHttpHeaderException ? 431 : status, "malformed request"));
    }

    private void add(ByteBuf bytes) {
        try {
            bytes.readBytes(body, Math.min(bytes.readableBytes(), MAX_BODY + 1 - body.size()));
        } catch (IOException e) {
            throw new AssertionError("a stream in memory", e);
        }
    }

    private void serve() {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        head.headers().forEach(field -> headers.putIfAbsent(field.getKey(), field.getValue()));
        PageRequest request;
        try {
            URI uri = new URI(head.uri());
            if (uri.getPath() == null) {
                throw new URISyntaxException(head.uri(), "no path");
            }
            InetSocketAddress client = (InetSocketAddress) ctx.channel().remoteAddress();
            request = new PageRequest(head.method().name(), uri, headers, body.toByteArray(), client);
        } catch (URISyntaxException e) {
            refuse(e);
            return;
        }
        state = State.SERVED;
        connections.isServed(this);
        ctx.channel().config().setAutoRead(false);
        requests.serve(request, this);
    }

    /** Writes the answer to the request that is served; called by any thread. */
    void answer(PageAnswer answer) {
        if (ctx.executor().inEventLoop()) {
            answerNow(answer);
        } else {
            ctx.executor().execute(() -> answerNow(answer));
        }
    }

    private void answerNow(PageAnswer answer) {
        if (state == State.SERVED) {
            write(answer);
        }
    }

    private void write(PageAnswer answer) {
        HttpResponse response =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
        answer.headers().forEach(response.headers()::set);
        response.headers().set(HttpHeaderNames.DATE, DateFormatter.format(new Date()));
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        state = State.ANSWERING;
        content = answer.body();
        written = 0;
        connections.unread(this, content.length);
        ctx.write(response);
        writePiece();
    }

    private void writePiece() {
        deadlineNs = connections.nowNs() + WRITE_NS;
        connections.waits(this);
        int length = Math.min(PIECE, content.length - written);
        ByteBuf piece = Unpooled.wrappedBuffer(content, written, length);
        boolean isLast = written + length == content.length;
        ctx.writeAndFlush(isLast ? new DefaultLastHttpContent(piece) : new DefaultHttpContent(piece))
                .addListener(done -> {
                    if (state == State.ANSWERING) {
                        pieceWritten(length, done.isSuccess());
                    }
                });
    }

    private void pieceWritten(int length, boolean success) {
        written += length;
        connections.read(length);
        if (!success) {
            close();
        } else if (written < content.length) {
            writePiece();
        } else {
            answerWritten();
        }
    }

    private void answerWritten() {
        content = new byte[0];
        written = 0;
        connections.waits(this);
        ctx.channel().config().setAutoRead(true);
        if (keepAlive) {
            state = State.READING;
            deadlineNs = connections.nowNs() + IDLE_NS;
        } else {
            // What the client still sends would make the system reset the connection, and the answer with it.
            state = State.ENDING;
            deadlineNs = connections.nowNs() + END_NS;
            ((DuplexChannel) ctx.channel()).shutdownOutput();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        log.debug("{}: {}", context.channel().remoteAddress(), cause.toString());
        close();
    }
}
