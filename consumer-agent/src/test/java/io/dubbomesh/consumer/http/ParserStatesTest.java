package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.CallException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Each state of {@link HttpRequestParser} and {@link ChunkedBody} with each input. */
class ParserStatesTest {
    /** @param checksHead whether the parser stops in front of a body */
    private record Fields(boolean checksHead) implements RequestFields {
        @Override
        public void register(HeaderTable table) {}

        @Override
        public void reset() {}
    }

    /**
     * The ways to the states with their last results, and to which state each input leads: l a request line, h the
     * field Host, b, c and x fields for a body of three bytes, a chunked one and an expectation, e an empty line, d
     * three bytes, k a last chunk, n nothing, w what is malformed.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
            STATE        | RESULT    | CHECKS | WAY   | INPUTS  | NEXT
            REQUEST_LINE | -         | false  | ''    | l       | FIELDS
            REQUEST_LINE | -         | false  | ''    | en      | REQUEST_LINE
            REQUEST_LINE | -         | false  | ''    | hdkw    | FAILED
            FIELDS       | NEED_DATA | false  | lh    | e       | COMPLETE
            FIELDS       | NEED_DATA | false  | lh    | dn      | FIELDS
            FIELDS       | NEED_DATA | false  | lh    | lhkw    | FAILED
            EXPECTING    | HEAD      | true   | lhbxe | lhedknw | FIXED_BODY
            EXPECTING    | HEAD      | true   | lhcxe | lhedknw | CHUNKED_BODY
            FIXED_BODY   | NEED_DATA | false  | lhbe  | en      | FIXED_BODY
            FIXED_BODY   | NEED_DATA | false  | lhbe  | lhdkw   | COMPLETE
            FIXED_BODY   | HEAD      | true   | lhbe  | en      | FIXED_BODY
            FIXED_BODY   | HEAD      | true   | lhbe  | lhdkw   | COMPLETE
            FIXED_BODY   | CONTINUE  | false  | lhbxe | lhdkw   | COMPLETE
            FIXED_BODY   | CONTINUE  | true   | lhbxen | lhdkw | COMPLETE
            CHUNKED_BODY | NEED_DATA | false  | lhce  | dn      | CHUNKED_BODY
            CHUNKED_BODY | NEED_DATA | false  | lhce  | k       | COMPLETE
            CHUNKED_BODY | NEED_DATA | false  | lhce  | lhew    | FAILED
            COMPLETE     | REQUEST   | false  | lhe   | l       | FIELDS
            COMPLETE     | REQUEST   | false  | lhe   | en      | REQUEST_LINE
            COMPLETE     | REQUEST   | true   | lhe   | hdkw    | FAILED
            FAILED       | FAILED    | false  | w     | lhedknw | FAILED
            """)
    void aParserFollowsItsDrawing(String state, String result, boolean checks, String way, String inputs, String next) {
        for (char input : inputs.toCharArray()) {
            ByteBuf in = Unpooled.buffer();
            try (HttpRequestParser parser =
                    new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, new Fields(checks))) {
                String last = "-";
                for (char step : way.toCharArray()) {
                    in.writeCharSequence(text(step), US_ASCII);
                    last = parser.parse(in).toString();
                }
                assertThat(parser.state()).as(way).hasToString(state);
                assertThat(last).as(way).isEqualTo(result);
                in.writeCharSequence(text(input), US_ASCII);
                parser.parse(in);
                assertThat(parser.state()).as(way + " " + input).hasToString(next);
            } finally {
                in.release();
            }
        }
    }

    private static String text(char input) {
        return switch (input) {
            case 'l' -> "POST /a/b HTTP/1.1\r\n";
            case 'h' -> "Host: a\r\n";
            case 'b' -> "Content-Length: 3\r\n";
            case 'c' -> "Transfer-Encoding: chunked\r\n";
            case 'x' -> "Expect: 100-continue\r\n";
            case 'e' -> "\r\n";
            case 'd' -> "a=b";
            case 'k' -> "0\r\n\r\n";
            case 'n' -> "";
            default -> "\0\r\n";
        };
    }

    /**
     * The inputs: s the size of a chunk of three bytes, z of the last one, d three bytes, e an empty line, t a
     * trailer.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
            STATE    | WAY | s        | z        | d        | e        | t
            SIZE     | ''  | DATA     | TRAILERS | SIZE     | refused  | refused
            SIZE     | sde | DATA     | TRAILERS | SIZE     | refused  | refused
            DATA     | s   | DATA_END | DATA_END | DATA_END | DATA     | refused
            DATA_END | sd  | refused  | refused  | refused  | SIZE     | refused
            TRAILERS | z   | refused  | refused  | TRAILERS | complete | TRAILERS
            TRAILERS | zt  | refused  | refused  | TRAILERS | complete | TRAILERS
            """)
    void aChunkedBodyFollowsItsDrawing(String state, String way, String s, String z, String d, String e, String t)
            throws CallException {
        String[] next = {s, z, d, e, t};
        for (int input = 0; input < next.length; input++) {
            ByteBuf in = Unpooled.buffer();
            try (ChunkedBody body =
                    new ChunkedBody(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, new Lines())) {
                for (char step : way.toCharArray()) {
                    parse(body, in, step);
                }
                assertThat(body.state()).as(way).hasToString(state);
                assertThat(parse(body, in, "szdet".charAt(input)))
                        .as(way + " " + "szdet".charAt(input))
                        .isEqualTo(next[input]);
                body.reset();
                assertThat(body.state()).isEqualTo(ChunkedBody.State.SIZE);
            } finally {
                in.release();
            }
        }
    }

    private static String parse(ChunkedBody body, ByteBuf in, char input) {
        in.writeCharSequence(
                switch (input) {
                    case 's' -> "3\r\n";
                    case 'z' -> "0\r\n";
                    case 'd' -> "a=b";
                    case 'e' -> "\r\n";
                    default -> "A: b\r\n";
                },
                US_ASCII);
        try {
            return body.parse(in) ? "complete" : body.state().toString();
        } catch (CallException e) {
            return "refused";
        }
    }
}
