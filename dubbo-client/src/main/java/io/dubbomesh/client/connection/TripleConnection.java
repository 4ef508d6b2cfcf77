package io.dubbomesh.client.connection;

import io.dubbomesh.client.watch.AnswerPause;
import io.dubbomesh.client.watch.ProviderWatch;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.transport.http2.Http2Client;
import io.dubbomesh.transport.http2.Http2Limits;
import io.dubbomesh.transport.http2.Http2Listener;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap.PrimitiveEntry;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/**
 * One connection to the provider by Triple, which is gRPC over HTTP/2: a call is a stream. What has come of an answer
 * is brought into the form of a Dubbo response, so that its readers are those of the other protocol. A {@link
 * ProviderWatch} keeps the connection alive, and has its states. Owned by its event loop.
 * <pre>
 *   a stream ends with            the call
 *   ---------------------------   ------------------------------------------------------------------------
 *   trailers                      is answered
 *   REFUSED_STREAM, or a GOAWAY   was not executed
 *   that excludes it
 *   RST_STREAM(500) of Dubbo      was not executed, as the pool of threads is exhausted; for a while the provider gets
 *                                 no more calls at once than it has then
 *   another RST_STREAM            has failed; by the time-out if that was to be expected, which a stream has not
 *   content that is no message    has failed, and the stream is cancelled
 *   the connection                was not executed if its request was certainly not sent, else has failed
 *   {@link #cancel}               was given up: CANCEL is sent
 *   30 s after {@link #abandon}   likewise
 * </pre>
 * A call keeps its permit until the provider answers, though the deadline is over: Dubbo goes on executing it whatever
 * is sent. With a GOAWAY the connection takes no new calls; it ends with the last answer, beside the next one. So does
 * one of whose places too many are taken by calls that were given up, and that may not be reset yet.
 */
final class TripleConnection implements UpstreamConnection, Http2Listener {
    private static final int SCRATCH = 1024;
    /** A buffer that had to grow larger than this is not kept. */
    private static final int MAX_SCRATCH = 64 * 1024;
    /** Streams that are kept for the next calls. */
    private static final int MAX_SPARE = 64;

    private static final long NS_PER_MS = 1_000_000;
    /** A one-way call, which no answer is awaited to, is given up so long after its deadline. */
    private static final long ONE_WAY_GRACE_MS = 1_000;

    /** So long the end of a call is waited for that should have been answered long ago. */
    private static final long ABANDONED_MS = 30_000;

    /**
     * The code by which Dubbo 3.3 resets a stream of which it could not give a frame to its pool of threads, and which
     * it has therefore not executed: a request is executed behind its last frame.
     */
    private static final int POOL_EXHAUSTED = 500;
    /**
     * So long after such a reset, no more calls are open at once than then. A server of Netty ends a connection, with
     * the calls that it executes, on which it has reset 200 streams within 30 s: 180 at first and one each two seconds
     * are less.
     */
    private static final long REFUSAL_PAUSE_NS = TimeUnit.SECONDS.toNanos(2);

    /** Bytes of a long answer that the provider may send before they are taken, which they are at once. */
    private static final int LONG_ANSWER_WINDOW = 1024 * 1024;
    /** The share of the places, as a divisor, that calls which were given up may take. */
    private static final int GIVEN_UP_SHARE = 4;
    /** That which streams of messages may take, which last as long as their clients like. */
    private static final int STREAMS_SHARE = 2;

    private static final String HTTP_OK = "200";
    private static final String GRPC = "application/grpc";
    private static final String GRPC_STATUS = "grpc-status";
    private static final String STATUS_OK = "0";
    /** Stands for the trailers of a message, behind which others may come. */
    private static final Http2Headers MESSAGE_ENDS_WELL =
            ReadOnlyHttp2Headers.trailers(false, AsciiString.cached(GRPC_STATUS), AsciiString.cached(STATUS_OK));

    private final ConnectionListener upstream;
    private final ResponseListener responses;
    private final Turn turn;
    private final DubboSettings settings;
    private final TripleAnswers answers;
    private final Http2Client client;
    private final IntObjectHashMap<TripleStream> streams = new IntObjectHashMap<>();
    private final ArrayDeque<TripleStream> spare = new ArrayDeque<>();
    /** Null before the connection is open, as the next two are. */
    private ProviderWatch watch;

    private AnswerPause answerPause;
    /** The request that is being written; null while there is none, as the next one. */
    private ByteBuf request;
    /** The answer that is being handed over, as the frame of a Dubbo response. */
    private ByteBuf answer;

    private int oneWayStreams;
    /** Those of any number of messages. */
    private int openStreams;
    /** When the provider was probed last, and how long it is left alone then. */
    private long probedNs;

    private long probePauseNs;
    /** How many calls may be open at once, since the provider had no thread for more; grows with its answers. */
    private int mostOpen = Integer.MAX_VALUE;
    /** The streams of messages that have their header fields. */
    private int begunStreams;

    private long refusedNs;
    /** Whether the provider takes no more calls, by the last that was sent or what it has said then. */
    private boolean full;
    /** Whether the connection has ended. */
    private boolean lost;

    TripleConnection(ConnectionListener upstream, ResponseListener responses, Turn turn, DubboSettings settings) {
        this(upstream, responses, turn, settings, TripleAnswers.of(settings.serialization()));
    }

    TripleConnection(
            ConnectionListener upstream,
            ResponseListener responses,
            Turn turn,
            DubboSettings settings,
            TripleAnswers answers) {
        this.upstream = upstream;
        this.responses = responses;
        this.turn = turn;
        this.settings = settings;
        this.answers = answers;
        client = new Http2Client(turn, Http2Limits.defaults(), this);
    }

    @Override
    public ProviderWatch watch() {
        return watch;
    }

    @Override
    public ConnectionListener listener() {
        return upstream;
    }

    @Override
    public ResponseListener responses() {
        return responses;
    }

    @Override
    public ChannelHandler handler() {
        return client;
    }

    // --- calls ---

    @Override
    public boolean canSend() {
        return client.canOpen() && callsAtWork() < mostOpen;
    }

    @Override
    public boolean takes(DubboRequest prepared) {
        return prepared.isTriple();
    }

    @Override
    public ByteBuf requestBuffer(int bytes) {
        request = scratch(request, bytes);
        return request;
    }

    private ByteBuf scratch(ByteBuf last, int bytes) {
        if (last != null && last.capacity() <= MAX_SCRATCH) {
            return last.clear();
        }
        if (last != null) {
            last.release();
        }
        return allocator().directBuffer(Math.max(SCRATCH, bytes));
    }

    @Override
    public int bodyLength(ByteBuf written, int offset) {
        return written.getInt(contentLengthOffset(written, offset));
    }

    /** The block of header fields stands between its length and that of the content. */
    private static int contentLengthOffset(ByteBuf written, int offset) {
        return offset + Integer.BYTES + written.getInt(offset);
    }

    /** Returns the stream's id. */
    @Override
    public long send(ByteBuf written, int offset, long requestId, AnswerForm form, long timeLeftMs) {
        int block = offset + Integer.BYTES;
        int contentLength = contentLengthOffset(written, offset);
        int content = contentLength + Integer.BYTES;
        TripleStream stream = spare.pollLast();
        if (stream == null) {
            stream = new TripleStream(turn.memory(), settings.maxPayload());
        }
        stream.bind(requestId, form, System.nanoTime() + timeLeftMs * NS_PER_MS, watch.checks());
        int id = 0;
        boolean added = false;
        try {
            id = client.open(written, block, contentLength - block, content, written.getInt(contentLength));
            streams.put(id, stream);
            added = true;
        } finally {
            if (!added) {
                stream.release();
                if (id != 0) {
                    client.reset(id, Http2Error.CANCEL);
                }
            }
        }
        oneWayStreams += stream.isOneWay() ? 1 : 0;
        full = !canSend();
        probePauseNs = 0;
        if (client.isEnding()) {
            // The ids are used up.
            turn.ready(this::leave);
        }
        return id;
    }

    @Override
    public boolean isUnsent(long streamId) {
        int id = (int) streamId;
        if (!lost) {
            return client.isUnsent(id);
        }
        TripleStream stream = streams.get(id);
        return stream != null && stream.isUnsent();
    }

    @Override
    public void cancel(long streamId) {
        int id = (int) streamId;
        TripleStream stream = streams.remove(id);
        if (stream != null) {
            client.reset(id, Http2Error.CANCEL);
            free(stream);
        }
    }

    /** Keeps the stream for a while: after a reset nothing would tell that the provider was busy with the call. */
    @Override
    public void abandon(long streamId) {
        TripleStream stream = streams.get((int) streamId);
        if (stream == null) {
            return;
        }
        if (client.canOpen()) {
            stream.abandon(System.nanoTime() + ABANDONED_MS * NS_PER_MS);
        } else {
            // Calls that the provider may have lost must not keep others from it.
            cancel(streamId);
        }
    }

    /** Returns those that may need a thread of the provider: a stream of messages that has begun needs none. */
    private int callsAtWork() {
        return streams.size() - begunStreams;
    }

    private static boolean isBegunStream(TripleStream stream) {
        return stream.isStreaming() && stream.headers() != null;
    }

    private void free(TripleStream stream) {
        begunStreams -= isBegunStream(stream) ? 1 : 0;
        openStreams -= stream.isStreaming() ? 1 : 0;
        oneWayStreams -= stream.isOneWay() ? 1 : 0;
        stream.free();
        if (spare.size() < MAX_SPARE && !lost) {
            spare.addLast(stream);
        } else {
            stream.release();
        }
        if (full) {
            // At the end of the turn: completions start no work.
            full = false;
            turn.ready(this::announceRoom);
        }
    }

    private void announceRoom() {
        if (!lost && canSend()) {
            int places = client.maxStreams() - client.openStreams();
            responses.hasRoom(this, Math.min(places, mostOpen - callsAtWork()));
            upstream.onWritabilityChanged();
        } else {
            full = !lost;
        }
    }

    @Override
    public boolean carriesStreams() {
        return true;
    }

    @Override
    public int maxStreams() {
        return Math.max(1, client.maxStreams() / STREAMS_SHARE);
    }

    @Override
    public int openStreams() {
        return openStreams;
    }

    @Override
    public void stream(long streamId) {
        openStreams++;
        streams.get((int) streamId).stream();
        client.countAlone((int) streamId);
    }

    @Override
    public void consumed(long streamId, int bytes) {
        TripleStream stream = lost ? null : streams.get((int) streamId);
        if (stream != null) {
            client.consumed((int) streamId, bytes);
            stream.onTaken(bytes);
            consumeEarly((int) streamId, stream);
        }
    }

    @Override
    public long readNs() {
        return client.readNs();
    }

    @Override
    public ByteBufAllocator allocator() {
        return client.channel().alloc();
    }

    // --- the connection ---

    @Override
    public void close(String reason) {
        client.close(reason);
    }

    @Override
    public String heartbeat() {
        return "SETTINGS of HTTP/2";
    }

    @Override
    public boolean isWritable() {
        return client.isWritable() && client.canOpen();
    }

    @Override
    public int maxCalls() {
        return client.maxStreams();
    }

    @Override
    public boolean flush() {
        return client.flush() && oneWayStreams == 0;
    }

    // --- for the watch ---

    @Override
    public boolean awaitsAnswers() {
        return !streams.isEmpty();
    }

    @Override
    public void checked() {
        UpstreamConnection.super.checked();
        giveUpOverdue(System.nanoTime());
    }

    /** Ends the streams whose answers are not waited for. */
    private void giveUpOverdue(long nowNs) {
        Iterator<PrimitiveEntry<TripleStream>> each = streams.entries().iterator();
        while (each.hasNext()) {
            PrimitiveEntry<TripleStream> entry = each.next();
            TripleStream stream = entry.value();
            long graceNs = stream.isAbandoned() ? 0 : ONE_WAY_GRACE_MS * NS_PER_MS;
            boolean overdue = stream.deadlineNs() + graceNs - nowNs < 0;
            if ((stream.isOneWay() || stream.isAbandoned()) && overdue) {
                client.reset(entry.key(), Http2Error.CANCEL);
                each.remove();
                free(stream);
            }
        }
    }

    /**
     * Probes the provider, each time after twice the pause: servers that count frames which serve no call, as Tomcat
     * and proxies do, end the connection for too many during one call. A new call, and each part of an answer, ends the
     * pause, so that nothing more than that call is sent to a provider that has stood still meanwhile.
     */
    @Override
    public int writeHeartbeat() {
        if (!isProbeDue()) {
            return 0;
        }
        probedNs = nowNs();
        long leastNs = checkIntervalMs() * NS_PER_MS;
        // Less than the time between the heartbeats of an idle connection, each of which is a probe.
        long mostNs = Math.max(leastNs, settings.heartbeatMs() * NS_PER_MS / 2);
        probePauseNs = Math.min(mostNs, Math.max(leastNs, 2 * probePauseNs));
        return client.probe();
    }

    @Override
    public boolean canExpectSign() {
        return isProbeDue() || client.awaitsAcknowledgement();
    }

    private boolean isProbeDue() {
        return probePauseNs == 0 || nowNs() - probedNs >= probePauseNs;
    }

    private long nowNs() {
        return client.channel().eventLoop().ticker().nanoTime();
    }

    // --- what the provider sends ---

    @Override
    public void active() {
        watch = new ProviderWatch(this, settings.heartbeatMs(), settings.silenceMs(), client.channel(), client.batch());
        answerPause = new AnswerPause(client.channel(), turn.memory());
        upstream.onConnected(this);
    }

    @Override
    public void received(int bytes) {
        watch.onBytes();
    }

    @Override
    public void frameReceived() {
        watch.onFrame();
    }

    @Override
    public void readComplete() {
        leaveIfWornOut();
        watch.closeIfIdle();
        answerPause.onReadComplete();
    }

    /**
     * A few cancellations are sent in a second. Where more calls are given up, as those of streams that never end, they
     * would take the places of all others. Their end is that of the connection. Done when the provider is heard: one
     * that is frozen is found out by its silence on the same connection.
     */
    private void leaveIfWornOut() {
        if (client.abandonedStreams() > client.maxStreams() / GIVEN_UP_SHARE) {
            upstream.onGoingAway(this, client.abandonedStreams() + " calls were given up and not ended");
        }
    }

    @Override
    public void headers(int streamId, Http2Headers headers, boolean endStream) {
        probePauseNs = 0;
        TripleStream stream = streams.get(streamId);
        if (stream == null) {
            return;
        }
        if (stream.state() != TripleStream.State.HEADERS) {
            complete(streamId, stream, headers);
            return;
        }
        stream.onHeaders(headers);
        begunStreams += isBegunStream(stream) ? 1 : 0;
        if (endStream) {
            complete(streamId, stream, headers);
        } else if (!isGrpc(headers)) {
            // An answer of a proxy, say: its content is none that could be read.
            client.reset(streamId, Http2Error.CANCEL);
            complete(streamId, stream, headers);
        }
    }

    private static boolean isGrpc(Http2Headers headers) {
        CharSequence type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        return type != null
                && AsciiString.contentEquals(HTTP_OK, headers.status())
                && AsciiString.regionMatches(type, true, 0, GRPC, 0, GRPC.length());
    }

    @Override
    public void data(int streamId, ByteBuf in, int offset, int length, boolean endStream) {
        probePauseNs = 0;
        TripleStream stream = streams.get(streamId);
        if (stream == null) {
            return;
        }
        String refusal;
        try {
            refusal = stream.isStreaming()
                    ? messages(streamId, stream, in, offset, length)
                    : stream.append(in, offset, length, allocator());
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            refusal = "a message that could not be kept: " + e;
        }
        if (streams.get(streamId) != stream) {
            // It was cancelled when a message was handed over.
            return;
        }
        if (refusal != null) {
            client.reset(streamId, Http2Error.CANCEL);
            fail(streamId, stream, Outcome.PROVIDER_ERROR, "the provider has answered with " + refusal);
        } else if (endStream) {
            fail(streamId, stream, Outcome.PROVIDER_ERROR, "the provider has ended its answer without a status");
        } else if (!stream.isStreaming()) {
            if (stream.awaitedLength() > MemoryBudget.STREAM) {
                client.widen(streamId, LONG_ANSWER_WINDOW);
            }
            client.consumed(streamId, length);
        } else {
            consumeEarly(streamId, stream);
        }
    }

    /** Hands over the messages that are complete; returns what is wrong with the answer, null for nothing. */
    private String messages(int streamId, TripleStream stream, ByteBuf in, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (at < end && streams.get(streamId) == stream) {
            String refusal = stream.append(in, at, end - at, allocator());
            if (refusal != null) {
                return refusal;
            }
            at += stream.taken();
            if (stream.state() == TripleStream.State.COMPLETE) {
                answer = scratch(answer, stream.content().readableBytes());
                answers.write(answer, stream, MESSAGE_ENDS_WELL);
                int heldBack = stream.heldBack();
                stream.nextMessage();
                watch.onAnswer(true);
                responses.message(this, answer, 0, heldBack);
            }
        }
        return null;
    }

    private void consumeEarly(int streamId, TripleStream stream) {
        int bytes = stream.consumeEarly();
        if (bytes > 0) {
            client.consumed(streamId, bytes);
        }
    }

    private void complete(int streamId, TripleStream stream, Http2Headers trailers) {
        streams.remove(streamId);
        if (!stream.isStreaming() && mostOpen == callsAtWork() + 1 && nowNs() - refusedNs >= REFUSAL_PAUSE_NS) {
            // It was as busy as it may be.
            mostOpen++;
        }
        try {
            if (stream.isOneWay()) {
                watch.onAnswer(false);
            } else if (stream.isStreaming() && !stream.isCutOff() && isOk(trailers)) {
                watch.onAnswer(true);
                responses.streamEnded(this, stream.requestId());
            } else {
                answer = scratch(answer, stream.content().readableBytes());
                answers.write(answer, stream, trailers);
                watch.onAnswer(responses.answered(this, answer, 0));
            }
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            // The same as with one that its handler throws.
            responses.failed(this, stream.requestId(), Outcome.INTERNAL_ERROR, e.toString());
            close(e.toString());
        } finally {
            free(stream);
        }
    }

    private static boolean isOk(Http2Headers trailers) {
        CharSequence status = trailers.get(GRPC_STATUS);
        return status != null && AsciiString.contentEquals(STATUS_OK, status);
    }

    private void fail(int streamId, TripleStream stream, Outcome outcome, String detail) {
        streams.remove(streamId);
        if (stream.isAbandoned()) {
            answer = scratch(answer, DubboHeader.LENGTH);
            DubboHeader.write(answer, 0, DubboStatus.SERVER_TIMEOUT, stream.requestId(), 0);
            watch.onAnswer(responses.answered(this, answer, 0));
            free(stream);
            return;
        }
        watch.onAnswer(true);
        if (!stream.isOneWay()) {
            responses.failed(this, stream.requestId(), outcome, detail);
        }
        free(stream);
    }

    @Override
    public void reset(int streamId, long errorCode) {
        TripleStream stream = streams.get(streamId);
        if (stream == null) {
            return;
        }
        if (errorCode == POOL_EXHAUSTED && stream.headers() == null && !stream.isOneWay()) {
            streams.remove(streamId);
            mostOpen = Math.max(1, callsAtWork());
            refusedNs = nowNs();
            full |= !canSend();
            answer = scratch(answer, DubboHeader.LENGTH);
            DubboHeader.write(answer, 0, DubboStatus.POOL_EXHAUSTED, stream.requestId(), 0);
            watch.onAnswer(responses.answered(this, answer, 0));
            free(stream);
            return;
        }
        if (errorCode != Http2Error.REFUSED_STREAM.code()) {
            boolean late = errorCode == Http2Error.CANCEL.code()
                    && !stream.isStreaming()
                    && stream.deadlineNs() - System.nanoTime() <= 0;
            Outcome outcome = late ? Outcome.TIMEOUT : Outcome.PROVIDER_ERROR;
            fail(streamId, stream, outcome, "the provider has ended the call without an answer: " + name(errorCode));
            return;
        }
        streams.remove(streamId);
        if (!stream.isOneWay()) {
            responses.notExecuted(
                    this, stream.requestId(), client.isEnding() ? "the provider takes no new calls" : null);
        }
        free(stream);
    }

    private static String name(long errorCode) {
        Http2Error error = Http2Error.valueOf(errorCode);
        return error == null ? "error " + errorCode : error.name();
    }

    @Override
    public void failed(int streamId, String reason) {
        TripleStream stream = streams.get(streamId);
        if (stream != null) {
            fail(streamId, stream, Outcome.PROVIDER_ERROR, "the provider has answered with " + reason);
        }
    }

    @Override
    public void goAway(int lastStreamId, long errorCode, String debug) {
        String reason = "GOAWAY " + name(errorCode) + (debug.isEmpty() ? "" : ": " + debug);
        upstream.onGoingAway(this, reason);
    }

    private void leave() {
        upstream.onGoingAway(this, "all ids of streams are used");
    }

    @Override
    public void settings() {
        upstream.onMaxCalls(this);
        full |= !canSend();
        checkRoom();
    }

    /** Places become free without the end of a call, too: the provider takes more, or a stream that was reset ends. */
    private void checkRoom() {
        if (full && canSend()) {
            full = false;
            turn.ready(this::announceRoom);
        }
    }

    @Override
    public void writabilityChanged() {
        checkRoom();
        upstream.onWritabilityChanged();
    }

    @Override
    public void lost(String reason) {
        watch.end();
        streams.entries().forEach(entry -> {
            if (client.isUnsent(entry.key())) {
                entry.value().markUnsent();
            }
        });
        lost = true;
        upstream.onLost(this, reason);
        // They stay, for who asks what is unsent.
        streams.values().forEach(stream -> {
            stream.free();
            stream.release();
        });
        spare.forEach(TripleStream::release);
        spare.clear();
        request = release(request);
        answer = release(answer);
    }

    private static ByteBuf release(ByteBuf buffer) {
        if (buffer != null) {
            buffer.release();
        }
        return null;
    }
}
