package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.auth.CallerAuth;
import io.dubbomesh.consumer.auth.LoopAuth;
import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.http.AllowedOrigins;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.testsupport.EmbeddedDuplexChannel;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Hands bytes in pieces to the handler of a connection, as an event loop would, and writes down the calls that it makes
 * and the bytes that it answers.
 */
public final class ConnectionFeed implements AutoCloseable {
    private static final String ERRORS = "docs/errors.md";

    private static final Pattern VARYING = Pattern.compile(
            "HTTP/1\\.1 100 Continue\r\n\r\n|(?i)mcp-session-id: [^\r]*|(?i)date: [^\r]*|urn:uuid:[0-9a-f-]*");

    /** A status line, and not one that a problem document quotes from the request. */
    private static final Pattern FAULT_OF_OURS = Pattern.compile("HTTP/1\\.1 500 [^\r\"\\\\]*\r\n");

    /** When calls are answered. */
    public enum Answers {
        AT_ONCE,
        /** The last call first, when all bytes have come. */
        LATE
    }

    /** The time-out of all: results do not depend on how long a machine takes. */
    private static final long FOREVER_NS = DAYS.toNanos(1);

    private final EmbeddedChannel anchor = new EmbeddedChannel();
    private final ByteBufAllocator allocator;
    private final Response response = new Response(ERRORS, AgentRole.CONSUMER);
    private final MemoryBudget memory = new MemoryBudget(64 << 20);
    private final HttpLoop loop;
    private final List<String> happened = new ArrayList<>();
    private final List<Responder> unanswered = new ArrayList<>();
    private Answers answers;

    /** Makes the feed of an agent that any client may call, but no page of a browser. */
    public ConnectionFeed() {
        this(ByteBufAllocator.DEFAULT);
    }

    /** The same, with its buffers from this allocator. */
    ConnectionFeed(ByteBufAllocator allocator) {
        this(null, null, allocator);
    }

    /**
     * @param auth    of the callers; null where they are not authenticated
     * @param origins of the pages that may call; null for none
     */
    public ConnectionFeed(CallerAuth auth, AllowedOrigins origins) {
        this(auth, origins, ByteBufAllocator.DEFAULT);
    }

    private ConnectionFeed(CallerAuth auth, AllowedOrigins origins, ByteBufAllocator allocator) {
        this(origins, allocator, null, auth == null ? null : new LoopAuth(auth));
    }

    /** Makes what handles requests. */
    @FunctionalInterface
    public interface HandlerMaker {
        /**
         * @param loop     of the connections
         * @param happened takes the calls that the handler makes
         */
        RequestHandler of(Response response, Executor loop, List<String> happened);
    }

    /** Makes the feed of a handler. */
    public ConnectionFeed(ByteBufAllocator allocator, HandlerMaker maker) {
        this(null, allocator, maker, null);
    }

    private ConnectionFeed(AllowedOrigins origins, ByteBufAllocator allocator, HandlerMaker maker, LoopAuth auth) {
        this.allocator = allocator;
        anchor.config().setAllocator(allocator);
        // No timer depends on how busy the machine is.
        anchor.freezeTime();
        HttpSettings settings = new HttpSettings(
                HttpLimits.DEFAULTS,
                16,
                16,
                256,
                new HttpSettings.Timeouts(
                        FOREVER_NS, FOREVER_NS, 500, FOREVER_NS, FOREVER_NS, 0, FOREVER_NS, SECONDS.toNanos(15)),
                origins,
                ERRORS);
        RequestHandler handler = maker == null ? new Handler(auth) : maker.of(response, anchor.eventLoop(), happened);
        loop = new HttpLoop(anchor.eventLoop(), settings, 16, new Turn(anchor.eventLoop(), memory), handler, response);
    }

    private final class Handler extends PlainHandler {
        private final CallReader reader;

        Handler(LoopAuth auth) {
            reader = new CallReader(
                    new CallSettings(32, 64, SECONDS.toNanos(5), 60_000),
                    new Router(64, new CallMetrics(CallMetricNames.CONSUMER, 64)),
                    auth);
        }

        @Override
        public RequestFields newFields() {
            return reader.newFields();
        }

        @Override
        public String allowedMethods(HttpRequestParser request) {
            return reader.allowedMethods(request);
        }

        @Override
        public void admit(HttpRequestParser request) throws CallException {
            reader.admit(request);
        }

        @Override
        public void admitAgain(HttpRequestParser request) throws CallException {
            reader.admitAgain(request);
        }

        @Override
        public void checkHead(HttpRequestParser request) throws CallException {
            reader.checkHead(request);
        }

        @Override
        public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs)
                throws CallException {
            ParsedCall call = reader.read(request);
            ByteBuf arguments = Unpooled.buffer();
            call.writeArguments(arguments);
            happened.add(call.route().name() + " " + arguments.toString(ISO_8859_1) + " flags " + call.flags()
                    + " timeout " + call.timeoutNs() + " attachments "
                    + call.attachments().toString(ISO_8859_1));
            if (answers == Answers.AT_ONCE) {
                responder.respond(response.accepted());
            } else {
                unanswered.add(responder);
            }
        }
    }

    /**
     * Returns the effects of {@code bytes} when a piece ends at each of {@code cuts}: the calls, the answers, and
     * whether the connection has ended. Interim answers and what differs from answer to answer are left out.
     */
    public List<String> of(Answers when, byte[] bytes, int... cuts) {
        answers = when;
        happened.clear();
        HttpConnection connection = (HttpConnection) loop.newConnection(null);
        EmbeddedDuplexChannel client = new EmbeddedDuplexChannel();
        client.config().setAllocator(allocator);
        client.pipeline().addLast(connection);
        client.pipeline().fireChannelActive();
        ChannelHandlerContext context = client.pipeline().context(connection);
        int at = 0;
        for (int piece = 0; piece <= cuts.length; piece++) {
            int end = piece < cuts.length ? cuts[piece] : bytes.length;
            if (end > at) {
                // It shares its memory with others, as the reads of an event loop do.
                ByteBuf read = client.alloc().directBuffer(end - at).writeBytes(bytes, at, end - at);
                // Not through the pipeline, by which a connection is closed for any exception.
                connection.channelRead(context, read.retainedSlice());
                client.pipeline().fireChannelReadComplete();
                endTurn(client);
                read.setZero(0, read.capacity()).release();
            }
            at = end;
        }
        for (int i = unanswered.size() - 1; i >= 0; i--) {
            unanswered.get(i).respond(response.accepted());
        }
        unanswered.clear();
        endTurn(client);
        happened.add(answersOf(client));
        happened.add(client.isOutputShutdown() || !client.isOpen() ? "ended" : "goes on");
        client.close();
        endTurn(client);
        for (Use use : Use.values()) {
            if (memory.used(use) != 0) {
                throw new AssertionError(use + " has " + memory.used(use) + " bytes after the connection");
            }
        }
        return List.copyOf(happened);
    }

    private void endTurn(EmbeddedChannel client) {
        anchor.runPendingTasks();
        client.runPendingTasks();
    }

    private static String answersOf(EmbeddedChannel client) {
        StringBuilder text = new StringBuilder();
        for (ByteBuf out = client.readOutbound(); out != null; out = client.readOutbound()) {
            text.append(out.toString(ISO_8859_1));
            out.release();
        }
        if (FAULT_OF_OURS.matcher(text).find()) {
            throw new AssertionError(text.toString());
        }
        return VARYING.matcher(text).replaceAll("");
    }

    @Override
    public void close() {
        loop.close();
        response.close();
        anchor.finishAndReleaseAll();
    }
}
