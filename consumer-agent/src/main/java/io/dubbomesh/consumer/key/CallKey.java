package io.dubbomesh.consumer.key;

import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.protocol.Attachments;
import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What the key of a call is taken from: the first source that the call has all parts of. A key is the hash of the bytes
 * of its value, wherever that was found, so that a client that sends a header field and one that sends an argument meet
 * at one endpoint. An empty value is none. Immutable.
 */
public final class CallKey {
    /** The key of a call that has none. */
    public static final long NONE = LoadView.NO_KEY;

    private static final String EXPECTED = " (expected: header:NAME, attachment:NAME or argument:INDEX,"
            + " + between parts of one key, commas between sources)";
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern ATTACHMENT = Pattern.compile("[^\\s:+,]{1,128}");
    private static final Pattern ARGUMENT = Pattern.compile("[0-9]{1,3}");
    private static final String ATTACHMENT_FIELD = "x-dubbo-attachment-";
    private static final int MAX_ARGUMENT = 254;

    /** A part of a key. */
    private sealed interface Part {
        /** A header field, by its place among those that are noted. */
        record Header(int place) implements Part {}

        record Attachment(byte[] name) implements Part {}

        record Argument(int index) implements Part {}
    }

    private final List<String> headers = new ArrayList<>();
    private final Part[][] sources;

    private CallKey(String text) {
        List<Part[]> read = new ArrayList<>();
        for (String source : text.split(",", -1)) {
            List<Part> parts = new ArrayList<>();
            for (String part : source.split("\\+", -1)) {
                parts.add(part(part.strip()));
            }
            read.add(parts.toArray(Part[]::new));
        }
        sources = read.toArray(Part[][]::new);
    }

    /**
     * Returns the sources that a text names, such as {@code header:X-User, attachment:tenant+argument:0}.
     *
     * @throws IllegalArgumentException naming what is wrong with the text
     */
    public static CallKey parse(String text) {
        return new CallKey(text);
    }

    private Part part(String text) {
        int colon = text.indexOf(':');
        String name = text.substring(colon + 1).strip();
        return switch (colon < 0 ? "" : text.substring(0, colon).strip()) {
            case "header" -> header(text, name);
            case "attachment" -> {
                require(ATTACHMENT.matcher(name).matches(), text);
                yield new Part.Attachment(name.getBytes(UTF_8));
            }
            case "argument" -> {
                require(ARGUMENT.matcher(name).matches() && Integer.parseInt(name) <= MAX_ARGUMENT, text);
                yield new Part.Argument(Integer.parseInt(name));
            }
            default -> throw wrong(text);
        };
    }

    private Part header(String text, String name) {
        require(HEADER.matcher(name).matches(), text);
        if (name.regionMatches(true, 0, ATTACHMENT_FIELD, 0, ATTACHMENT_FIELD.length())) {
            throw new IllegalArgumentException(
                    text + " (expected: attachment:" + name.substring(ATTACHMENT_FIELD.length()) + ")");
        }
        headers.add(name);
        return new Part.Header(headers.size() - 1);
    }

    private static void require(boolean right, String text) {
        if (!right) {
            throw wrong(text);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException((text.isEmpty() ? "empty" : text) + EXPECTED);
    }

    /** Returns the hash of a value, never {@link #NONE} unless the value is empty. */
    public static long hash(ByteBuf in, int at, int end) {
        return at == end ? NONE : present(XxHash64.of(in, at, end));
    }

    private static long present(long hash) {
        return hash == NONE ? 1 : hash;
    }

    /** Returns what notes the header fields of a request that are sources. */
    public KeyHeaders newHeaders() {
        return new KeyHeaders(headers);
    }

    /**
     * Returns the key of a call; {@link #NONE} if it has none of the sources.
     *
     * @param headers     of its request, as {@link #newHeaders} has noted them
     * @param attachments a block, all of it readable
     */
    public long of(KeyHeaders headers, ByteBuf attachments, KeyArguments arguments) {
        for (Part[] source : sources) {
            long key = NONE;
            for (int i = 0; i < source.length; i++) {
                long part = hash(source[i], headers, attachments, arguments);
                if (part == NONE) {
                    key = NONE;
                    break;
                }
                key = i == 0 ? part : present(XxHash64.merge(key, part));
            }
            if (key != NONE) {
                return key;
            }
        }
        return NONE;
    }

    private static long hash(Part part, KeyHeaders headers, ByteBuf attachments, KeyArguments arguments) {
        if (part instanceof Part.Header header) {
            return headers.hash(header.place());
        }
        if (part instanceof Part.Argument argument) {
            return arguments.hash(argument.index());
        }
        int value = Attachments.find(
                attachments, attachments.readerIndex(), attachments.readableBytes(), ((Part.Attachment) part).name());
        return value < 0 ? NONE : hash(attachments, value, value + attachments.getUnsignedShort(value - Short.BYTES));
    }
}
