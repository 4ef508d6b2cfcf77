package io.dubbomesh.transport.http2;

import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that go on behind the beginning of their streams. */
class RequestStreamTest {
    private static final String NO_WINDOW = "000006 04 00 00000000 0004 00000000";

    @Test
    void contentIsSentAsItComesAndTheEndBehindIt() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            int stream = peer.begin();
            assertThat(peer.received()).containsExactly("HEADERS 1 flags 4 2083");

            peer.send(stream, 2);
            peer.send(stream, 1);
            assertThat(peer.received()).containsExactly("DATA 1 0000", "DATA 1 00");

            peer.client.finish(stream);
            assertThat(peer.received()).containsExactly("DATA 1 flags 1");
            peer.sends(PlayedPeer.HEAD, PlayedPeer.TRAILERS);
            assertThat(peer.received()).isEmpty();
            assertThat(peer.client.openStreams()).isZero();
        }
    }

    @Test
    void contentWaitsForTheWindowInItsOrder() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends(NO_WINDOW);
            int stream = peer.begin();
            peer.received();

            peer.send(stream, 3);
            peer.send(stream, 4);
            assertThat(peer.received()).isEmpty();
            assertThat(peer.memory.used()).isEqualTo(7);

            peer.sends("000004 08 00 00000001 00000005");
            assertThat(peer.received()).containsExactly("DATA 1 0000000000");
            peer.client.finish(stream);
            assertThat(peer.received()).isEmpty();
            peer.sends("000004 08 00 00000001 00000005");
            assertThat(peer.received()).containsExactly("DATA 1 flags 1 0000");
            assertThat(peer.memory.used()).isZero();
        }
    }

    @Test
    void contentThatHasWaitedDoesNotEndTheRequest() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends(NO_WINDOW);
            int stream = peer.begin();
            peer.send(stream, 3);
            peer.received();

            peer.sends("000004 08 00 00000001 00000005");
            assertThat(peer.received()).containsExactly("DATA 1 000000");
            peer.client.finish(stream);
            assertThat(peer.received()).containsExactly("DATA 1 flags 1");
        }
    }

    @Test
    void nothingIsSentBehindTheEndOfTheStreamOrOfItsRequest() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            int finished = peer.begin();
            peer.client.finish(finished);
            int reset = peer.begin();
            peer.client.reset(reset, Http2Error.CANCEL);
            peer.received();

            peer.send(finished, 1);
            peer.send(reset, 1);
            peer.send(99, 1);
            peer.client.finish(finished);
            peer.client.finish(reset);
            peer.send(peer.open("01"), 1);
            assertThat(peer.received()).containsExactly("HEADERS 5 flags 4 83", "DATA 5 flags 1 01");
        }
    }

    @Test
    void aStreamThatGoesOnIsResetAtOnceHoweverManyAre() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            for (int i = 0; i < 2 * ResetBudget.MAX; i++) {
                peer.client.reset(peer.begin(), Http2Error.CANCEL);
            }
            assertThat(peer.client.abandonedStreams()).isZero();
            assertThat(peer.received()).hasSize(4 * ResetBudget.MAX);
        }
    }

    @Test
    void aStreamThatGoesOnIsNeverUnsent() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.blockFlushes(true);
            int stream = peer.begin();
            peer.send(stream, 1);
            assertThat(peer.client.isUnsent(stream)).isFalse();
            peer.blockFlushes(false);
        }
    }

    @Test
    void aLostConnectionTakesNoMoreOfARequest() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends(NO_WINDOW);
            int stream = peer.begin();
            peer.send(stream, 5);
            peer.client.close("enough");
            peer.send(stream, 5);
            peer.client.finish(stream);
            assertThat(peer.memory.used()).isZero();
        }
    }
}
