package io.dubbomesh.transport.http2;

import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state of stream 1, and each frame that may come for it: what is handed over, or the end of the connection. */
class StreamStatesTest {
    private static final String NO_WINDOW = "000006 04 00 00000000 0004 00000000";
    private static final String HEAD = "000001 01 04 00000001 88";

    private enum Before {
        IDLE,
        WAITING,
        WAITING_ANSWERED,
        GOES_ON,
        GOES_ON_ANSWERED,
        SENT,
        SENT_ANSWERED,
        ENDED,
        RESET_BY_PEER,
        RESET_BY_CLIENT
    }

    private static void reach(PlayedPeer peer, Before state) {
        if (state == Before.WAITING || state == Before.WAITING_ANSWERED) {
            peer.sends(NO_WINDOW);
        }
        if (goesOn(state)) {
            peer.begin();
        } else if (state != Before.IDLE) {
            peer.open("01");
        }
        switch (state) {
            case WAITING_ANSWERED, GOES_ON_ANSWERED, SENT_ANSWERED -> peer.sends(HEAD);
            case ENDED -> peer.sends("000001 01 05 00000001 88");
            case RESET_BY_PEER -> peer.sends("000004 03 00 00000001 00000008");
            case RESET_BY_CLIENT -> peer.client.reset(1, Http2Error.CANCEL);
            default -> {
                // Reached.
            }
        }
        peer.received();
        peer.happened();
    }

    private static boolean goesOn(Before state) {
        return state == Before.GOES_ON || state == Before.GOES_ON_ANSWERED;
    }

    private static String frame(String event) {
        return switch (event) {
            case "head" -> HEAD;
            case "head, end" -> "000001 01 05 00000001 88";
            case "head in two" -> "000000 01 00 00000001 000001 09 04 00000001 88";
            case "trailers" -> "000005 01 05 00000001 00 01 'a' 01 'b'";
            case "content" -> "000001 00 00 00000001 07";
            case "content, end" -> "000001 00 01 00000001 07";
            case "reset" -> "000004 03 00 00000001 00000008";
            case "window" -> "000004 08 00 00000001 00000005";
            case "priority" -> "000005 02 00 00000001 0000000000";
            case "goaway" -> "000008 07 00 00000000 00000000 00000000";
            default -> throw new IllegalArgumentException(event);
        };
    }

    /** Where frames are read that the peer may have sent before it saw the end of the stream, nothing happens. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            IDLE             | head         | lost   |
            IDLE             | head, end    | lost   |
            IDLE             | head in two  | lost   |
            IDLE             | trailers     | lost   |
            IDLE             | content      | lost   |
            IDLE             | content, end | lost   |
            IDLE             | reset        | lost   |
            IDLE             | window       | lost   |
            IDLE             | priority     |        |
            IDLE             | goaway       | goaway |
            WAITING          | head         | headers         |
            WAITING          | head, end    | headers end     | RST_STREAM
            WAITING          | head in two  | headers         |
            WAITING          | trailers     | failed          | RST_STREAM
            WAITING          | content      | failed          | RST_STREAM
            WAITING          | content, end | failed          | RST_STREAM
            WAITING          | reset        | reset           |
            WAITING          | window       |                 | DATA
            WAITING          | priority     |                 |
            WAITING          | goaway       | goaway, reset   |
            WAITING_ANSWERED | head         | failed          | RST_STREAM
            WAITING_ANSWERED | head, end    | failed          | RST_STREAM
            WAITING_ANSWERED | head in two  | failed          | RST_STREAM
            WAITING_ANSWERED | trailers     | headers end     | RST_STREAM
            WAITING_ANSWERED | content      | data            |
            WAITING_ANSWERED | content, end | data end        | RST_STREAM
            WAITING_ANSWERED | reset        | reset           |
            WAITING_ANSWERED | window       |                 | DATA
            WAITING_ANSWERED | priority     |                 |
            WAITING_ANSWERED | goaway       | goaway, reset   |
            GOES_ON          | head         | headers         |
            GOES_ON          | head, end    | headers end     | RST_STREAM
            GOES_ON          | head in two  | headers         |
            GOES_ON          | trailers     | failed          | RST_STREAM
            GOES_ON          | content      | failed          | RST_STREAM
            GOES_ON          | content, end | failed          | RST_STREAM
            GOES_ON          | reset        | reset           |
            GOES_ON          | window       |                 |
            GOES_ON          | priority     |                 |
            GOES_ON          | goaway       | goaway, reset   |
            GOES_ON_ANSWERED | head         | failed          | RST_STREAM
            GOES_ON_ANSWERED | head, end    | failed          | RST_STREAM
            GOES_ON_ANSWERED | head in two  | failed          | RST_STREAM
            GOES_ON_ANSWERED | trailers     | headers end     | RST_STREAM
            GOES_ON_ANSWERED | content      | data            |
            GOES_ON_ANSWERED | content, end | data end        | RST_STREAM
            GOES_ON_ANSWERED | reset        | reset           |
            GOES_ON_ANSWERED | window       |                 |
            GOES_ON_ANSWERED | priority     |                 |
            GOES_ON_ANSWERED | goaway       | goaway, reset   |
            SENT             | head         | headers         |
            SENT             | head, end    | headers end     |
            SENT             | head in two  | headers         |
            SENT             | trailers     | failed          | RST_STREAM
            SENT             | content      | failed          | RST_STREAM
            SENT             | content, end | failed          | RST_STREAM
            SENT             | reset        | reset           |
            SENT             | window       |                 |
            SENT             | priority     |                 |
            SENT             | goaway       | goaway, reset   |
            SENT_ANSWERED    | head         | failed          | RST_STREAM
            SENT_ANSWERED    | head, end    | failed          | RST_STREAM
            SENT_ANSWERED    | head in two  | failed          | RST_STREAM
            SENT_ANSWERED    | trailers     | headers end     |
            SENT_ANSWERED    | content      | data            |
            SENT_ANSWERED    | content, end | data end        |
            SENT_ANSWERED    | reset        | reset           |
            SENT_ANSWERED    | window       |                 |
            SENT_ANSWERED    | priority     |                 |
            SENT_ANSWERED    | goaway       | goaway, reset   |
            ENDED            | head         |        |
            ENDED            | head, end    |        |
            ENDED            | head in two  |        |
            ENDED            | trailers     |        |
            ENDED            | content      |        |
            ENDED            | content, end |        |
            ENDED            | reset        |        |
            ENDED            | window       |        |
            ENDED            | priority     |        |
            ENDED            | goaway       | goaway |
            RESET_BY_PEER    | head         |        |
            RESET_BY_PEER    | head in two  |        |
            RESET_BY_PEER    | content, end |        |
            RESET_BY_PEER    | reset        |        |
            RESET_BY_PEER    | window       |        |
            RESET_BY_CLIENT  | head         |        |
            RESET_BY_CLIENT  | head, end    |        |
            RESET_BY_CLIENT  | head in two  |        |
            RESET_BY_CLIENT  | trailers     |        |
            RESET_BY_CLIENT  | content      |        |
            RESET_BY_CLIENT  | content, end |        |
            RESET_BY_CLIENT  | reset        |        |
            RESET_BY_CLIENT  | window       |        |
            RESET_BY_CLIENT  | goaway       | goaway |
            """)
    void aFrameInAState(Before state, String event, String happens, String sent) {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            reach(peer, state);
            peer.sends(frame(event));

            List<String> kinds = new ArrayList<>();
            for (String each : peer.happened()) {
                kinds.add(each.split("[ :]")[0] + (each.endsWith(" end") ? " end" : ""));
            }
            assertThat(String.join(", ", kinds)).isEqualTo(happens == null ? "" : happens);
            List<String> frames = peer.received();
            if ("lost".equals(happens)) {
                assertThat(frames).singleElement().asString().startsWith("GOAWAY");
            } else {
                assertThat(frames.isEmpty() ? null : frames.get(0).split(" ")[0])
                        .isEqualTo(sent);
                boolean isOpen = goesOn(state)
                        || state.name().startsWith("WAITING")
                        || state.name().startsWith("SENT");
                boolean ends = happens != null && happens.matches(".*(end|failed|reset).*");
                assertThat(peer.client.openStreams()).isEqualTo(isOpen && !ends ? 1 : 0);
            }
        }
    }
}
