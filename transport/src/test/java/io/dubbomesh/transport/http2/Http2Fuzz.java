package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.random.FuzzedInput;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.Http2Error;

import java.util.ArrayList;
import java.util.List;

/**
 * Feeds what a peer sends on an HTTP/2 connection behind its settings, with streams 1, 3, 5 and 7 open, of which 7 was
 * reset: the same is handed over and the connection ends for the same reason, however the bytes arrive. What is kept
 * follows what has come, and nothing is left behind. Once more with a request that waits for the windows of the peer,
 * where it depends on the turns what has been sent by the time of a frame.
 */
public final class Http2Fuzz {
    private static final int WAITING = 100_000;
    /** A buffer for a frame or block is made with some room. */
    private static final int LEAST_BUFFER = 1024;

    private Http2Fuzz() {}

    /** Called by Jazzer. */
    public static void fuzzerInitialize() {
        FuzzedInput.countAllBuffers();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> {
                FuzzedInput.requireSameInPieces(input, cuts -> of(allocator, input, cuts));
                feedWithWaitingRequest(allocator, input);
            });
        }
    }

    private static PlayedPeer begin(ByteBufAllocator allocator) {
        PlayedPeer peer = new PlayedPeer(allocator);
        peer.sends(PlayedPeer.SETTINGS);
        return peer;
    }

    private static List<String> of(ByteBufAllocator allocator, byte[] bytes, int... cuts) {
        List<String> happened = new ArrayList<>();
        try (PlayedPeer peer = begin(allocator)) {
            for (int i = 0; i < 4; i++) {
                peer.open("01");
            }
            peer.client.reset(7, Http2Error.CANCEL);
            peer.receivedBytes();
            int at = 0;
            for (int piece = 0; piece <= cuts.length; piece++) {
                int end = piece < cuts.length ? cuts[piece] : bytes.length;
                if (end > at && peer.channel.isOpen()) {
                    peer.sends(bytes, at, end - at);
                    requireBounded(peer.memory, end);
                }
                at = end;
            }
            happened.addAll(peer.happened());
            // What was not sent yet when it ended is dropped.
            List<String> sent = peer.received();
            happened.add(peer.channel.isOpen() ? peer.client.openStreams() + " open, " + sent : "closed");
        }
        return happened;
    }

    private static void requireBounded(MemoryBudget memory, int received) {
        // A frame of the greatest length counts whole from its header on.
        if (memory.used() > FrameHeader.LENGTH + FrameReader.MAX_PAYLOAD + 2 * LEAST_BUFFER + 4L * received) {
            throw new AssertionError(memory.used() + " bytes are kept of " + received);
        }
    }

    private static void feedWithWaitingRequest(ByteBufAllocator allocator, byte[] bytes) {
        try (PlayedPeer peer = begin(allocator)) {
            peer.open(new byte[WAITING]);
            peer.sends(bytes, 0, bytes.length);
            if (peer.channel.isOpen() && peer.client.openStreams() == 0 && peer.memory.used() > WAITING) {
                throw new AssertionError(peer.memory.used() + " bytes are kept of a request that has ended");
            }
            // Not through text: it may be long.
            peer.receivedBytes();
        }
    }
}
