package io.dubbomesh.client.call;

import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.client.connection.ProtocolChoice;
import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.connection.UpstreamListener;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.client.method.ServedMethods;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.protocol.triple.TripleRequest;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Promise;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Each state of a call with each event, between a limit of one permit and a provider. */
class ProviderCallTest {
    private static final String HEARTBEAT = "dabbe200" + "0000000000000001" + "00000001" + "4e";
    private static final int TIME_LEFT_MS = 60_000;
    private static final long NEVER_NS = TimeUnit.DAYS.toNanos(1);
    private static final int QUEUE = 2;
    private static final DubboSettings DUBBO = new DubboSettings(
            new HostPort("192.0.2.7", 20880), Serialization.HESSIAN2, 1024, 600_000, 3_000, 60_000, 50, 1_000, false);

    private final List<Runnable> closings = new ArrayList<>();
    /** What the thread for long answers has not done yet. */
    private final Deque<Runnable> reading = new ArrayDeque<>();

    private final Deque<Attempt> attempts = new ArrayDeque<>();
    private EmbeddedChannel loop;
    private EmbeddedChannel provider;
    /** Without any. */
    private static final String SETTINGS = "00000004" + "00" + "00000000";

    /** What the method returns; null if it is not known. */
    private String returnType;
    /** The stream that is open; null for none. */
    private OpenStream stream;

    private Turn turn;
    private DubboUpstream upstream;
    private ServiceLimit limit;
    private PeerQueue queue;
    private ProviderCalls calls;
    private CalledMethod method;
    private ProviderCall call;
    private ProviderProtocol protocol = ProviderProtocol.DUBBO;
    /** Null for the one protocol. */
    private ProtocolChoice protocols;

    private final List<String> givenBack = new ArrayList<>();
    private boolean answersAreLong;
    /** What the answers are; of a long one that is read, what was read. */
    private Outcome outcome = Outcome.OK;

    private record Attempt(ChannelHandler handler, Promise<Void> connected) {}

    @AfterEach
    void close() {
        reading.forEach(Runnable::run);
        reading.clear();
        closings.forEach(Runnable::run);
        closings.clear();
    }

    /**
     * The ways to the states, and what each event leads to: a the call begins, o a one-way call, w one that finds no
     * permit, W one that finds no place in the queue either; r the provider answers, R with a long answer, t the
     * answer is read; x the call is forgotten, d its deadline passes; g the permit is free, G the same while this loop
     * does not know it yet, T another call takes it; e the place in the queue is given to another peer, E the same
     * while this loop does not know it yet; Q the queue is filled; n this loop knows; l the connection is lost and
     * opened again, c it is open, b the provider takes no calls, and those that wait are given back.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE     | PERMITS | WAY  | EVENTS | NEXT
                    FREE      | 0       | ''   | a      | IN_FLIGHT
                    FREE      | 0       | ''   | oW     | FREE
                    FREE      | 0       | ''   | w      | WAITING
                    IN_FLIGHT | 1       | a    | rlx    | FREE
                    IN_FLIGHT | 1       | a    | b      | IN_FLIGHT
                    IN_FLIGHT | 1       | a    | R      | READING
                    READING   | 1       | aR   | t      | FREE
                    READING   | 1       | aR   | lb     | READING
                    WAITING   | 1       | w    | g      | IN_FLIGHT
                    WAITING   | 1       | w    | dbe    | FREE
                    WAITING   | 1       | w    | l      | WAITING
                    WAITING   | 1       | wl   | g      | PARKED
                    WAITING   | 1       | wl   | c      | WAITING
                    WAITING   | 1       | wG   | n      | IN_FLIGHT
                    WAITING   | 1       | wG   | db     | ABANDONED
                    WAITING   | 1       | wE   | n      | FREE
                    WAITING   | 1       | wE   | db     | ABANDONED
                    PARKED    | 0       | wlg  | c      | IN_FLIGHT
                    PARKED    | 0       | wlg  | db     | FREE
                    PARKED    | 1       | wlgT | c      | WAITING
                    PARKED    | 1       | wlgTQ | c     | FREE
                    ABANDONED | 1       | wGd  | n      | FREE
                    ABANDONED | 1       | wEd  | n      | FREE
                    """)
    void itFollowsItsDrawing(String state, int permits, String way, String events, String next) throws Exception {
        for (char event : events.toCharArray()) {
            start();
            for (char step : way.toCharArray()) {
                happen(step);
            }
            assertThat(call.state()).as(way).hasToString(state);
            assertThat(limit.inService()).as(way).isEqualTo(permits);
            happen(event);
            assertThat(call.state()).as(way + " " + event).hasToString(next);
        }
    }

    /**
     * The same on a connection by Triple: N the provider refuses the stream, F it resets it otherwise, k it ends the
     * connection without having executed the call, z it takes no streams, Z it takes one.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE     | PERMITS | WAY  | EVENTS | NEXT
                    FREE      | 0       | ''   | a      | IN_FLIGHT
                    FREE      | 0       | ''   | o      | FREE
                    IN_FLIGHT | 1       | a    | NFkxl  | FREE
                    WAITING   | 1       | wz   | g      | PARKED
                    PARKED    | 0       | wzg  | Z      | IN_FLIGHT
                    PARKED    | 0       | wzg  | l      | PARKED
                    PARKED    | 0       | wzg  | db     | FREE
                    PARKED    | 1       | wzgT | Z      | WAITING
                    PARKED    | 1       | wzgTQ | Z     | FREE
                    """)
    void onATripleConnectionItFollowsItsDrawing(String state, int permits, String way, String events, String next)
            throws Exception {
        protocol = ProviderProtocol.TRIPLE;
        itFollowsItsDrawing(state, permits, way, events, next);
    }

    /**
     * The same of a method that returns a stream: s the call begins, h the answer has its header fields, m a message
     * comes, y the stream ends, f it fails, C its receiver cancels it, D the receiver has it fail.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE     | PERMITS | WAY  | EVENTS | NEXT
                    FREE      | 0       | ''   | s      | OPENED
                    OPENED    | 1       | s    | h      | OPENED
                    OPENED    | 1       | s    | NFklCD | FREE
                    OPENED    | 1       | sh   | m      | STREAMING
                    OPENED    | 1       | sh   | yfC    | FREE
                    STREAMING | 0       | shm  | m      | STREAMING
                    STREAMING | 0       | shm  | yfFlCD | FREE
                    """)
    void aStreamFollowsItsDrawing(String state, int permits, String way, String events, String next) throws Exception {
        protocol = ProviderProtocol.TRIPLE;
        returnType = MethodDefinition.streamOf("java.lang.String");
        itFollowsItsDrawing(state, permits, way, events, next);
        assertThat(stream).as("none has ended unseen").matches(last -> next.equals("FREE") == (last == null));
    }

    /** A provider whose method throws at once is no fast one. */
    @ParameterizedTest
    @CsvSource({"ar, OK, 1", "ar, SERVICE_EXCEPTION, 0", "aRt, OK, 1", "aRt, SERVICE_EXCEPTION, 0"})
    void theTimeOfACallCountsIfItHasAResult(String events, Outcome answer, int counted) throws Exception {
        start();
        outcome = answer;
        for (char event : events.toCharArray()) {
            happen(event);
        }
        assertThat(calls.counters().executed).isEqualTo(counted);
        assertThat(calls.counters().executedNs > 0).isEqualTo(counted > 0);
        assertThat(limit.callNs() > 0).isEqualTo(counted > 0);
    }

    /** A provider of Dubbo 3.3 that ends withdraws its services before it closes its connections. */
    @Test
    void aCallOfAServiceThatIsExportedNoMoreIsGivenBackIfItWasExecutedBefore() throws Exception {
        protocol = ProviderProtocol.TRIPLE;
        start();
        happen('a');
        refuse(1);
        assertThat(call.state()).hasToString("FREE");
        assertThat(givenBack).as("it was never executed").isEmpty();

        happen('a');
        provider.writeInbound(
                Hex.buffer("000026 01 04 00000003 88 00 0c'content-type' 16'application/grpc+proto'"),
                Hex.buffer("000026 00 00 00000003 00 00000021 0a08'hessian2' 1203 02'hi' 1a10'java.lang.String'"),
                Hex.buffer("00000f 01 05 00000003 00 0b'grpc-status' 01'0'"));
        happen('a');
        refuse(5);
        assertThat(call.state()).hasToString("FREE");
        assertThat(givenBack).containsExactly("the provider does not export the service any more");
        assertThat(limit.inService()).isZero();
    }

    private void refuse(int streamId) {
        outcome = Outcome.SERVICE_NOT_FOUND;
        provider.writeInbound(Hex.buffer("00005f 01 05 0000000" + streamId
                + "8d 00 0c'content-type' 16'application/grpc+proto' 00 0b'grpc-status' 02'12'"
                + "00 0c'grpc-message' 1a'Invoker for gRPC not found'"));
        loop.runPendingTasks();
        outcome = Outcome.OK;
    }

    /** Another event loop finds the protocol of a provider of which it is not known; this one has a connection. */
    @Test
    void aWaitingCallIsGivenBackIfTheNextConnectionHasAnotherProtocol() throws Exception {
        protocols = ProtocolChoice.either(ProviderProtocol.DUBBO);
        start();
        happen('w');
        DubboUpstream other = newUpstream();
        other.listen(calls, new Follower());
        other.open();
        Attempt unanswered = nextAttempt();
        EmbeddedChannel silent = new EmbeddedChannel(unanswered.handler);
        unanswered.connected.setSuccess(null);
        loop.runPendingTasks();
        silent.finishAndReleaseAll();
        other.close();
        assertThat(protocols.current()).isEqualTo(ProviderProtocol.TRIPLE);
        attempts.clear();

        happen('l');
        happen('g');
        assertThat(call.state()).hasToString("PARKED");
        protocol = ProviderProtocol.TRIPLE;
        happen('c');
        assertThat(call.state()).hasToString("FREE");
        assertThat(givenBack).containsExactly("the provider is called by another protocol now");
        assertThat(limit.inService()).isZero();
    }

    private void start() throws CallException {
        close();
        loop = new EmbeddedChannel();
        attempts.clear();
        answersAreLong = false;
        MemoryBudget memory = new MemoryBudget(1 << 20);
        turn = new Turn(loop.eventLoop(), memory);
        upstream = newUpstream();
        limit = new ServiceLimit(new LimitSettings(1, false, 1, QUEUE, NEVER_NS, NEVER_NS));
        queue = limit.queue(1);
        DubboResponseReader reader =
                new DubboResponseReader(DubboResponseReader.MAX_DOCUMENT, true, DUBBO.serialization());
        LongAnswers longAnswers = new LongAnswers(new LongAnswerThread(loop.eventLoop(), reading::add), reader, memory);
        calls = new ProviderCalls(turn, upstream, limit, memory, longAnswers, DUBBO, null, () -> {});
        upstream.listen(calls, new Follower());
        ServedMethods methods = new ServedMethods(
                ServedServices.parse(List.of("com.example.Greeter")),
                DUBBO.serialization(),
                DUBBO.provider(),
                new CallMetrics(CallMetricNames.PROVIDER, 8));
        MethodName name = new MethodName("com.example.Greeter", "greet", "?", "", "");
        method = protocol == ProviderProtocol.DUBBO
                ? new ResolvedMethod(name, methods).called()
                : new CalledMethod(
                        name,
                        DubboRequest.prepare(
                                name,
                                TripleRequest.to("192.0.2.7:50051", false, DUBBO.serialization()),
                                definition(),
                                ExportedAs.INTERFACE),
                        new CallMetrics(CallMetricNames.PROVIDER, 8));
        call = new ProviderCall(calls);
        closings.add(new Closing(loop, upstream, calls)::close);
        upstream.open();
        accept();
    }

    /** Returns null where nothing is known of the method. */
    private ServiceDefinition definition() {
        return returnType == null
                ? null
                : new ServiceDefinition(
                        List.of(new MethodDefinition("greet", List.of("java.lang.String"), returnType)), Map.of());
    }

    private DubboUpstream newUpstream() {
        return new DubboUpstream(
                loop.eventLoop(),
                (address, handler) -> {
                    Attempt attempt = new Attempt(handler, loop.eventLoop().newPromise());
                    attempts.add(attempt);
                    return attempt.connected;
                },
                turn,
                DUBBO,
                new SharedEvents(),
                protocols == null ? ProtocolChoice.of(protocol) : protocols);
    }

    private record Closing(EmbeddedChannel loop, DubboUpstream upstream, ProviderCalls calls) {
        void close() {
            calls.close();
            upstream.close();
            loop.finishAndReleaseAll();
        }
    }

    /** Does what the agents do when it changes whether the provider takes calls. */
    private final class Follower implements UpstreamListener {
        @Override
        public void stateChanged() {
            if (upstream.takesCalls()) {
                calls.resume();
            } else if (!upstream.isUndecided()) {
                calls.giveBackWaiting();
            }
        }

        @Override
        public void attemptFailed(boolean accepted, String how) {}

        @Override
        public void silenceChanged() {}

        @Override
        public void writabilityChanged() {}
    }

    private void happen(char event) throws Exception {
        switch (event) {
            case 'a' -> begin(Flags.JSON);
            case 'o' -> begin(Flags.JSON | Flags.ONE_WAY);
            case 'w' -> {
                limit.tryAcquire();
                limit.tryWait(queue, new Other(), System.nanoTime());
                bind(Flags.JSON);
                call.await(System.nanoTime());
            }
            case 'W' -> {
                limit.tryAcquire();
                fillQueue();
                bind(Flags.JSON);
                assertThat(call.await(System.nanoTime())).isFalse();
            }
            case 'r' -> answer();
            case 'R' -> {
                answersAreLong = true;
                answer();
            }
            case 't' -> reading.remove().run();
            case 'x' -> call.abandon();
            case 'd' -> {
                calls.remove(call);
                call.expired();
            }
            case 'g', 'G' -> limit.release();
            case 'T' -> assertThat(limit.tryAcquire()).isTrue();
            case 'e', 'E' -> evict();
            case 'Q' -> fillQueue();
            case 'l' -> provider.close();
            case 'c' -> accept();
            case 'b' -> calls.giveBackWaiting();
            case 's' -> begin(Flags.JSON | Flags.STREAM);
            case 'h' ->
                provider.writeInbound(
                        Hex.buffer("000026 01 04 00000001 88 00 0c'content-type' 16'application/grpc+proto'"));
            case 'm' ->
                provider.writeInbound(Hex.buffer(
                        "000026 00 00 00000001 00 00000021" + "0a08'hessian2' 1203 02'hi' 1a10'java.lang.String'"));
            case 'y' -> provider.writeInbound(Hex.buffer("00000f 01 05 00000001 00 0b'grpc-status' 01'0'"));
            case 'f' -> provider.writeInbound(Hex.buffer("00000f 01 05 00000001 00 0b'grpc-status' 01'5'"));
            case 'C' -> stream.cancel();
            case 'D' -> stream.fail(Outcome.OVERLOADED, "no room");
            case 'N' -> provider.writeInbound(Hex.buffer("00000403" + "00" + "00000001" + "00000007"));
            case 'F' -> provider.writeInbound(Hex.buffer("00000403" + "00" + "00000001" + "00000002"));
            case 'k' -> provider.writeInbound(Hex.buffer("00000807" + "00" + "00000000" + "00000000" + "00000000"));
            case 'z' -> provider.writeInbound(Hex.buffer("00000604" + "00" + "00000000" + "0003" + "00000000"));
            case 'Z' -> provider.writeInbound(Hex.buffer("00000604" + "00" + "00000000" + "0003" + "00000001"));
            default -> {}
        }
        if ("GEdb".indexOf(event) < 0) {
            loop.runPendingTasks();
        }
    }

    private void begin(int flags) throws MalformedFrameException {
        assertThat(limit.tryAcquire()).isTrue();
        bind(flags);
        call.send(upstream.connection());
    }

    private void bind(int flags) throws MalformedFrameException {
        ByteBuf in = Unpooled.buffer().writeInt(TIME_LEFT_MS).writeShort(0);
        in.writeCharSequence("[\"Ada\"]", US_ASCII);
        RequestBody body = new RequestBody();
        body.locate(in, 0, in.writerIndex(), false);
        call.bind(new Listener(), 7, flags, method);
        call.copy(body, method, loop.alloc());
    }

    private void answer() {
        ByteBuf frame = Unpooled.buffer();
        ByteBuf body = Hex.buffer("9105'hello'");
        DubboHeader.write(frame, DUBBO.serialization().id(), 20, call.id(), body.readableBytes());
        frame.writeBytes(body);
        body.release();
        provider.writeInbound(frame);
    }

    private void fillQueue() {
        for (int i = 0; i < QUEUE; i++) {
            limit.tryWait(queue, new Other(), System.nanoTime());
        }
    }

    /** The queue is full, and the peer of this call has all places: the last one goes to another peer. */
    private void evict() {
        assertThat(limit.tryWait(limit.queue(2), new Other(), System.nanoTime()))
                .isTrue();
    }

    /** Another call, which gives its permit back at once. */
    private final class Other extends PeerQueue.Waiter {
        @Override
        void granted() {
            limit.release();
        }

        @Override
        void evicted() {}
    }

    private void accept() {
        provider = new EmbeddedChannel();
        EmbeddedChannel opened = provider;
        closings.add(opened::finishAndReleaseAll);
        Attempt attempt = nextAttempt();
        provider.pipeline().addLast(attempt.handler);
        provider.pipeline().fireChannelActive();
        attempt.connected.setSuccess(null);
        loop.runPendingTasks();
        provider.writeInbound(Hex.buffer(protocol == ProviderProtocol.DUBBO ? HEARTBEAT : SETTINGS));
        loop.runPendingTasks();
    }

    private Attempt nextAttempt() {
        for (int i = 0; i < 40 && attempts.isEmpty(); i++) {
            loop.advanceTimeBy(50, TimeUnit.MILLISECONDS);
            loop.runScheduledPendingTasks();
        }
        return attempts.remove();
    }

    private final class Listener implements CallListener {
        @Override
        public boolean takesStreams() {
            return true;
        }

        @Override
        public boolean streamOpened(long requestId, OpenStream opening) {
            stream = opening;
            return true;
        }

        @Override
        public void streamClosed(long requestId, OpenStream closing) {
            assertThat(closing).isSameAs(stream);
            stream = null;
        }

        @Override
        public Outcome message(
                long requestId, CalledMethod called, ResultFormat format, ByteBuf in, int offset, int windowBytes) {
            return Outcome.OK;
        }

        @Override
        public void streamEnded(long requestId) {}

        @Override
        public Outcome answered(
                long requestId, CalledMethod called, ResultFormat format, CallTiming timing, ByteBuf in, int offset) {
            return answersAreLong ? null : outcome;
        }

        @Override
        public Outcome read(
                long requestId,
                CalledMethod called,
                ResultFormat format,
                CallTiming timing,
                Outcome read,
                ByteBuf document) {
            return outcome;
        }

        @Override
        public void failed(long requestId, Outcome outcome, String detail) {}

        @Override
        public void failed(long requestId, Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void notExecuted(long requestId, ByteBuf in, int offset, int length, String unavailability) {
            givenBack.add(String.valueOf(unavailability));
        }

        @Override
        public void ended() {}

        @Override
        public long receivedNs() {
            return System.nanoTime();
        }

        @Override
        public PeerQueue queue() {
            return queue;
        }

        @Override
        public boolean isClosed() {
            return false;
        }
    }
}
