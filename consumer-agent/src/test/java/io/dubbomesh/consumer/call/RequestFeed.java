package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hands bytes to a parser as a connection would, in pieces, what is left over together with the next piece in another
 * buffer at another index, and writes down what comes out. The buffers are exactly as long as their content, so that no
 * read goes beyond them.
 */
public final class RequestFeed {
    private RequestFeed() {}

    /**
     * Returns the parser's result for {@code text}, one byte for each character, when a piece ends at each of {@code
     * cuts}.
     */
    public static List<String> of(HttpLimits limits, byte[] bytes, int... cuts) {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
        HttpRequestParser parser = new HttpRequestParser(limits, allocator, new CallHeaders());
        List<String> results = new ArrayList<>();
        int consumed = 0;
        for (int piece = 0; piece <= cuts.length; piece++) {
            int end = piece < cuts.length ? cuts[piece] : bytes.length;
            int base = Math.min(consumed, piece % 3);
            ByteBuf in = Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, consumed - base, end));
            in.readerIndex(base);
            HttpRequestParser.Result result;
            do {
                result = parser.parse(in);
                switch (result) {
                    case REQUEST -> results.add(describe(parser));
                    case FAILED -> results.add(parser.failure() + ": " + parser.detail());
                    case NEED_DATA, CONTINUE -> {}
                }
            } while (result != HttpRequestParser.Result.NEED_DATA && result != HttpRequestParser.Result.FAILED);
            if (result == HttpRequestParser.Result.FAILED) {
                break;
            }
            consumed = end - in.readableBytes();
        }
        parser.close();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
        return results;
    }

    public static List<String> of(byte[] bytes, int... cuts) {
        return of(HttpLimits.DEFAULTS, bytes, cuts);
    }

    public static List<String> of(String text, int... cuts) {
        return of(bytes(text), cuts);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    public static int[] everyByte(int length) {
        int[] cuts = new int[length];
        Arrays.setAll(cuts, i -> i);
        return cuts;
    }

    public static String describe(HttpRequestParser parser) {
        StringBuilder text = new StringBuilder(parser.method())
                .append(' ')
                .append(parser.target().toString(ISO_8859_1))
                .append(isRoot(parser) ? " (root)" : "")
                .append(parser.isHttp10() ? " 1.0" : " 1.1")
                .append(parser.keepAlive() ? " keep-alive " : " close ")
                .append(parser.contentType())
                .append(parser.hasContentEncoding() ? " encoded" : "");
        CallHeaders headers = CallHeaders.of(parser);
        if (headers.timeoutMillis() != 0) {
            text.append(" timeout ").append(headers.timeoutMillis());
        }
        append(text, " types ", headers.parameterTypes());
        append(text, " version ", headers.version());
        append(text, " group ", headers.group());
        if (headers.rejection() == null) {
            attachments(parser).forEach(entry -> text.append(" [").append(entry).append(']'));
        } else {
            text.append(" rejected ").append(headers.rejection()).append(": ").append(headers.rejectionDetail());
        }
        return text.append(" <").append(body(parser)).append('>').toString();
    }

    private static boolean isRoot(HttpRequestParser parser) {
        CallTarget target = new CallTarget();
        target.locate(parser.target());
        return target.kind() == CallTarget.Kind.ROOT;
    }

    /** A parser that reads the header fields of calls. */
    public static HttpRequestParser newParser(ByteBufAllocator allocator) {
        return new HttpRequestParser(HttpLimits.DEFAULTS, allocator, new CallHeaders());
    }

    private static void append(StringBuilder text, String name, ByteBuf value) {
        if (value != null) {
            text.append(name).append(value.toString(ISO_8859_1));
        }
    }

    public static String body(HttpRequestParser parser) {
        return parser.body().toString(parser.bodyOffset(), parser.bodyLength(), ISO_8859_1);
    }

    public static List<String> attachments(HttpRequestParser parser) {
        List<String> entries = new ArrayList<>();
        ByteBuf block = CallHeaders.of(parser).attachments();
        try {
            Attachments.forEach(
                    block,
                    block.readerIndex(),
                    block.readableBytes(),
                    (in, key, keyLength, value, valueLength) -> entries.add(
                            in.toString(key, keyLength, UTF_8) + '=' + in.toString(value, valueLength, UTF_8)));
        } catch (CallException e) {
            throw new AssertionError(e);
        }
        return entries;
    }
}
