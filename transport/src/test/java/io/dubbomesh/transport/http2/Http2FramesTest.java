package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.dubbomesh.transport.http2.PlayedPeer.HEAD;
import static io.dubbomesh.transport.http2.PlayedPeer.PREFACE;
import static io.dubbomesh.transport.http2.PlayedPeer.PREFACE_WINDOW;
import static io.dubbomesh.transport.http2.PlayedPeer.SETTINGS;
import static io.dubbomesh.transport.http2.PlayedPeer.SETTINGS_ACK;
import static io.dubbomesh.transport.http2.PlayedPeer.TRAILERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The bytes of each frame, in both directions. */
class Http2FramesTest {
    private static void assertSent(PlayedPeer peer, String hex) {
        assertThat(Hex.of(peer.receivedBytes())).isEqualTo(Hex.of(Hex.bytes(hex)));
    }

    @Test
    void aConnectionBeginsWithThePrefaceSettingsAndItsWindow() {
        try (PlayedPeer peer = new PlayedPeer()) {
            assertThat(peer.happened()).containsExactly("active");
            assertSent(peer, PREFACE + PREFACE_WINDOW);
        }
    }

    @Test
    void theFirstRequestFollowsInTheSameTurnAndItsBlockEmptiesThePeersTable() {
        try (PlayedPeer peer = new PlayedPeer()) {
            assertThat(peer.open("'hello'")).isEqualTo(1);

            assertSent(
                    peer, PREFACE + PREFACE_WINDOW + "000002 01 04 00000001 20 83" + "000005 00 01 00000001 'hello'");
        }
    }

    @Test
    void furtherRequestsHaveOddIdsAndTheirBlocksAsTheyAre() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.receivedBytes();

            assertThat(peer.open("02")).isEqualTo(3);
            assertThat(peer.open("03")).isEqualTo(5);

            assertSent(
                    peer,
                    "000001 01 04 00000003 83 000001 00 01 00000003 02"
                            + "000001 01 04 00000005 83 000001 00 01 00000005 03");
        }
    }

    @Test
    void aRequestWithoutContentEndsWithItsHeaderFields() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("");

            assertSent(peer, "000002 01 05 00000001 20 83");
        }
    }

    @Test
    void aLongBlockIsCutAtThePeersFrameSize() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            ByteBuf in = peer.channel.alloc().directBuffer().writeZero(40_000).setByte(32_766, 7);
            peer.client.open(in, 0, 40_000, 0, 0);
            in.release();

            byte[] sent = peer.receivedBytes();
            assertThat(Hex.of(sent)).startsWith("0040000101000000012000").hasSize(2 * (40_001 + 3 * 9));
            assertThat(Hex.of(sent).substring(2 * (9 + 16_384), 2 * (18 + 16_384)))
                    .isEqualTo("004000090000000001");
            assertThat(Hex.of(sent).substring(2 * (18 + 32_768), 2 * (27 + 32_768)))
                    .isEqualTo("001c41090400000001");
            assertThat(sent[27 + 32_767 - 9]).isEqualTo((byte) 7);
        }
    }

    @Test
    void longContentIsCutAtThePeersFrameSize() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open(new byte[40_000]);

            assertThat(peer.received())
                    .containsExactly(
                            "HEADERS 1 flags 4 2083",
                            "DATA 1 16384 bytes",
                            "DATA 1 16384 bytes",
                            "DATA 1 flags 1 7232 bytes");
        }
    }

    @Test
    void largerFramesAreUsedIfThePeerTakesThem() {
        try (PlayedPeer peer = new PlayedPeer()) {
            peer.sends("000006 04 00 00000000  0005 00008000");
            peer.received();
            peer.open(new byte[40_000]);

            assertThat(peer.received())
                    .containsExactly("HEADERS 1 flags 4 2083", "DATA 1 32768 bytes", "DATA 1 flags 1 7232 bytes");
        }
    }

    @Test
    void anAnswerIsHeaderFieldsContentAndTrailers() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends(HEAD, "000005 00 00 00000001 'hello'", TRAILERS);

            assertThat(peer.happened())
                    .containsExactly("headers 1 :status=200", "data 1 68656c6c6f", "headers 1 grpc-status=0 end");
            assertThat(peer.client.openStreams()).isZero();
        }
    }

    @Test
    void anAnswerMayHaveTrailersOnly() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends("000010 01 05 00000001 88 00 0b 'grpc-status' 01 '5'");

            assertThat(peer.happened()).containsExactly("headers 1 :status=200 grpc-status=5 end");
        }
    }

    @Test
    void anAnswerMayEndWithItsContentWhichMayBeEmpty() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.sends(HEAD, "000001 00 01 00000001 07");
            peer.sends("000001 01 04 00000003 88", "000000 00 01 00000003");

            assertThat(peer.happened())
                    .containsExactly("headers 1 :status=200", "data 1 07 end", "headers 3 :status=200", "data 3 end");
        }
    }

    @Test
    void paddingAndPrioritiesAreSkipped() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            // Padding of 2 bytes; priority: exclusive, of stream 5, weight 16.
            peer.sends("000009 01 2c 00000001  02 80000005 0f 88 0000");
            peer.sends("000004 00 08 00000001  02 07 0000");
            peer.sends("000003 00 09 00000001  02 0000");

            assertThat(peer.happened()).containsExactly("headers 1 :status=200", "data 1 07", "data 1 end");
        }
    }

    @Test
    void aBlockMayComeInContinuationsAndItsEndOfStreamStandsInTheFirst() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends("000001 01 01 00000001 88", "000002 09 00 00000001 00 01", "000003 09 04 00000001 'a' 01 'b'");

            assertThat(peer.happened()).containsExactly("headers 1 :status=200 a=b end");
            assertThat(peer.memory.used()).isZero();
        }
    }

    @Test
    void fieldsComeFromTheTableThatEarlierAnswersFilledAlsoThoseOfStreamsThatHaveEnded() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            int first = peer.open("01");
            peer.open("02");
            peer.client.reset(first, Http2Error.CANCEL);
            // With incremental indexing, a field of 3 letters.
            peer.sends("000007 01 05 00000001 88 40 01 'a' 02 'bc'");
            peer.sends("000002 01 05 00000003 88 be");

            assertThat(peer.happened()).containsExactly("headers 3 :status=200 a=bc end");
        }
    }

    @Test
    void theSameIsHandedOverWhereverTheBytesAreCut() {
        byte[] all = Hex.bytes(SETTINGS
                + "000001 01 00 00000001 88 000006 09 04 00000001 40 01 'a' 02 'bc'"
                + "000007 00 08 00000001 01 'hello' 00"
                + "000008 06 00 00000000 0102030405060708"
                + "000002 01 04 00000003 88 be"
                + "000004 08 00 00000000 00000001"
                + TRAILERS
                + "00000b 07 00 00000000 00000003 00000000 'bye'"
                + "000000 00 01 00000003");
        List<String> whole = null;
        for (int first = 0; first <= all.length; first++) {
            for (int second = first; second <= Math.min(first + 12, all.length); second++) {
                try (PlayedPeer peer = new PlayedPeer()) {
                    peer.open("01");
                    peer.open("02");
                    peer.open("03");
                    int[] ends = {first, second, all.length};
                    int at = 0;
                    for (int end : ends) {
                        if (end > at) {
                            peer.sends(all, at, end - at);
                        }
                        at = end;
                    }
                    peer.receivedBytes();
                    List<String> happened = peer.happened();
                    whole = whole == null ? happened : whole;
                    assertThat(happened).isEqualTo(whole);
                }
            }
        }
        assertThat(whole)
                .containsExactly(
                        "active",
                        "settings",
                        "headers 1 :status=200 a=bc",
                        "data 1 68656c6c6f",
                        "headers 3 :status=200 a=bc",
                        "headers 1 grpc-status=0 end",
                        "goaway 3 0 bye",
                        "reset 5 7",
                        "data 3 end");
    }

    @Test
    void informationalAnswersAreNotHandedOver() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends("000005 01 04 00000001 08 03 '103'", HEAD);

            assertThat(peer.happened()).containsExactly("headers 1 :status=200");
        }
    }

    @Test
    void theFirstSettingsAreAcknowledgedAndSayHowManyStreamsMayBeOpen() {
        try (PlayedPeer peer = new PlayedPeer()) {
            assertThat(peer.client.maxStreams()).isEqualTo(8);
            peer.received();
            peer.events.clear();
            peer.sends("000006 04 00 00000000  0003 00000001");

            assertThat(peer.happened()).containsExactly("settings");
            assertSent(peer, SETTINGS_ACK);
            assertThat(peer.client.maxStreams()).isEqualTo(1);
            peer.open("01");
            assertThat(peer.client.canOpen()).isFalse();
            assertThatThrownBy(() -> peer.open("02"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no stream can be opened: OPEN, 1 of 1 are open");

            peer.sends("000006 04 00 00000000  0003 00000000");
            assertThat(peer.client.maxStreams()).isZero();
            peer.sends(SETTINGS);
            assertThat(peer.happened()).containsExactly("settings");
            peer.sends("000006 04 00 00000000  0003 ffffffff");
            assertThat(peer.client.maxStreams()).isEqualTo(8);
            assertThat(peer.happened()).containsExactly("settings");
            assertThat(peer.client.isEnding()).isFalse();
        }
    }

    @Test
    void unknownSettingsFramesAndFlagsAreIgnored() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends("00000c 04 00 00000000  00ff 12345678  0001 00000000");
            peer.sends("000003 fa ff 00000001 010203", "000005 02 00 00000009 00000000 10", SETTINGS_ACK);
            assertSent(peer, SETTINGS_ACK);
            peer.open("01");
            peer.sends("000001 01 d4 80000001 88");

            assertThat(peer.happened()).containsExactly("headers 1 :status=200");
        }
    }

    @Test
    void pingsAreAnswered() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends("000008 06 00 00000000 0102030405060708");
            assertSent(peer, "000008 06 01 00000000 0102030405060708");
            peer.sends("000008 06 01 00000000 0102030405060708");

            assertThat(peer.received()).isEmpty();
            assertThat(peer.happened()).isEmpty();
        }
    }

    @Test
    void aProbeIsAwaitedUntilAllSettingsAreAcknowledged() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            assertThat(peer.client.awaitsAcknowledgement()).as("of the preface").isTrue();
            peer.sends(PlayedPeer.SETTINGS_ACK);
            assertThat(peer.client.awaitsAcknowledgement()).isFalse();

            assertThat(peer.client.probe()).isEqualTo(9);
            assertSent(peer, PlayedPeer.SETTINGS);
            assertThat(peer.client.probe()).isEqualTo(9);
            peer.sends(PlayedPeer.SETTINGS_ACK);
            assertThat(peer.client.awaitsAcknowledgement()).isTrue();
            peer.sends(PlayedPeer.SETTINGS_ACK, PlayedPeer.SETTINGS_ACK);
            assertThat(peer.client.awaitsAcknowledgement()).isFalse();

            peer.client.probe();
            assertThat(peer.client.awaitsAcknowledgement())
                    .as("none was acknowledged in advance")
                    .isTrue();
            assertThat(peer.happened()).isEmpty();
        }
    }

    @Test
    void aPeerThatDoesNotReadGetsNoAnswerToItsPings() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.setWritable(false);
            peer.sends("000008 06 00 00000000 0102030405060708");
            peer.setWritable(true);

            assertThat(peer.received()).isEmpty();
        }
    }

    @Test
    void aStreamIsResetByEitherSide() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.received();
            peer.client.reset(1, Http2Error.CANCEL);
            peer.client.reset(1, Http2Error.CANCEL);
            assertSent(peer, "000004 03 00 00000001 00000008");
            peer.sends("000004 03 00 00000003 00000007", "000004 03 00 00000003 00000007");

            assertThat(peer.happened()).containsExactly("reset 3 7");
            assertThat(peer.client.openStreams()).isZero();
        }
    }

    @Test
    void aRefusalBehindTheBeginningOfAnAnswerIsNotBelieved() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.sends(HEAD, "000004 03 00 00000001 00000007");
            peer.sends("000001 01 04 00000003 88", "000008 07 00 00000000 00000001 00000000");

            assertThat(peer.happened())
                    .containsExactly(
                            "headers 1 :status=200", "reset 1 2", "headers 3 :status=200", "goaway 1 0", "reset 3 2");
        }
    }

    @Test
    void streamsAboveTheLastOfAGoAwayAreRefusedAndOthersGoOn() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.open("03");
            peer.sends("00000b 07 00 00000000 7fffffff 00000000 'bye'");
            assertThat(peer.happened()).containsExactly("goaway 2147483647 0 bye");
            assertThat(peer.client.isEnding()).isTrue();
            assertThat(peer.client.canOpen()).isFalse();

            peer.sends("000009 07 00 00000000 00000001 0000000b 0a");
            assertThat(peer.happened()).containsExactly("goaway 1 11 ?", "reset 3 7", "reset 5 7");
            peer.sends("000008 07 00 00000000 00000005 00000000");
            peer.sends(HEAD, TRAILERS);
            assertThat(peer.happened()).containsExactly("headers 1 :status=200", "headers 1 grpc-status=0 end");

            peer.channel.close();
            assertThat(peer.happened()).containsExactly("lost: closed by the peer: ENHANCE_YOUR_CALM, ?");
        }
    }

    @Test
    void theIdsEndAt2147483647() {
        try (PlayedPeer peer = new PlayedPeer(PlayedPeer.LIMITS, Integer.MAX_VALUE - 2)) {
            peer.sends(SETTINGS);
            peer.received();
            assertThat(peer.open("01")).isEqualTo(Integer.MAX_VALUE - 2);
            assertThat(peer.client.isEnding()).isFalse();
            assertThat(peer.open("02")).isEqualTo(Integer.MAX_VALUE);
            assertThat(peer.client.isEnding()).isTrue();
            assertThat(peer.client.canOpen()).isFalse();
            assertThat(peer.received()).contains("DATA 2147483647 flags 1 02");
            peer.events.clear();

            peer.sends("000001 01 05 7fffffff 88", "000001 01 05 7ffffffd 88");
            assertThat(peer.happened())
                    .containsExactly("headers 2147483647 :status=200 end", "headers 2147483645 :status=200 end");
            // There is no idle stream any more but those with even ids.
            peer.sends("000004 03 00 7fffffff 00000008");
            assertThat(peer.happened()).isEmpty();
            peer.sends("000004 03 00 7ffffffe 00000008");
            assertThat(peer.happened())
                    .containsExactly("lost: malformed frame: RST_STREAM on stream 2147483646, which was never opened");
        }
    }

    @Test
    void closingSendsAGoAwayAndTheEndIsHandedOverOnce() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.received();
            peer.client.close("enough");
            peer.client.close("enough again");

            assertSent(peer, "00000e 07 00 00000000 00000000 00000000 'enough'");
            assertThat(peer.happened()).containsExactly("lost: enough");
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(peer.client.isEnding()).isTrue();
            assertThat(peer.client.canOpen()).isFalse();
            peer.client.reset(1, Http2Error.CANCEL);
            peer.client.consumed(1, 1);
            assertThat(peer.client.probe()).isZero();
        }
    }

    @Test
    void whatWasNotSentYetIsNotSentByClosing() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.client.close("enough");

            assertThat(peer.received()).isEqualTo(List.of("GOAWAY 0 0000000000000000656e6f756768"));
        }
    }

    @Test
    void theListenerMayCloseWithinAnyEvent() {
        String all = SETTINGS + HEAD + "000001 00 00 00000001 07" + TRAILERS + "000004 03 00 00000003 00000008"
                + "000008 07 00 00000000 00000003 00000000" + "000003 00 01 00000007 010203";
        for (int closing = 1; closing <= 8; closing++) {
            int[] left = {closing};
            try (PlayedPeer peer = new PlayedPeer()) {
                peer.open("01");
                peer.open("02");
                peer.open("03");
                peer.open("04");
                peer.onEvent = () -> {
                    if (--left[0] == 0) {
                        peer.client.close("enough");
                    }
                };
                peer.events.clear();
                peer.sends(all);

                assertThat(peer.events).hasSize(closing + 1);
                assertThat(peer.events.get(peer.events.size() - 1)).startsWith("lost: ");
            }
        }
    }
}
