package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.transport.http2.PlayedPeer.HEAD;
import static org.assertj.core.api.Assertions.assertThat;

/** Flow control in both directions. */
class WindowsTest {
    private static final String NO_WINDOW = "000006 04 00 00000000 0004 00000000";

    private static String window(int streamId, int increment) {
        return "000004 08 00 " + Hex.u32(streamId) + Hex.u32(increment);
    }

    private static String data(int streamId, int length) {
        return "00" + Hex.u16(length) + "00 00" + Hex.u32(streamId) + "07".repeat(length);
    }

    @Test
    void whatIsBeyondTheWindowsOfThePeerWaitsAndIsCounted() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open(new byte[65_540]);
            peer.open(new byte[7]);

            assertThat(peer.received())
                    .containsExactly(
                            "HEADERS 1 flags 4 2083",
                            "DATA 1 16384 bytes",
                            "DATA 1 16384 bytes",
                            "DATA 1 16384 bytes",
                            "DATA 1 16383 bytes",
                            "HEADERS 3 flags 4 83");
            assertThat(peer.memory.used(Use.UNREAD_REQUESTS)).isEqualTo(5 + 7);

            peer.sends(window(0, 3));
            assertThat(peer.received()).containsExactly("DATA 3 000000");
            peer.sends(window(0, 100));
            assertThat(peer.received()).containsExactly("DATA 3 flags 1 00000000");
            assertThat(peer.memory.used(Use.UNREAD_REQUESTS)).isEqualTo(5);
            peer.sends(window(1, 5));
            assertThat(peer.received()).containsExactly("DATA 1 flags 1 0000000000");
            assertThat(peer.memory.used()).isZero();
        }
    }

    @Test
    void aWindowOfOneByteIsUsedByteByByte() {
        try (PlayedPeer peer = new PlayedPeer()) {
            peer.sends("000006 04 00 00000000 0004 00000001");
            peer.received();
            peer.open("'abc'");
            assertThat(peer.received()).containsExactly("HEADERS 1 flags 4 2083", "DATA 1 61");
            peer.sends(window(1, 1));
            assertThat(peer.received()).containsExactly("DATA 1 62");
            peer.sends(window(1, 1));
            assertThat(peer.received()).containsExactly("DATA 1 flags 1 63");
        }
    }

    @Test
    void aChangeOfTheInitialWindowAppliesToOpenStreamsAndMayMakeTheirsNegative() {
        try (PlayedPeer peer = new PlayedPeer()) {
            peer.sends("000006 04 00 00000000 0004 00000004");
            peer.received();
            peer.open("'abcdefgh'");
            peer.sends("000006 04 00 00000000 0004 00000002");
            peer.sends(window(1, 2));
            assertThat(peer.received())
                    .containsExactly("HEADERS 1 flags 4 2083", "DATA 1 61626364", "SETTINGS 0 flags 1");
            peer.sends(window(1, 1));
            assertThat(peer.received()).containsExactly("DATA 1 65");
            peer.sends("000006 04 00 00000000 0004 00000003");
            assertThat(peer.received()).containsExactly("SETTINGS 0 flags 1", "DATA 1 66");
            peer.sends("00000c 04 00 00000000 0004 00000000 0004 0000ffff");
            assertThat(peer.received()).containsExactly("SETTINGS 0 flags 1", "DATA 1 flags 1 6768");
        }
    }

    @Test
    void aChangeOfTheInitialWindowDoesNotOverflowThatOfAStreamThatWaits() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends(NO_WINDOW);
            peer.open("01");
            peer.sends("000004 08 00 00000000 00000001");
            peer.happened();
            // One connection cannot have a larger window than the largest, the stream none above it.
            peer.client.reset(1, Http2Error.CANCEL);
            peer.open(new byte[70_000]);
            peer.sends("000006 04 00 00000000 0004 0000ffff");
            peer.sends(window(3, 0x7fff_0000));
            peer.sends("000006 04 00 00000000 0004 7fffffff");

            assertThat(peer.events)
                    .contains("lost: malformed frame: a window of 4294836223 bytes (expected: at most 2147483647)");
        }
    }

    @Test
    void longRequestsTakeTurns() {
        try (PlayedPeer peer = new PlayedPeer()) {
            peer.sends("00000c 04 00 00000000 0004 01000000 0005 00010000");
            peer.open(new byte[65_535]);
            peer.open(new byte[200_000]);
            peer.open(new byte[200_000]);
            peer.received();
            peer.sends(window(0, 400_000));

            assertThat(peer.received())
                    .containsExactly(
                            "DATA 3 65536 bytes",
                            "DATA 5 65536 bytes",
                            "DATA 3 65536 bytes",
                            "DATA 5 65536 bytes",
                            "DATA 3 65536 bytes",
                            "DATA 5 65536 bytes",
                            "DATA 3 flags 1 3392 bytes",
                            "DATA 5 flags 1 3392 bytes");
        }
    }

    @Test
    void aConnectionWithMuchThatWaitsIsNotWritableUntilItHasLeft() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends(NO_WINDOW);
            peer.open(new byte[60_000]);
            assertThat(peer.client.isWritable()).isTrue();
            peer.open(new byte[60_000]);
            assertThat(peer.client.isWritable()).isFalse();
            assertThat(peer.client.canOpen()).isTrue();
            peer.happened();
            peer.received();
            peer.sends(window(1, 60_000));

            assertThat(peer.happened()).containsExactly("writable");
            peer.open(new byte[60_000]);
            assertThat(peer.client.isWritable()).isFalse();
            peer.client.reset(5, Http2Error.CANCEL);
            peer.received();
            assertThat(peer.happened()).containsExactly("writable");
        }
    }

    @Test
    void whatWaitsIsDroppedWithItsStreamHoweverThatEnds() {
        for (String end : List.of(
                "000004 03 00 00000001 00000008",
                "000001 01 05 00000001 88",
                "000008 07 00 00000000 00000000 00000000",
                "000001 00 00 00000001 00",
                "000008 06 00 00000001 0102030405060708")) {
            try (PlayedPeer peer = PlayedPeer.opened()) {
                peer.sends(NO_WINDOW);
                peer.open(new byte[1000]);
                assertThat(peer.memory.used()).isEqualTo(1000);
                peer.sends(end);

                assertThat(peer.memory.used()).isZero();
                assertThat(peer.client.openStreams()).isLessThanOrEqualTo(1);
                if (peer.channel.isOpen()) {
                    peer.received();
                    peer.sends(window(0, 100));
                    assertThat(peer.received()).isEmpty();
                }
            }
        }
    }

    @Test
    void anAnswerThatEndsBeforeItsRequestHasTheRestResetAtThePeer() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends(NO_WINDOW);
            peer.open(new byte[1000]);
            peer.received();
            peer.happened();
            peer.sends("000001 01 05 00000001 88");

            assertThat(peer.happened()).containsExactly("headers 1 :status=200 end");
            assertThat(peer.received()).containsExactly("RST_STREAM 1 00000008");
        }
    }

    @Test
    void nothingThatWaitsIsSentWhileTheChannelTakesNoMore() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.sends(NO_WINDOW);
            peer.open("'abc'");
            peer.received();
            peer.setWritable(false);
            peer.sends(window(1, 3));
            assertThat(peer.received()).isEmpty();
            peer.setWritable(true);

            assertThat(peer.received()).containsExactly("DATA 1 flags 1 616263");
        }
    }

    @Test
    void consumedContentIsGivenBackAtHalfOfEachWindow() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.consumes = false;
            peer.open("01");
            peer.sends(HEAD);
            for (int i = 0; i < 8; i++) {
                peer.sends(data(1, 16_384));
            }
            peer.received();
            peer.client.consumed(1, 65_535);
            assertThat(peer.received()).isEmpty();
            peer.client.consumed(1, 1);
            assertThat(peer.received()).containsExactly("WINDOW_UPDATE 1 00010000");
            peer.client.consumed(1, 65_536);
            assertThat(peer.received()).containsExactly("WINDOW_UPDATE 1 00010000", "WINDOW_UPDATE 0 00020000");
        }
    }

    /** The window of the connection is 262,144 bytes. */
    @Test
    void contentThatCountsAloneIsGivenBackToTheConnectionAtOnceAndToItsStreamWhenItIsConsumed() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.consumes = false;
            peer.open("01");
            peer.client.countAlone(1);
            peer.sends(HEAD);
            peer.received();
            for (int i = 0; i < 8; i++) {
                peer.sends(data(1, 16_384));
            }
            assertThat(peer.received()).containsExactly("WINDOW_UPDATE 0 00020000");
            peer.client.consumed(1, 131_072);
            assertThat(peer.received()).containsExactly("WINDOW_UPDATE 1 00020000");
            for (int i = 0; i < 8; i++) {
                peer.sends(data(1, 16_384));
            }
            assertThat(peer.received()).containsExactly("WINDOW_UPDATE 0 00020000");
            // Nothing is given back twice: another stream begins with half of the window.
            peer.client.reset(1, Http2Error.CANCEL);
            assertThat(peer.received()).containsExactly("RST_STREAM 1 00000008");
        }
    }

    @Test
    void contentOfResetStreamsAndPaddingIsGivenBackAtOnce() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.consumes = false;
            peer.open("01");
            peer.open("02");
            peer.sends(HEAD, "000001 01 04 00000003 88");
            peer.received();
            for (int i = 0; i < 4; i++) {
                peer.sends(data(1, 16_000));
            }
            peer.client.reset(1, Http2Error.CANCEL);
            for (int i = 0; i < 4; i++) {
                peer.sends(data(1, 16_000));
            }
            assertThat(peer.received()).containsExactly("RST_STREAM 1 00000008");
            // 128,000 are given back, 3,072 more are half of the window.
            for (int i = 0; i < 12; i++) {
                peer.sends("000101 00 08 00000003 ff 01", "00".repeat(255));
            }

            assertThat(peer.received()).containsExactly("WINDOW_UPDATE 0 000200" + Hex.u8(0));
        }
    }

    @Test
    void whatIsNotConsumedIsGivenBackWithTheEndOfTheStream() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.consumes = false;
            for (int round = 0; round < 100; round++) {
                int id = peer.open("01");
                peer.sends("000001 01 04", Hex.u32(id), "88", data(id, 16_000));
                switch (round % 4) {
                    case 0 -> peer.sends("000001 01 05", Hex.u32(id), "88");
                    case 1 -> peer.sends("000001 00 01", Hex.u32(id), "00");
                    case 2 -> peer.sends("000004 03 00", Hex.u32(id), "00000008");
                    default -> peer.client.reset(id, Http2Error.CANCEL);
                }
                peer.client.consumed(id, 16_000);
            }

            assertThat(peer.channel.isOpen()).isTrue();
            assertThat(peer.client.openStreams()).isZero();
        }
    }

    @Test
    void contentBeyondTheWindowOfAStreamEndsTheConnection() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.consumes = false;
            peer.open("01");
            peer.sends(HEAD);
            for (int i = 0; i < 8; i++) {
                peer.sends(data(1, 16_384));
            }
            assertThat(peer.channel.isOpen()).isTrue();
            peer.happened();
            peer.sends(data(1, 1));

            assertThat(peer.happened()).containsExactly("lost: malformed frame: DATA of 1 bytes (expected: at most 0)");
        }
    }

    @Test
    void contentBeyondTheWindowOfTheConnectionEndsIt() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.consumes = false;
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int id = peer.open("01");
                answers.add(
                        "000001 01 04" + Hex.u32(id) + "88" + data(id, 16_384).repeat(i < 2 ? 8 : 0));
            }
            answers.forEach(peer::sends);
            assertThat(peer.channel.isOpen()).isTrue();
            peer.happened();
            peer.sends(data(5, 1));

            assertThat(peer.happened()).containsExactly("lost: malformed frame: DATA of 1 bytes (expected: at most 0)");
        }
    }
}
