package io.dubbomesh.client.watch;

import io.dubbomesh.transport.loop.PeerSilence;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.write.OutboundBatch;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Watches whether the provider of one connection is heard, and keeps the connection alive by heartbeats. Owned by the
 * event loop of the channel.
 * <pre>
 *   UNHEARD --expectFrame--> AWAITED --frame--> HEARD
 *   UNHEARD --frame--------> HEARD   --silence--> SILENT --frame--> HEARD
 *   UNHEARD --silence------> AWAITED
 * </pre>
 * The provider takes calls in UNHEARD, as far as this connection is concerned, and in HEARD.
 *
 * <p>A provider answers heartbeats on its event loop even if its threads are stuck. Two silences are watched:
 * <pre>
 *   silence of                 counts                            ends the
 *   ------------------------   -------------------------------   -----------------------------------------
 *   three heartbeat intervals  without a whole frame             connection
 *   dubbo.silence              without a byte, while calls wait  state: the provider gets nothing new
 *                              and the system takes none either
 * </pre>
 * A provider that takes no more heartbeats for now, and has answered those that it got, is not silent.
 */
public final class ProviderWatch {
    private static final int HEARTBEATS_MISSED = 3;
    /** Checks in the time after which a provider counts as silent. */
    private static final int CHECKS = 3;

    /** Whether the provider has been heard on this connection, and is. */
    public enum State {
        /** No frame has come, and none was asked for. */
        UNHEARD,
        /** No frame has come, and the provider takes no calls before one has. */
        AWAITED,
        HEARD,
        /** Frames have come, and then nothing for long, though calls and a heartbeat wait for answers. */
        SILENT
    }

    /** The connection that is watched. */
    public interface Watched {
        /** Returns whether a call on it is not answered yet. */
        boolean awaitsAnswers();

        /** Called when some time has passed in which the provider has sent something. */
        void checked();

        /** Writes a heartbeat if the provider takes one now. Returns the length of its frame; 0 for none. */
        int writeHeartbeat();

        /** Returns whether the provider can be expected to be heard: it takes a heartbeat, or has one to answer. */
        boolean canExpectSign();

        /** Called when the provider has sent nothing for long. */
        void onSilence();

        /** Called with the first frame after a silence, or since one was expected. */
        void onSign();

        /** Called when all calls are answered, and the connection was to be closed then. */
        void onIdle();

        boolean flush();

        void close(String reason);
    }

    private final Watched connection;
    private final long heartbeatMs;
    private final long checkMs;
    private final Channel channel;
    private final OutboundBatch batch;
    private final Future<?> heartbeat;
    private final Future<?> check;
    /** The silence by whole frames, checked in heartbeat intervals. */
    private final PeerSilence frameSilence;
    /** The silence by bytes, checked more often: a long frame may take many checks to come. */
    private final PeerSilence byteSilence;

    private State state = State.UNHEARD;
    /** Check intervals in which something was received. */
    private int checks;
    /** Bytes that no system call had taken at the last check. */
    private long unwrittenAtCheck;
    /** Whether the provider has answered a call. */
    private boolean answered;

    private boolean answeredSinceCheck;
    private boolean closesWhenIdle;

    /**
     * Begins to watch a connection that is open.
     *
     * @param heartbeatMs between heartbeats of an idle connection
     * @param silenceMs   without a frame, while calls wait, after which the provider counts as silent
     */
    public ProviderWatch(Watched connection, long heartbeatMs, long silenceMs, Channel channel, OutboundBatch batch) {
        this.connection = connection;
        this.heartbeatMs = heartbeatMs;
        this.checkMs = Math.max(1, silenceMs / CHECKS);
        this.channel = channel;
        this.batch = batch;
        frameSilence = new PeerSilence(TimeUnit.MILLISECONDS.toNanos(heartbeatMs), 1, nowNs());
        byteSilence = new PeerSilence(TimeUnit.MILLISECONDS.toNanos(checkMs), CHECKS, nowNs());
        heartbeat = PeriodicTask.start(channel.eventLoop(), "heartbeat of the provider", heartbeatMs, this::beat);
        check = PeriodicTask.start(channel.eventLoop(), "check of the provider", checkMs, this::check);
    }

    /** Returns the time between two checks. */
    public long checkIntervalMs() {
        return checkMs;
    }

    public State state() {
        return state;
    }

    /** Returns the number of check intervals in which the provider has sent something. */
    public int checks() {
        return checks;
    }

    /** Returns whether the provider gets no calls on this connection before a frame has come. */
    public boolean isSilent() {
        return state == State.AWAITED || state == State.SILENT;
    }

    /** Returns whether a frame has come. */
    public boolean hasReceived() {
        return state == State.HEARD || state == State.SILENT;
    }

    /** Returns whether the provider has answered a call. */
    public boolean hasAnswered() {
        return answered;
    }

    /** Sets whether the connection is closed as soon as all calls are answered; it gets no new ones meanwhile. */
    public void closeWhenIdle(boolean closes) {
        closesWhenIdle = closes;
    }

    /** Called between reads, never in the middle of one. */
    public void closeIfIdle() {
        if (!closesWhenIdle || connection.awaitsAnswers()) {
            return;
        }
        // One-way calls may not be written yet.
        if (connection.flush()) {
            closesWhenIdle = false;
            connection.onIdle();
            connection.close("has answered its last call");
        }
    }

    /** Called when the connection has ended. */
    public void end() {
        heartbeat.cancel(false);
        check.cancel(false);
    }

    /** Asks for a frame, before which the provider gets no calls. */
    public void expectFrame() {
        assert state == State.UNHEARD || state == State.AWAITED;
        state = State.AWAITED;
        connection.writeHeartbeat();
    }

    /** Called when bytes were read. */
    public void onBytes() {
        byteSilence.onReceived();
    }

    /** Called with each whole frame. */
    public void onFrame() {
        frameSilence.onReceived();
        if (state != State.HEARD) {
            boolean wasSilent = isSilent();
            state = State.HEARD;
            if (wasSilent) {
                connection.onSign();
            }
        }
    }

    /**
     * Called with each answer.
     *
     * @param awaited whether a call waited for it
     */
    public void onAnswer(boolean awaited) {
        answeredSinceCheck = true;
        answered |= awaited;
    }

    private void beat() {
        frameSilence.check(!isReading() || !connection.canExpectSign(), batch.handedOverBytes(), nowNs());
        if (frameSilence.silentNs() >= HEARTBEATS_MISSED * TimeUnit.MILLISECONDS.toNanos(heartbeatMs)) {
            connection.close("no frame for " + HEARTBEATS_MISSED * heartbeatMs + " ms");
        } else if (frameSilence.isHeartbeatDue()) {
            frameSilence.onHeartbeatWritten(connection.writeHeartbeat());
        }
    }

    /**
     * Called three times in the time after which a provider counts as silent. While it is being sent a long request,
     * the heartbeat stands behind that: then it is enough that the system takes bytes. It takes none for a frozen
     * provider once the socket buffers are full.
     */
    private void check() {
        closeIfIdle();
        if (byteSilence.hasReceived()) {
            checks++;
            connection.checked();
        }
        boolean awaits = !answeredSinceCheck && connection.awaitsAnswers();
        answeredSinceCheck = false;
        long unwritten = unwritten();
        boolean takesBytes = unwritten < unwrittenAtCheck;
        unwrittenAtCheck = unwritten;
        boolean isExcused = !awaits || takesBytes || !isReading() || !connection.canExpectSign();
        byteSilence.check(isExcused, batch.handedOverBytes(), nowNs());
        if (isSilent()) {
            return;
        }
        // The first of these checks may come at once after the call.
        if (byteSilence.silentNs() >= (CHECKS + 1) * TimeUnit.MILLISECONDS.toNanos(checkMs)) {
            state = state == State.UNHEARD ? State.AWAITED : State.SILENT;
            connection.onSilence();
        } else if (awaits) {
            connection.writeHeartbeat();
        }
    }

    /** Returns the bytes that no system call has taken. */
    public long unwritten() {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        // The progress is that of the first buffer, which counts as a whole until all of it is written.
        return outbound == null ? 0 : outbound.totalPendingWriteBytes() - outbound.currentProgress();
    }

    /** Returns whether what the provider sends is read; nothing is received from it otherwise. */
    private boolean isReading() {
        return channel.config().isAutoRead();
    }

    private long nowNs() {
        return channel.eventLoop().ticker().nanoTime();
    }
}
