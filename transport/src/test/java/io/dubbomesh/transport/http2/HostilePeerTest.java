package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.Hex;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.concurrent.TimeUnit;

import static io.dubbomesh.transport.http2.PlayedPeer.HEAD;
import static io.dubbomesh.transport.http2.PlayedPeer.SETTINGS;
import static io.dubbomesh.transport.http2.PlayedPeer.TRAILERS;
import static org.assertj.core.api.Assertions.assertThat;

/** What a peer could send to have this side use memory or time, or go astray. */
class HostilePeerTest {
    private static final String PING = "000008 06 00 00000000 0102030405060708";

    /** Streams 1 and 3 are open, of which 1 has begun to be answered; stream 5 has ended. */
    @ParameterizedTest(name = "{2}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            # frames that are too long, too short or uneven
            004001 00 00 00000001             | 6 | DATA of 16385 bytes (expected: at most 16384)
            ffffff ff 00 00000001             | 6 | a frame of type 255 of 16777215 bytes (expected: at most 16384)
            000004 02 00 00000001 00000000    | 6 | PRIORITY of 4 bytes
            000003 03 00 00000001 000000      | 6 | RST_STREAM of 3 bytes
            000005 03 00 00000001 0000000000  | 6 | RST_STREAM of 5 bytes
            000005 04 00 00000000 0003000000  | 6 | SETTINGS of 5 bytes
            000006 04 01 00000000 000300000000 | 6 | SETTINGS of 6 bytes
            000007 06 00 00000000 01020304050607 | 6 | PING of 7 bytes
            000007 07 00 00000000 01020304050607 | 6 | GOAWAY of 7 bytes
            000003 08 00 00000000 000001      | 6 | WINDOW_UPDATE of 3 bytes
            # padding and priorities beyond the frame
            000000 00 08 00000001             | 6 | a padded frame of 0 bytes
            000001 00 08 00000001 01          | 1 | padding of 1 bytes in a frame of 1
            000003 00 08 00000001 030000      | 1 | padding of 3 bytes in a frame of 3
            000004 01 24 00000003 00000000    | 6 | a frame of 4 bytes
            000005 01 2c 00000003 0000000000  | 6 | a padded frame of 5 bytes
            000007 01 2c 00000003 02000000000088 | 1 | padding of 2 bytes in a frame of 7
            # frames where they cannot be
            000001 00 00 00000000 00          | 1 | DATA on stream 0
            000001 01 04 00000000 88          | 1 | HEADERS on stream 0
            000005 02 00 00000000 0000000000  | 1 | PRIORITY on stream 0
            000004 03 00 00000000 00000000    | 1 | RST_STREAM on stream 0
            000000 04 00 00000001             | 1 | SETTINGS on stream 1 (expected: 0)
            000008 06 00 00000001 0102030405060708 | 1 | PING on stream 1 (expected: 0)
            000008 07 00 00000001 0000000000000000 | 1 | GOAWAY on stream 1 (expected: 0)
            000001 00 00 00000007 00          | 1 | DATA on stream 7, which was never opened
            000001 01 04 00000007 88          | 1 | HEADERS on stream 7, which was never opened
            000004 03 00 00000007 00000000    | 1 | RST_STREAM on stream 7, which was never opened
            000004 08 00 00000007 00000001    | 1 | WINDOW_UPDATE on stream 7, which was never opened
            000001 01 04 00000002 88          | 1 | HEADERS on stream 2, which was never opened
            000001 00 00 7fffffff 00          | 1 | DATA on stream 2147483647, which was never opened
            000005 05 04 00000001 0000000288  | 1 | PUSH_PROMISE, which is disabled
            000001 09 04 00000001 88          | 1 | CONTINUATION without HEADERS
            000001 01 00 00000003 88 000001 00 00 00000001 00 | 1 | DATA within a block of header fields
            000001 01 00 00000003 88 000001 09 04 00000001 88 | 1 | CONTINUATION within a block of header fields
            000001 01 00 00000003 88 000001 01 04 00000003 88 | 1 | HEADERS within a block of header fields
            000001 01 00 00000003 88 000001 ff 04 00000003 88 | 1 | a frame of type 255 within a block of header fields
            # settings and windows
            000006 04 00 00000000 000200000001 | 1 | SETTINGS with ENABLE_PUSH 1 (expected: 0 of a server)
            000006 04 00 00000000 000480000000 | 3 | SETTINGS with INITIAL_WINDOW_SIZE 2147483648 (expected: at most 2147483647)
            000006 04 00 00000000 000500003fff | 1 | SETTINGS with MAX_FRAME_SIZE 16383 (expected: 16384 to 16777215)
            000006 04 00 00000000 000501000000 | 1 | SETTINGS with MAX_FRAME_SIZE 16777216 (expected: 16384 to 16777215)
            000004 08 00 00000000 00000000    | 1 | WINDOW_UPDATE by 0 on stream 0
            000004 08 00 00000001 80000000    | 1 | WINDOW_UPDATE by 0 on stream 1
            000004 08 00 00000000 7fffffff    | 3 | a window of 2147549179 bytes (expected: at most 2147483647)
            000004 08 00 00000001 7fffffff    | 3 | a window of 2147549181 bytes (expected: at most 2147483647)
            # blocks that cannot be decoded
            000001 01 04 00000003 80          | 9 | a block of header fields: HPACK - illegal index value
            000001 01 04 00000003 be          | 9 | a block of header fields: HPACK - illegal index value
            000004 01 04 00000003 0085ffff    | 9 | a block of header fields: not one of HPACK, or cut off
            000003 01 04 00000003 3fe21f      | 9 | a block of header fields: HPACK - invalid max dynamic table size
            """)
    void theConnectionEndsWithAFrameThatCannotBe(String hex, int errorCode, String reason) {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.open("03");
            peer.sends(HEAD, "000004 03 00 00000005 00000002");
            peer.receivedBytes();
            peer.happened();
            peer.sends(hex, PING);

            assertThat(peer.happened()).hasSize(1).first().asString().startsWith("lost: malformed frame: " + reason);
            assertThat(peer.channel.isOpen()).isFalse();
            String sent = Hex.of(peer.receivedBytes());
            // A GOAWAY alone: behind its header, no stream of the peer, and the code.
            assertThat(sent.substring(6, 18)).isEqualTo("070000000000");
            assertThat(sent.substring(18, 34)).isEqualTo(Hex.u32(0) + Hex.u32(errorCode));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            'HTTP/1.1 400 Bad Request'        | HTTP/1 (expected: HTTP/2)
            dabb 0214 0000000000000001 00000000 | no SETTINGS first: is it HTTP/2?
            000000 04 01 00000000             | no SETTINGS first: is it HTTP/2?
            000008 06 00 00000000 0102030405060708 | no SETTINGS first: is it HTTP/2?
            """)
    void aPeerWhoseFirstFrameIsNotSettingsDoesNotSpeakHttp2(String hex, String reason) {
        try (PlayedPeer peer = new PlayedPeer()) {
            peer.happened();
            peer.sends(hex);

            assertThat(peer.happened()).containsExactly("lost: malformed frame: " + reason);
        }
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            000001 00 00 00000003 00                      | content without header fields
            000000 00 01 00000003                         | content without header fields
            000005 01 04 00000003 00 01 'a' 01 'b'        | header fields without :status
            000005 01 04 00000003 08 03 '2x0'             | :status is not a number from 100 to 599
            000005 01 04 00000003 08 03 '999'             | :status is not a number from 100 to 599
            000004 01 04 00000003 08 02 '20'              | :status is not a number from 100 to 599
            000005 01 04 00000003 08 03 '101'             | :status 101, which HTTP/2 does not have
            000005 01 05 00000003 08 03 '103'             | an informational answer that ends the stream
            000006 01 04 00000003 88 00 01 'A' 01 'b'     | header fields: invalid header name [A]
            000006 01 04 00000003 88 00 01 'a' 01 0a      | header fields: Validation failed for header 'a'
            000006 01 04 00000003 00 01 'a' 01 'b' 88     | header fields: Pseudo-header field ':status' found after regular header.
            000002 01 04 00000003 88 82                   | header fields: Mix of request and response pseudo-headers.
            """)
    void anAnswerThatIsNotOneFailsAloneAndItsStreamIsReset(String hex, String reason) {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.received();
            peer.sends(hex, "000001 01 04 00000001 88", TRAILERS);

            assertThat(peer.events.get(0)).startsWith("failed 3: " + reason);
            assertThat(peer.events.subList(1, 3))
                    .containsExactly("headers 1 :status=200", "headers 1 grpc-status=0 end");
            assertThat(peer.received()).containsExactly("RST_STREAM 3 00000001");
        }
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            000005 01 04 00000001 00 01 'a' 01 'b' | trailers that do not end the stream
            000001 01 05 00000001 88               | trailers with pseudo-header fields
            """)
    void trailersThatAreNotFailTheStream(String hex, String reason) {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends(HEAD, hex);

            assertThat(peer.happened()).containsExactly("headers 1 :status=200", "failed 1: " + reason);
        }
    }

    /** CVE-2024-27316 and the like. */
    @Test
    void aFloodOfContinuationsEndsTheConnection() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends("000000 01 00 00000001", "000000 09 00 00000001".repeat(128));
            assertThat(peer.happened()).isEmpty();
            assertThat(peer.memory.used()).isEqualTo(1024);
            peer.sends("000000 09 00 00000001");

            assertThat(peer.happened())
                    .containsExactly("lost: malformed frame: more than 128 CONTINUATION for a block");
        }
    }

    @Test
    void aBlockThatIsLongerThanTwiceTheLimitEndsTheConnectionBeforeItIsKept() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends("000400 01 00 00000001", "00".repeat(1024), "000400 09 00 00000001", "00".repeat(1024));
            assertThat(peer.happened()).isEmpty();
            assertThat(peer.memory.used()).isBetween(2048L, 4096L);
            peer.sends("000001 09 00 00000001 00");

            assertThat(peer.happened())
                    .containsExactly(
                            "lost: malformed frame: a block of header fields of 2049 bytes (expected: at most 2048)");
            assertThat(peer.memory.used()).isZero();
        }
    }

    @Test
    void aBlockOfOneFrameHasTheSameLimit() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.sends("000801 01 04 00000001", "00".repeat(2049));

            assertThat(peer.happened())
                    .containsExactly(
                            "lost: malformed frame: a block of header fields of 2049 bytes (expected: at most 2048)");
        }
    }

    @Test
    void aHeaderListAboveTheLimitFailsItsStreamAlone() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            // A name and a value of 1 and 991 bytes count 1024 with the 32 of each; :status 42 more.
            peer.sends("0003e6 01 04 00000003 88 00 01 'a' 7fe006", "61".repeat(991), HEAD);

            assertThat(peer.happened())
                    .containsExactly(
                            "failed 3: header fields: Header size exceeded max allowed size (1024)",
                            "headers 1 :status=200");
        }
    }

    /** CVE-2016-6581: a long field that is put into the table once, and named by one byte again and again. */
    @Test
    void aBlockThatUnfoldsToMuchMoreFailsItsStreamAlone() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.sends("00007a 01 04 00000003 88 40 01 'a' 64", "61".repeat(100), "be".repeat(17), HEAD);

            assertThat(peer.happened().get(0)).startsWith("failed 3: header fields: Header size exceeded");
        }
    }

    /** CVE-2019-9512, CVE-2019-9515 and the like; each of them costs this side an answer or nothing. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            PING                  | 000008 06 00 00000000 0102030405060708 | 4096
            answers to no PING    | 000008 06 01 00000000 0102030405060708 | 4096
            SETTINGS              | 000000 04 00 00000000                  | 256
            answers to SETTINGS   | 000000 04 01 00000000                  | 4096
            PRIORITY              | 000005 02 00 00000001 0000000000       | 4096
            empty DATA            | 000000 00 00 00000001                  | 4096
            padded empty DATA     | 000003 00 08 00000001 020000           | 4096
            DATA of ended streams | 000001 00 00 00000005 00               | 4096
            HEADERS of those      | 000001 01 04 00000005 88               | 4096
            resets of those       | 000004 03 00 00000005 00000008         | 4096
            windows of those      | 000004 08 00 00000005 00000001         | 4096
            WINDOW_UPDATE         | 000004 08 00 00000000 00000001         | 4096
            windows of a stream   | 000004 08 00 00000001 00000001         | 4096
            unknown frames        | 000000 77 00 00000001                  | 4096
            informational answers | 000005 01 04 00000003 08 03 '103'      | 4096
            further GOAWAY        | 000008 07 00 00000000 7fffffff00000000 | 4097
            """)
    void aFloodOfFramesThatServeNoCallEndsTheConnection(String name, String frame, int permitted) {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.open("02");
            peer.open("03");
            peer.sends(HEAD, "000004 03 00 00000005 00000002");
            int left = permitted;
            for (; left > 100; left -= 100) {
                peer.sends(frame.repeat(100));
            }
            peer.sends(frame.repeat(left));
            assertThat(peer.channel.isOpen()).isTrue();
            assertThat(peer.memory.used()).isZero();
            peer.happened();
            peer.sends(frame);

            assertThat(peer.happened()).containsExactly("lost: malformed frame: a flood of frames that serve no call");
        }
    }

    /** A stream has a window of 128 KiB, the connection one of 256 KiB. */
    @Test
    void contentThatWasOnItsWayWhenItsStreamWasResetIsNoFlood() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            int permitted = 0;
            for (int stream = 1; stream < 8; stream += 2) {
                peer.open("01");
                peer.sends("000001 01 04", Hex.u32(stream), "88 000001 00 00", Hex.u32(stream), "07");
                peer.client.reset(stream, Http2Error.CANCEL);
                permitted = Math.min(permitted + 128 * 1024 - 1, 256 * 1024);
            }
            String late = "000001 00 00 00000001 07";
            byte[] thousand = Hex.bytes(late.repeat(1000));
            int left = permitted + UselessFrames.MAX;
            for (; left >= 1000; left -= 1000) {
                peer.sends(thousand, 0, thousand.length);
            }
            peer.sends(late.repeat(left));
            assertThat(peer.channel.isOpen()).isTrue();
            peer.received();
            peer.happened();
            peer.sends(late);

            assertThat(peer.happened()).containsExactly("lost: malformed frame: a flood of frames that serve no call");
        }
    }

    @Test
    void emptyContentOfAStreamThatWasResetIsUseless() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.open("01");
            peer.client.reset(1, Http2Error.CANCEL);
            peer.sends("000003 00 08 00000001 020000".repeat(UselessFrames.MAX));
            assertThat(peer.channel.isOpen()).isTrue();
            peer.sends("000000 00 00 00000001");

            assertThat(peer.events).contains("lost: malformed frame: a flood of frames that serve no call");
        }
    }

    @Test
    void theSameFramesGoOnSlowly() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            for (int second = 0; second < 5; second++) {
                peer.sends(PING.repeat(4096));
                peer.received();
                peer.channel.advanceTimeBy(1, TimeUnit.SECONDS);
            }

            assertThat(peer.channel.isOpen()).isTrue();
        }
    }

    @Test
    void theSameFramesGoOnBesideCalls() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            for (int i = 0; i < 3000; i++) {
                int id = peer.open("01");
                peer.sends(
                        PING.repeat(2), "000004 08 00 00000000 00000001".repeat(2), "000001 01 05", Hex.u32(id), "88");
            }

            assertThat(peer.channel.isOpen()).isTrue();
            peer.received();
        }
    }

    @Test
    void settingsWhoseAnswersAreNotReadEndTheConnection() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.setWritable(false);
            peer.sends(SETTINGS.repeat(64));
            assertThat(peer.channel.isOpen()).isTrue();
            peer.sends(SETTINGS);

            assertThat(peer.events).contains("lost: malformed frame: SETTINGS whose answers are not read");
        }
    }

    /** CVE-2023-44487 towards a client: a call of this side for each. */
    @Test
    void aPeerThatResetsEachStreamAtOnceHoldsNothing() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            for (int i = 0; i < 10_000; i++) {
                int id = peer.open("01");
                peer.sends("000004 03 00", Hex.u32(id), "00000007");
                assertThat(peer.happened()).containsExactly("reset " + id + " 7");
            }
            peer.received();
            assertThat(peer.client.openStreams()).isZero();
            assertThat(peer.memory.used()).isZero();
        }
    }
}
