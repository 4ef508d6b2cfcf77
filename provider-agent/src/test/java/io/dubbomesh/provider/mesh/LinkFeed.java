package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.call.LimitSettings;
import io.dubbomesh.client.call.LongAnswerThread;
import io.dubbomesh.client.call.LongAnswers;
import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.client.connection.UpstreamListener;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.method.ServedMethods;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.HeaderValidator;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.random.FedChannel;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.Failure;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Future;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One link of a provider agent, between a peer, which sends bytes in pieces, and a provider, which answers when all
 * have come. Writes down what the agent sends to both.
 */
final class LinkFeed {
    /** The agent demands a token. */
    static final int TOKEN = 0x01;
    /** The peer has the token: credentials of 32 question marks become those of the token. */
    static final int PROOF = 0x02;
    /** The peer closes the connection before its calls are answered. */
    static final int LEAVES = 0x04;
    /** The provider cannot be reached. */
    static final int UNREACHABLE = 0x08;
    /** The agent is about to end. */
    static final int DRAINING = 0x10;
    /** Frames may be long. */
    static final int LONG_FRAMES = 0x20;

    private static final String SERVICE = "com.example.Greeter";
    private static final String MESH_TOKEN = "a-token-of-26-characters-1";
    private static final MeshTokenFile TOKENS = tokens();
    private static final byte[] QUESTION_MARKS = "?".repeat(32).getBytes(US_ASCII);
    /** The offset of the credentials in the agent's HELLO. */
    private static final int CREDENTIALS = MeshHeader.LENGTH + 2 + 2 * Integer.BYTES + Short.BYTES;

    private static final long NEVER_MS = TimeUnit.DAYS.toMillis(1);
    private static final int LEAST_BUFFER = 1024;

    private static final int TABLE_SIZE = 8;
    /** The first bit of a call's number in its id. */
    private static final int CALL_NUMBER_SHIFT = 20;

    /** No call waits for one of these, since how long it may wait depends on the machine. */
    private static final LimitSettings LIMIT = new LimitSettings(4, false, 1, 0, 1, 1);

    private static final DubboSettings DUBBO = new DubboSettings(
            new HostPort("192.0.2.1", 20880),
            Serialization.HESSIAN2,
            1 << 20,
            NEVER_MS,
            NEVER_MS,
            NEVER_MS,
            NEVER_MS,
            NEVER_MS,
            false);

    private static final ServiceDefinitions DEFINITIONS = new ServiceDefinitions(Map.of(
            new ServiceKey(SERVICE, "", ""),
            new ServiceDefinition(
                    List.of(
                            new MethodDefinition("greet", List.of("java.lang.String"), "java.lang.String"),
                            new MethodDefinition("greet", List.of("java.lang.String", "int"), "java.lang.String")),
                    Map.of())));

    private final ByteBufAllocator allocator;
    private final int choice;
    private final int maxFrame;
    private final MemoryBudget memory = new MemoryBudget(64 << 20);
    private final FedChannel channel;
    private final FedChannel provider;
    private final ServiceLimit limit = new ServiceLimit(LIMIT);
    private final CallMetrics metrics = new CallMetrics(CallMetricNames.PROVIDER, TABLE_SIZE);
    private final LinkLimit connections = new LinkLimit(1, 1);
    private final DubboUpstream upstream;
    private final ProviderCalls calls;
    private final MeshLinks links;
    private final MeshServerLink link;

    /**
     * The bytes that the agent has sent to the provider, and to the peer: the one and the other may follow each other
     * in any way.
     */
    private final List<String> toProvider = new ArrayList<>();

    private final List<String> toPeer = new ArrayList<>();
    /** The bytes that the agent has sent to the provider, and that are not read yet. */
    private final ByteBuf requests;
    /** Ids of the calls that the provider has to answer. */
    private final List<Long> unanswered = new ArrayList<>();

    private int executed;
    /** The bytes that the agent has sent to the peer, and that are not read yet. */
    private final ByteBuf frames;

    /** The challenge that the agent has sent to its peer. */
    private byte[] challenge;

    /** @param choice of the bits above */
    LinkFeed(ByteBufAllocator allocator, int choice) {
        this.allocator = allocator;
        this.choice = choice;
        maxFrame = has(LONG_FRAMES) ? 1 << 16 : 1024;
        requests = allocator.buffer();
        frames = allocator.buffer();
        channel = new FedChannel(allocator);
        provider = new FedChannel(allocator);
        Turn turn = new Turn(channel.eventLoop(), memory);
        SharedEvents events = new SharedEvents();
        upstream = new DubboUpstream(channel.eventLoop(), (address, handler) -> connect(handler), turn, DUBBO, events);
        DubboResponseReader results =
                new DubboResponseReader(DubboResponseReader.MAX_DOCUMENT, true, DUBBO.serialization());
        LongAnswerThread thread = new LongAnswerThread(channel.eventLoop(), Runnable::run);
        LongAnswers longAnswers = new LongAnswers(thread, results, memory);
        calls = new ProviderCalls(turn, upstream, limit, memory, longAnswers, DUBBO, null, () -> {});
        upstream.listen(calls, new Follower());
        ServedServices services = ServedServices.parse(List.of(SERVICE, SERVICE + ":1.0:g"));
        ServedMethods methods = new ServedMethods(services, DUBBO.serialization(), DUBBO.provider(), metrics);
        methods.define(DEFINITIONS, services);
        MeshSettings mesh = new MeshSettings(1, 1, maxFrame, TABLE_SIZE, null, NEVER_MS, NEVER_MS, true);
        links = new MeshLinks(
                channel.eventLoop(), mesh, upstream, limit, connections, has(TOKEN) ? TOKENS : null, 1, events);
        RequestReader reader =
                new RequestReader(methods, new RequestServer(methods, calls, AgentRole.PROVIDER), memory.capacity());
        link = new MeshServerLink(links, mesh, turn, reader, results.brief(ReadingTime.ofTurn(turn::number)));
        if (!links.accept(channel)) {
            throw new AssertionError("the connection is refused");
        }
        channel.pipeline().addLast(link);
        channel.pipeline().fireChannelActive();
        if (has(DRAINING)) {
            links.drain();
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

    private Future<?> connect(ChannelHandler handler) {
        if (has(UNREACHABLE)) {
            return channel.newFailedFuture(new ConnectException("refused"));
        }
        provider.pipeline().addLast(handler);
        provider.pipeline().fireChannelActive();
        return channel.newSucceededFuture();
    }

    private final class Follower implements UpstreamListener {
        @Override
        public void stateChanged() {
            links.followBackPressure();
        }

        @Override
        public void attemptFailed(boolean accepted, String how) {}

        @Override
        public void silenceChanged() {}

        @Override
        public void writabilityChanged() {
            links.followBackPressure();
        }
    }

    /** Returns the number of calls that the provider has got. */
    int executed() {
        return executed;
    }

    /** Returns the effects of {@code sent} when a piece ends at each of {@code cuts}; called once. */
    List<String> of(byte[] sent, int... cuts) {
        byte[] bytes = sent.clone();
        int helloEnd = helloEnd(bytes);
        int at = 0;
        for (int piece = 0; piece <= cuts.length; piece++) {
            int end = piece < cuts.length ? cuts[piece] : bytes.length;
            if (end > at && channel.isOpen()) {
                channel.feed(link, bytes, at, end, piece);
                endTurn();
                if (executed > 0 && end < helloEnd) {
                    throw new AssertionError("a call of a peer without a HELLO that lets it call");
                }
                if (memory.used(Use.PARTIAL_FRAMES) > LEAST_BUFFER + FedChannel.MARGIN + 2L * end) {
                    throw new AssertionError(memory.used(Use.PARTIAL_FRAMES) + " bytes are kept of " + end);
                }
            }
            at = end;
        }
        if (has(LEAVES)) {
            channel.close();
        }
        answerCalls();
        toPeer.add(channel.isOpen() ? "open" : "closed");
        close();
        List<String> happened = new ArrayList<>(toProvider);
        happened.addAll(toPeer);
        return happened;
    }

    private void endTurn() {
        channel.runPendingTasks();
        provider.runPendingTasks();
        for (ByteBuf out = provider.readOutbound(); out != null; out = provider.readOutbound()) {
            requests.writeBytes(out);
            out.release();
        }
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            frames.writeBytes(out);
            out.release();
        }
        while (requests.isReadable()) {
            request(requests.readSlice(DubboHeader.LENGTH + DubboHeader.bodyLength(requests, requests.readerIndex())));
        }
        requests.clear();
        while (frames.isReadable()) {
            frame(frames.readSlice(MeshHeader.LENGTH + MeshHeader.bodyLength(frames, frames.readerIndex())));
        }
        frames.clear();
    }

    /**
     * Returns the end of the HELLO of a peer that may call, or the index behind the end of the bytes if it may not.
     * Gives it the credentials that it asks for.
     */
    private int helloEnd(byte[] bytes) {
        int never = bytes.length + 1;
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        if (bytes.length < MeshHeader.LENGTH || MeshHeader.type(in, 0) != FrameType.HELLO) {
            return never;
        }
        int end = MeshHeader.LENGTH + MeshHeader.bodyLength(in, 0);
        Hello hello;
        try {
            new HeaderValidator(maxFrame).validate(in, 0);
            if (end > bytes.length) {
                return never;
            }
            hello = Hello.read(in, 0);
        } catch (MalformedFrameException e) {
            return never;
        }
        if (hello.version() == 0) {
            return never;
        }
        if (!has(TOKEN)) {
            return end;
        }
        if (!has(PROOF) || !hello.credentials().equals(HelloCredentials.of(QUESTION_MARKS))) {
            return never;
        }
        byte[] answer = Hex.bytes(MeshFrame.answer(Hex.of(challenge), MESH_TOKEN, hello.agentId()));
        int versions = in.getUnsignedByte(MeshHeader.LENGTH);
        System.arraycopy(answer, 0, bytes, CREDENTIALS - 1 + versions, answer.length);
        return end;
    }

    /** Notes a frame that the agent has sent. */
    private void frame(ByteBuf frame) {
        int start = frame.readerIndex();
        int type = MeshHeader.type(frame, start);
        if (type == FrameType.HELLO && has(TOKEN)) {
            byte[] bytes = new byte[QUESTION_MARKS.length];
            frame.getBytes(start + CREDENTIALS, bytes);
            challenge = bytes;
            frame.setBytes(start + CREDENTIALS, QUESTION_MARKS);
        }
        int status = MeshHeader.status(frame, start);
        if (type == FrameType.RESPONSE && status == Outcome.INTERNAL_ERROR.number()) {
            throw new AssertionError(failures());
        }
        String body = type == FrameType.RESPONSE && status != Outcome.NOT_EXECUTED.number()
                ? responseBody(frame, start + MeshHeader.LENGTH)
                : Hex.of(frame.slice(start + MeshHeader.LENGTH, frame.readableBytes() - MeshHeader.LENGTH));
        toPeer.add("frame " + Hex.of(frame.slice(start, MeshHeader.LENGTH - Integer.BYTES)) + ' ' + body);
    }

    /** Returns the body without the times, which differ each time. */
    private static String responseBody(ByteBuf frame, int offset) {
        StringBuilder text = new StringBuilder();
        int attachments = offset + Short.BYTES;
        int length = frame.getUnsignedShort(offset);
        try {
            Attachments.forEach(frame, attachments, length, (block, key, keyLength, value, valueLength) -> {
                String name = block.toString(key, keyLength, UTF_8);
                String told = name.equals(Attachments.TIMING) ? "" : Hex.of(block.slice(value, valueLength));
                text.append(name).append('=').append(told).append(' ');
            });
        } catch (CallException e) {
            throw new AssertionError(e);
        }
        int document = attachments + length;
        return text + frame.toString(document, frame.writerIndex() - document, UTF_8);
    }

    /** Notes a frame that the provider has got. */
    private void request(ByteBuf frame) {
        int start = frame.readerIndex();
        if (DubboHeader.isEvent(frame, start)) {
            return;
        }
        executed++;
        toProvider.add("call " + Hex.of(frame));
        if (DubboHeader.isTwoWay(frame, start)) {
            unanswered.add(DubboHeader.requestId(frame, start));
        }
    }

    /** With a result, with nothing, or that there is no thread free, by their numbers. */
    private void answerCalls() {
        if (unanswered.isEmpty()) {
            return;
        }
        ByteBuf answers = allocator.directBuffer();
        for (long id : unanswered) {
            switch ((int) (id >> CALL_NUMBER_SHIFT) % 3) {
                case 1 -> answer(answers, DubboStatus.OK, id, "91 05'hello'");
                case 2 -> answer(answers, DubboStatus.OK, id, "92");
                default -> answer(answers, DubboStatus.POOL_EXHAUSTED, id, "04'busy'");
            }
        }
        provider.writeInbound(answers);
        endTurn();
    }

    private void answer(ByteBuf out, int status, long id, String body) {
        byte[] bytes = Hex.bytes(body);
        DubboHeader.write(out, DUBBO.serialization().id(), status, id, bytes.length);
        out.writeBytes(bytes);
    }

    private void close() {
        channel.finishAndReleaseAll();
        endTurn();
        if (limit.inService() != 0 || connections.open() != 0 || links.metrics().linksOpen() != 0) {
            throw new AssertionError(
                    limit.inService() + " permits taken, " + connections.open() + " links counted after the link");
        }
        calls.close();
        upstream.close();
        provider.finishAndReleaseAll();
        requests.release();
        frames.release();
        if (memory.used() != 0) {
            throw new AssertionError(memory.used() + " bytes counted after the link");
        }
        if (!failures().isEmpty()) {
            throw new AssertionError(failures());
        }
    }

    /** Returns the faults of the agent itself, for one-way calls too. */
    private String failures() {
        StringBuilder text = new StringBuilder();
        for (Failure failure : metrics.failures().failures()) {
            if (failure.outcome() == Outcome.INTERNAL_ERROR) {
                text.append(failure);
            }
        }
        return text.toString();
    }
}
