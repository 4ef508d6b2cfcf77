package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseFraming;
import io.dubbomesh.consumer.http.response.ResponseWriter;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.directory.EndpointWeights;
import io.dubbomesh.consumer.upstream.link.EndpointCounters;
import io.dubbomesh.consumer.upstream.link.EndpointHeader;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.EndpointListener;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.link.ProviderLink;
import io.dubbomesh.consumer.upstream.pool.PoolSettings;
import io.dubbomesh.consumer.upstream.pool.Services;
import io.dubbomesh.consumer.upstream.pool.SlicedWork;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.loadbalance.subset.Subset;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.random.FedChannel;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * One link of a consumer agent, with calls of clients on it, and a peer, which sends bytes in pieces. Writes down what
 * the agent sends to its peer, to another provider agent, and to its clients.
 */
final class EndpointFeed {
    /** The agent has a token of the mesh. */
    static final int TOKEN = 0x01;
    /**
     * There is another provider agent, which takes three calls and answers none; the calls come when the link is ready.
     */
    static final int OTHER = 0x02;
    /** Frames may be long. */
    static final int LONG_FRAMES = 0x04;

    /** In the order of the numbers in their ids. */
    private static final List<String> CALLS = List.of(
            HttpSocket.request("POST /a.B/m", "[1]", "Content-Type: application/json"),
            HttpSocket.request("POST /a.B/m", "[\"two\"]", "Content-Type: application/json"),
            HttpSocket.request("POST /a.B/other", "[3]", "Content-Type: application/json", "X-Dubbo-Version: 1.0"),
            HttpSocket.request("POST /a.B/m", "[4]", "Content-Type: application/json"),
            HttpSocket.request("POST /a.B/m", "[5]", "Content-Type: application/json"));
    /** A one-way call that waits for the link would leave it at the end of a turn, and so earlier in pieces. */
    private static final String ONE_WAY =
            HttpSocket.request("POST /a.B/m", "[6]", "Content-Type: application/json", "X-Dubbo-Oneway: true");

    private static final String MESH_TOKEN = "a-token-of-26-characters-1";
    private static final MeshTokenFile TOKENS = tokens();
    /** Only their number counts. */
    private static final EventLoops LOOPS = new EventLoops("fuzz", 1, Transport.of("nio"));

    private static final HostPort PEER = new HostPort("192.0.2.1", 30000);
    private static final HostPort OTHER_PEER = new HostPort("192.0.2.2", 30000);
    private static final long NEVER_MS = TimeUnit.DAYS.toMillis(1);
    private static final long NEVER_NS = TimeUnit.DAYS.toNanos(1);
    private static final int LEAST_BUFFER = 1024;

    /** The parts that differ from one reading to another. */
    private static final Pattern VARYING =
            Pattern.compile("\\d+ m?s\\b|(?i)date: [^\r]*|content-length: \\d+|urn:uuid:[0-9a-f-]*");

    private static final Pattern HEAD = Pattern.compile("HTTP/1\\.1 \\d{3} [ -~]+(?:\r\n[!-9;-~]+: [ -~]*)+");
    private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)");

    private final ByteBufAllocator allocator;
    private final int choice;
    private final LinkSettings settings;
    private final MemoryBudget memory = new MemoryBudget(64 << 20);
    private final FedChannel channel;
    private final FedChannel other;
    private final Turn turn;
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final ResponseWriter writer = new ResponseWriter(() -> "");
    private final CallReader reader;
    private final HttpRequestParser parser;
    private final Services services;
    private final CallDispatcher dispatcher;
    private ProviderLink link;

    private final List<String> toPeer = new ArrayList<>();
    private final List<String> toOther = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();

    /** @param choice of the bits above */
    EndpointFeed(ByteBufAllocator allocator, int choice) {
        this.allocator = allocator;
        this.choice = choice;
        channel = new FedChannel(allocator);
        other = new FedChannel(allocator);
        turn = new Turn(channel.eventLoop(), memory);
        settings = new LinkSettings(has(LONG_FRAMES) ? 1 << 16 : 1024, NEVER_MS, EndpointHeader.ALWAYS);
        Router router = new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8));
        reader = new CallReader(new CallSettings(32, 16, NEVER_NS, NEVER_MS), router);
        parser = new HttpRequestParser(HttpLimits.DEFAULTS, allocator, reader.newFields());
        LinkOpener opener = UpstreamFixture.opener(LOOPS, new EndpointLoads(1), has(TOKEN) ? TOKENS : null);
        EndpointCounters counters = new EndpointCounters(channel.eventLoop());
        services = new Services(
                size -> Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(size, 0, 0),
                new PoolSettings(
                        NEVER_NS,
                        Set.of(),
                        "",
                        new EndpointWeights(25, 400),
                        20,
                        new HealthSettings(false, 5, NEVER_NS, 3, NEVER_MS, NEVER_MS, 50, 0),
                        UpstreamFixture.CONSUMER,
                        List.of("static:")),
                listed -> newEndpoint(listed.id(), opener, counters),
                new SlicedWork(channel.eventLoop()),
                new Subset(7, 0, 1),
                counters);
        dispatcher = new CallDispatcher(
                turn,
                new QueueSettings(16, 1 << 20, NEVER_NS, NEVER_NS),
                new StreamSettings(NEVER_NS, NEVER_NS),
                settings.maxFrame(),
                services,
                router::keep,
                response);
        List<Endpoint> listed = new ArrayList<>();
        listed.add(new Endpoint(PEER.host(), PEER.port(), 1, 1, List.of()));
        if (has(OTHER)) {
            listed.add(new Endpoint(OTHER_PEER.host(), OTHER_PEER.port(), 1, 1, List.of()));
        }
        services.update(Directory.ofAnyService(listed));
        if (has(OTHER)) {
            openLinks();
        } else {
            CALLS.forEach(this::dispatch);
        }
        endTurn();
    }

    private static MeshTokenFile tokens() {
        try {
            Path file = Files.createTempFile("mesh-tokens", "");
            file.toFile().deleteOnExit();
            return MeshTokenFile.open(Files.writeString(file, MESH_TOKEN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean has(int bit) {
        return (choice & bit) != 0;
    }

    private ProviderEndpoint newEndpoint(EndpointId id, LinkOpener opener, EndpointCounters counters) {
        boolean isPeer = id.address().equals(PEER);
        return new ProviderEndpoint(
                id,
                opener,
                listener ->
                        isPeer ? new Opener((ProviderEndpoint) listener) : new OtherOpener((ProviderEndpoint) listener),
                settings,
                turn,
                new TurnByTurn(),
                counters);
    }

    /**
     * Ends a turn behind each frame that makes others possible: a peer answers only what it has received, and what it
     * has received does not depend on how its bytes arrive.
     */
    private final class TurnByTurn implements EndpointListener {
        @Override
        public void roomAdded() {
            dispatcher.roomAdded();
            turn.run();
        }

        @Override
        public void unavailable(ProviderEndpoint endpoint) {
            dispatcher.unavailable(endpoint);
            turn.run();
        }

        @Override
        public void expect(long[] requestIds, int count) {
            dispatcher.expect(requestIds, count);
        }

        @Override
        public void responded(EndpointLink from, ByteBuf in, int offset, int end) throws MalformedFrameException {
            dispatcher.responded(from, in, offset, end);
            turn.run();
        }

        @Override
        public boolean awaits(EndpointLink from, ByteBuf in, int offset) {
            return dispatcher.awaits(from, in, offset);
        }

        @Override
        public void discarded(EndpointLink from, ByteBuf in, int offset) {
            dispatcher.discarded(from, in, offset);
            turn.run();
        }

        @Override
        public boolean sendElsewhere(EndpointLink from, ByteBuf in, int offset, int end) {
            return dispatcher.sendElsewhere(from, in, offset, end);
        }

        @Override
        public void linkLost(EndpointLink lost, String reason, ByteBuf unsent) {
            dispatcher.linkLost(lost, reason, unsent);
            turn.run();
        }
    }

    /** Opens a link once. */
    private class Opener implements LinkConnector {
        private final ProviderEndpoint endpoint;

        Opener(ProviderEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public void connect() {
            link = open(channel);
        }

        ProviderLink open(EmbeddedChannel on) {
            ProviderLink opened = new ProviderLink(endpoint, settings, turn, new TurnByTurn(), new LinkMetrics());
            endpoint.opening(opened);
            on.pipeline().addLast(opened);
            on.pipeline().fireChannelActive();
            return opened;
        }

        @Override
        public void connectLater() {}

        /** At the same byte of what the peer sends, however it comes. */
        @Override
        public void connected() {
            if (has(OTHER)) {
                CALLS.forEach(EndpointFeed.this::dispatch);
                dispatch(ONE_WAY);
                turn.run();
            }
        }

        @Override
        public void close() {}
    }

    private final class OtherOpener extends Opener {
        OtherOpener(ProviderEndpoint endpoint) {
            super(endpoint);
        }

        @Override
        public void connect() {
            open(other);
            other.writeInbound(Unpooled.wrappedBuffer(Hex.bytes(MeshFrame.hello(3, 8))));
        }

        @Override
        public void connected() {}
    }

    private final class Client implements Responder {
        /** Null until it is answered. */
        private String answer;

        @Override
        public void observe(Observer observer) {}

        @Override
        public void respond(Response to) {
            if (answer != null) {
                throw new AssertionError("a second answer, after " + answer);
            }
            ByteBuf out = allocator.buffer();
            writer.write(out, to, new ResponseFraming());
            String text = out.toString(ISO_8859_1);
            out.release();
            requireWellFormed(text);
            answer = VARYING.matcher(text).replaceAll("");
        }

        private static void requireWellFormed(String text) {
            int end = text.indexOf("\r\n\r\n");
            String head = text.substring(0, Math.max(0, end));
            Matcher length = LENGTH.matcher(head);
            if (!HEAD.matcher(head).matches()
                    || !length.find()
                    || Integer.parseInt(length.group(1)) != text.length() - end - 4
                    || length.find()) {
                throw new AssertionError(text);
            }
        }

        @Override
        public void expect(AnswerSize size) {}

        @Override
        public CallRecord record() {
            return null;
        }

        @Override
        public void onCancel(Cancellation cancellation) {}
    }

    private void openLinks() {
        ByteBuf request = request(CALLS.get(0));
        try {
            parse(request);
            services.poolOf(reader.read(parser).route(), Unpooled.EMPTY_BUFFER).open(System.nanoTime());
        } catch (CallException e) {
            throw new AssertionError(e);
        } finally {
            request.release();
        }
    }

    private ByteBuf request(String text) {
        return allocator.buffer().writeBytes(text.getBytes(US_ASCII));
    }

    private void parse(ByteBuf request) {
        if (parser.parse(request) != HttpRequestParser.Result.REQUEST) {
            throw new AssertionError(parser.detail());
        }
    }

    private void dispatch(String text) {
        Client client = new Client();
        clients.add(client);
        ByteBuf request = request(text);
        try {
            parse(request);
            long nowNs = System.nanoTime();
            dispatcher.dispatch(reader.read(parser), client, nowNs + NEVER_NS, nowNs);
        } catch (CallException e) {
            client.respond(response.problem(e.outcome(), e.getMessage()));
        } finally {
            request.release();
        }
    }

    /** Returns the effects of {@code bytes} when a piece ends at each of {@code cuts}; called once. */
    List<String> of(byte[] bytes, int... cuts) {
        int at = 0;
        for (int piece = 0; piece <= cuts.length; piece++) {
            int end = piece < cuts.length ? cuts[piece] : bytes.length;
            if (end > at && channel.isOpen()) {
                channel.feed(link, bytes, at, end, piece);
                endTurn();
                if (memory.used(Use.PARTIAL_FRAMES) > LEAST_BUFFER + FedChannel.MARGIN + 2L * end) {
                    throw new AssertionError(memory.used(Use.PARTIAL_FRAMES) + " bytes are kept of " + end);
                }
            }
            at = end;
        }
        toPeer.add(channel.isOpen() ? "open" : "closed");
        close();
        List<String> happened = new ArrayList<>(toPeer);
        happened.addAll(toOther);
        clients.forEach(client -> happened.add(client.answer));
        return happened;
    }

    private void endTurn() {
        channel.runPendingTasks();
        other.runPendingTasks();
        read(channel, toPeer);
        read(other, toOther);
    }

    private void read(EmbeddedChannel from, List<String> happened) {
        ByteBuf frames = allocator.buffer();
        for (ByteBuf out = from.readOutbound(); out != null; out = from.readOutbound()) {
            frames.writeBytes(out);
            out.release();
        }
        while (frames.isReadable()) {
            ByteBuf frame = frames.readSlice(MeshHeader.LENGTH + MeshHeader.bodyLength(frames, frames.readerIndex()));
            int start = frame.readerIndex();
            if (MeshHeader.type(frame, start) == FrameType.REQUEST) {
                // The time that is left.
                frame.setInt(start + MeshHeader.LENGTH, 0);
            }
            happened.add(Hex.of(frame));
        }
        frames.release();
    }

    /** Checks that each call has one answer. */
    private void close() {
        channel.finishAndReleaseAll();
        other.finishAndReleaseAll();
        endTurn();
        for (Client client : clients) {
            if (client.answer == null) {
                throw new AssertionError("a call without an answer when all links are gone");
            }
        }
        services.close();
        parser.close();
        response.close();
        if (dispatcher.pendingCount() != 0 || memory.used() != 0) {
            throw new AssertionError(
                    dispatcher.pendingCount() + " calls, " + memory.used() + " bytes counted after the link");
        }
    }
}
