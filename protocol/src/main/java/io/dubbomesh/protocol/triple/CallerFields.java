package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.dubbo.DubboKeys;
import io.netty.buffer.ByteBuf;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Writes a caller's attachments as header fields, as Dubbo's own client does: the names in lower case, and those that
 * had capitals once more in {@code tri-header-convert}, by which providers since 3.1 restore them. A name that ends
 * with {@code -bin} has bytes in Base64, of which the provider makes an attachment of bytes without that ending. What a
 * provider would not get as it was sent is refused: names that HTTP/2, gRPC or Dubbo use themselves or that are no
 * names of header fields, and values that are not of printable Latin-1.
 */
final class CallerFields implements Attachments.Visitor {
    static final String BINARY = "-bin";
    static final String CONVERT = "tri-header-convert";

    /** Names that Dubbo does not pass on, or HTTP/2 forbids or uses otherwise. */
    private static final Set<String> RESERVED = Set.of(
            "application",
            "serialization",
            "http-status",
            "rest-service-version",
            "rest-service-group",
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final String TOKEN = "!#$%&'*+-.^_`|~";
    private static final byte[] CONVERT_NAME = CONVERT.getBytes(US_ASCII);

    private final ByteBuf out;
    /** The names as they were sent by those that are written; null until there is one with a capital. */
    private Map<String, String> converted;
    /** The first refusal; null if there is none. */
    private String refusal;

    private CallerFields(ByteBuf out) {
        this.out = out;
    }

    /** @throws CallException BAD_REQUEST if an attachment cannot be sent, or the block is malformed */
    static void write(ByteBuf out, ByteBuf in, int offset, int length) throws CallException {
        CallerFields fields = new CallerFields(out);
        Attachments.forEach(in, offset, length, fields);
        if (fields.refusal != null) {
            throw new CallException(Outcome.BAD_REQUEST, fields.refusal);
        }
        if (fields.converted != null) {
            HeaderBlock.field(out, CONVERT_NAME, percentEncoded(json(fields.converted)));
        }
    }

    @Override
    public void entry(ByteBuf block, int keyOffset, int keyLength, int valueOffset, int valueLength) {
        String key = block.toString(keyOffset, keyLength, UTF_8);
        String value = block.toString(valueOffset, valueLength, UTF_8);
        // Not those beyond ASCII, some of which have small letters of ASCII.
        String name = isAscii(key) ? key.toLowerCase(Locale.ROOT) : "";
        String reason = DubboKeys.isOwn(block, keyOffset, keyLength) ? "cannot be set by callers" : reason(name, value);
        if (reason != null) {
            refusal = refusal == null ? "attachment " + Quoted.text(key) + ' ' + reason : refusal;
            return;
        }
        HeaderBlock.field(out, name.getBytes(US_ASCII), HeaderBlock.bytes(value));
        if (!name.equals(key)) {
            if (converted == null) {
                converted = new LinkedHashMap<>();
            }
            converted.put(restored(name), restored(key));
        }
    }

    /** Returns the name under which the provider keeps the attachment before it restores the capitals. */
    private static String restored(String name) {
        int end = name.length() - BINARY.length();
        return end > 0 && name.regionMatches(true, end, BINARY, 0, BINARY.length()) ? name.substring(0, end) : name;
    }

    /** Returns why it cannot be sent; null if it can. */
    private static String reason(String name, String value) {
        if (!isToken(name)) {
            return "cannot be sent by Triple, where it is the name of a header field (expected: letters, digits, - . _)";
        }
        if (RESERVED.contains(name)
                || RESERVED.contains(restored(name))
                || name.startsWith("grpc-")
                || name.startsWith("tri-")) {
            return "cannot be sent by Triple, which has a header field of this name";
        }
        if (name.length() > BINARY.length() && name.endsWith(BINARY)) {
            return isBase64(value) ? null : "has no bytes in Base64, as Triple has under names that end with -bin";
        }
        return isPrintable(value)
                ? null
                : "cannot be sent by Triple, where its value is that of a header field (expected: printable characters"
                        + " of Latin-1)";
    }

    private static boolean isAscii(String name) {
        return name.chars().allMatch(c -> c < 0x80);
    }

    private static boolean isToken(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || TOKEN.indexOf(c) >= 0)) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isBase64(String value) {
        try {
            Base64.getDecoder().decode(value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isPrintable(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t' || c >= 0x7f && c < 0xa0 || c > 0xff) {
                return false;
            }
        }
        return true;
    }

    /** Returns an object of texts; the characters of names need no escape. */
    private static String json(Map<String, String> members) {
        StringBuilder json = new StringBuilder("{");
        members.forEach((name, value) -> json.append(json.length() == 1 ? "\"" : ",\"")
                .append(name)
                .append("\":\"")
                .append(value)
                .append('"'));
        return json.append('}').toString();
    }

    private static byte[] percentEncoded(String ascii) {
        StringBuilder encoded = new StringBuilder();
        for (int i = 0; i < ascii.length(); i++) {
            char c = ascii.charAt(i);
            boolean isPlain =
                    c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "-._".indexOf(c) >= 0;
            encoded.append(isPlain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return encoded.toString().getBytes(US_ASCII);
    }
}
