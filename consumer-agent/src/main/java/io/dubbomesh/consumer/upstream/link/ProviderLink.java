package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.mesh.MeshLink;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;

/** The consumer agent's end of a connection to a provider agent, with the method ids that it has defined there. */
public final class ProviderLink extends MeshLink implements EndpointLink {
    /** Fewer frames in a read are handed over at once: a loop that is not busy would gain nothing. */
    private static final int WORTH_LOOKING_AHEAD = 4;

    private final ProviderEndpoint endpoint;
    private final EndpointListener listener;
    private final Turn turn;
    /** The ids of methods by route index; 0 where nothing is defined. */
    private int[] methodIds = new int[16];

    private int lastMethodId;
    private int tableSize;
    /** Bytes that the names of further methods may take. */
    private long namesLeft;
    /** The flags of requests that the peer knows. */
    private int requestFlags = ~(Flags.TIMED | Flags.OBJECT | Flags.STREAM);
    /** Whether the peer has said that it takes no more calls here. */
    private boolean endAnnounced;

    /** Streams that have begun. */
    private int streams;
    /** Why the link closes with the last of them; null if it does not. */
    private String leaving;

    /** The request ids of the next frames, while {@link #lookAhead} reads them. */
    private final long[] ahead = new long[EndpointListener.MOST_EXPECTED];

    private final CallTiming timing = new CallTiming();

    public ProviderLink(
            ProviderEndpoint endpoint,
            LinkSettings settings,
            Turn turn,
            EndpointListener listener,
            LinkMetrics metrics) {
        super(turn, Use.UNREAD_REQUESTS, settings.maxFrame(), settings.heartbeatMs(), 0, metrics);
        this.endpoint = endpoint;
        this.listener = listener;
        this.turn = turn;
    }

    @Override
    public boolean isWritable() {
        return batch().isWritable();
    }

    @Override
    public ByteBuf buffer(int frameBytes) {
        return batch().buffer(frameBytes);
    }

    @Override
    public void requested(Route route, ByteBuf out, int frame, long nowNs) {
        // It is flushed at the end of the turn.
    }

    /** Returns the id of a method, after a DEFINE where the route is new. */
    @Override
    public int methodId(Route route) {
        int index = route.index();
        if (index == Route.NO_INDEX) {
            return 0;
        }
        if (index >= methodIds.length) {
            methodIds = Arrays.copyOf(methodIds, Math.max(index + 1, methodIds.length * 2));
        }
        if (methodIds[index] == 0 && lastMethodId < tableSize && route.encodedNames().length <= namesLeft) {
            define(lastMethodId + 1, route);
            methodIds[index] = ++lastMethodId;
            namesLeft -= route.encodedNames().length;
        }
        return methodIds[index];
    }

    @Override
    public int requestFlags(int wanted) {
        return wanted & requestFlags;
    }

    @Override
    public void streamBegun() {
        streams++;
    }

    @Override
    public void streamOver() {
        streams--;
        if (leaving != null && streams == 0) {
            turn.ready(() -> close(leaving));
        }
    }

    @Override
    public boolean hasStreams() {
        return streams > 0;
    }

    @Override
    public void leave(String reason) {
        if (streams == 0) {
            close(reason);
        } else {
            leaving = reason;
        }
    }

    @Override
    public void consumed(long requestId, int bytes) {
        if (!isClosed() && !isClosing()) {
            FrameWriter.credit(batch().buffer(), requestId, bytes);
        }
    }

    @Override
    public void cancelStream(long requestId) {
        if (!isClosed() && !isClosing()) {
            FrameWriter.cancel(batch().buffer(), requestId);
        }
    }

    /** Returns the timing of this link, whose answers come from one provider. */
    @Override
    public CallTiming timing() {
        return timing;
    }

    private void define(int methodId, Route route) {
        ByteBuf out = batch().buffer();
        int frame = out.writerIndex();
        boolean complete = false;
        try {
            FrameWriter.define(out, methodId, route.encodedNames());
            complete = true;
        } finally {
            if (!complete) {
                out.writerIndex(frame);
            }
        }
    }

    /** Returns the HELLO; an agent with a token first waits whether the peer demands one. */
    @Override
    protected Hello hello() {
        return endpoint.tokens() == null ? helloWith(HelloCredentials.NONE) : null;
    }

    @Override
    protected Hello answer(Hello peer) throws MalformedFrameException {
        MeshTokenFile tokens = endpoint.tokens();
        HelloCredentials challenge = peer.credentials();
        if (challenge.isEmpty()) {
            return tokens == null ? null : helloWith(HelloCredentials.NONE);
        }
        if (tokens == null) {
            throw new MalformedFrameException(
                    "the provider agent demands a token (expected: mesh.token-file of this agent)");
        }
        if (!challenge.isChallenge()) {
            throw new MalformedFrameException("HELLO: a challenge of " + challenge + " (expected: 32 bytes)");
        }
        return helloWith(tokens.answer(challenge, endpoint.agentId()));
    }

    private Hello helloWith(HelloCredentials credentials) {
        int features = Hello.TAKES_LIMIT | Hello.TAKES_UNSERVED | Hello.TAKES_LOAD | Hello.TAKES_STREAMS;
        return new Hello(MeshHeader.VERSION, 0, 0, credentials, endpoint.agentId(), features);
    }

    @Override
    protected void ready(Hello peer) {
        tableSize = peer.tableSize();
        namesLeft = MethodNames.maxTableBytes(tableSize);
        if ((peer.features() & Hello.TELLS_TIMING) != 0) {
            requestFlags |= Flags.TIMED;
        }
        if ((peer.features() & Hello.TAKES_NAMES) != 0) {
            requestFlags |= Flags.OBJECT;
        }
        if ((peer.features() & Hello.TAKES_STREAMS) != 0) {
            requestFlags |= Flags.STREAM;
        }
        endpoint.ready(this, peer.limit());
    }

    @Override
    protected void frame(int type, ByteBuf in, int offset, int end) throws MalformedFrameException {
        if (type == FrameType.LIMIT && end - offset == MeshHeader.LENGTH + Integer.BYTES) {
            endpoint.limited(this, in.getInt(offset + MeshHeader.LENGTH));
            return;
        }
        if (type != FrameType.RESPONSE) {
            throw new MalformedFrameException("frame type " + type + " from a provider agent");
        }
        if (end - offset < MeshHeader.LENGTH + Short.BYTES
                || end - offset - MeshHeader.LENGTH - Short.BYTES < in.getUnsignedShort(offset + MeshHeader.LENGTH)) {
            throw new MalformedFrameException("RESPONSE: the attachments reach beyond the body");
        }
        if ((MeshHeader.flags(in, offset) & Flags.MORE) != 0) {
            checkMessage(in, offset, end);
        }
        listener.responded(this, in, offset, end);
    }

    private static void checkMessage(ByteBuf in, int offset, int end) throws MalformedFrameException {
        int attachments = offset + MeshHeader.LENGTH;
        boolean isEmpty = end - attachments - Short.BYTES == in.getUnsignedShort(attachments);
        int windowBytes = MeshHeader.windowBytes(in, offset);
        if (MeshHeader.status(in, offset) != 0
                || MeshHeader.flags(in, offset) != (Flags.JSON | Flags.MORE)
                || (isEmpty ? windowBytes != 0 : windowBytes <= 0)) {
            throw new MalformedFrameException("RESPONSE with MORE: status " + MeshHeader.status(in, offset)
                    + ", flags " + MeshHeader.flags(in, offset) + ", " + Integer.toUnsignedString(windowBytes)
                    + " bytes of window (expected: 0, JSON, and bytes for a message only)");
        }
    }

    @Override
    protected int lookAhead(ByteBuf in, int from, int end) {
        int count = 0;
        for (int at = from; count < ahead.length && end - at >= MeshHeader.LENGTH; ) {
            ahead[count++] = MeshHeader.requestId(in, at);
            int length = MeshHeader.bodyLength(in, at);
            if (length < 0 || length > end - at) {
                break;
            }
            at += MeshHeader.LENGTH + length;
        }
        if (count >= WORTH_LOOKING_AHEAD) {
            listener.expect(ahead, count);
        }
        return Math.max(1, count);
    }

    /** Discards the rest of an answer whose call has ended: its provider agent could hold the room for ever. */
    @Override
    protected boolean isWanted(ByteBuf in, int offset) {
        return MeshHeader.type(in, offset) != FrameType.RESPONSE || listener.awaits(this, in, offset);
    }

    /** Discards an answer for which there is no room: to stop the reading would stop all other answers, too. */
    @Override
    protected void awaitRoom(ByteBuf in, int offset) {
        if (MeshHeader.type(in, offset) == FrameType.RESPONSE) {
            listener.discarded(this, in, offset);
            discardFrame();
        }
    }

    @Override
    protected void goingAway(String reason) {
        endAnnounced = true;
        endpoint.goingAway(this, reason);
        ByteBuf unflushed = batch().takeUnflushed();
        if (unflushed != null) {
            try {
                sendElsewhere(unflushed);
            } finally {
                unflushed.release();
            }
        }
    }

    /**
     * The peer would only give back the requests of this turn, or is closing and would not read them. What cannot go
     * elsewhere is sent here.
     */
    private void sendElsewhere(ByteBuf unflushed) {
        for (int at = unflushed.readerIndex(), end; at < unflushed.writerIndex(); at = end) {
            end = at + MeshHeader.LENGTH + MeshHeader.bodyLength(unflushed, at);
            if (MeshHeader.type(unflushed, at) != FrameType.REQUEST
                    || !listener.sendElsewhere(this, unflushed, at, end)) {
                batch().buffer().writeBytes(unflushed, at, end - at);
            }
        }
    }

    @Override
    protected void closed(String reason) {
        ByteBuf unsent = takeUnsent();
        try {
            endpoint.lost(this, reason, endAnnounced);
            listener.linkLost(this, reason, unsent);
        } finally {
            if (unsent != null) {
                unsent.release();
            }
        }
    }
}
