package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hands bytes to a parser as a connection would, in pieces, what is left over together with the next piece in another buffer at
 * another index, and writes down what comes out. The buffers are exactly as long as their content, so that nobody reads on.
 */
final class RequestFeed {
    private RequestFeed() {}

    /** What the parser makes of {@code text}, one byte for each character, when a piece ends at each of {@code cuts}. */
    static List<String> of(HttpLimits limits, byte[] bytes, int... cuts) {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
        HttpRequestParser parser = new HttpRequestParser(limits, allocator);
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

    static List<String> of(byte[] bytes, int... cuts) {
        return of(HttpLimits.DEFAULTS, bytes, cuts);
    }

    static List<String> of(String text, int... cuts) {
        return of(bytes(text), cuts);
    }

    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    static int[] everyByte(int length) {
        int[] cuts = new int[length];
        Arrays.setAll(cuts, i -> i);
        return cuts;
    }

    static String describe(HttpRequestParser parser) {
        StringBuilder text = new StringBuilder(parser.method())
                .append(' ')
                .append(parser.target().toString(ISO_8859_1))
                .append(parser.path().kind() == RequestPath.Kind.ROOT ? " (root)" : "")
                .append(parser.isHttp10() ? " 1.0" : " 1.1")
                .append(parser.keepAlive() ? " keep-alive " : " close ")
                .append(parser.contentType())
                .append(parser.hasContentEncoding() ? " encoded" : "");
        if (parser.timeoutMillis() != 0) {
            text.append(" timeout ").append(parser.timeoutMillis());
        }
        append(text, " types ", parser.parameterTypes());
        append(text, " version ", parser.version());
        append(text, " group ", parser.group());
        if (parser.rejection() == null) {
            attachments(parser).forEach(entry -> text.append(" [").append(entry).append(']'));
        } else {
            text.append(" rejected ").append(parser.rejection()).append(": ").append(parser.rejectionDetail());
        }
        return text.append(" <").append(body(parser)).append('>').toString();
    }

    private static void append(StringBuilder text, String name, ByteBuf value) {
        if (value != null) {
            text.append(name).append(value.toString(ISO_8859_1));
        }
    }

    static String body(HttpRequestParser parser) {
        return parser.body().toString(parser.bodyOffset(), parser.bodyLength(), ISO_8859_1);
    }

    static List<String> attachments(HttpRequestParser parser) {
        List<String> entries = new ArrayList<>();
        ByteBuf block = parser.attachments();
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
