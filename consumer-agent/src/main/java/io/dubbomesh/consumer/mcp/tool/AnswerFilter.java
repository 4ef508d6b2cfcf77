package io.dubbomesh.consumer.mcp.tool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.value.JsonValues;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Copies the result of a method as the rules of its tool have it: with masked values, and of an array one page. What is
 * copied keeps its bytes.
 */
public final class AnswerFilter {
    /** The argument that chooses a page. */
    public static final String PAGE = "page";

    /** The text in place of a masked value. */
    public static final String MASK = "***";

    private static final byte[] MASKED = ('"' + MASK + '"').getBytes(US_ASCII);

    private final AnswerRules rules;
    private final ByteBuf in;
    private final int offset;
    private final ByteBuf out;
    /** The names of the members on the way to the current value. */
    private final List<String> names = new ArrayList<>();
    /** The end of what is copied. */
    private int copied;

    private AnswerFilter(AnswerRules rules, ByteBuf in, int offset, ByteBuf out) {
        this.rules = rules;
        this.in = in;
        this.offset = offset;
        this.out = out;
        copied = offset;
    }

    /**
     * Appends the result {@code in[offset, offset + length)} to {@code out}.
     *
     * @param page counted from 0; without a meaning where results are not paged
     * @throws IOException if the result is not JSON
     */
    public static void copy(AnswerRules rules, int page, ByteBuf in, int offset, int length, ByteBuf out)
            throws IOException {
        if (!rules.changes()) {
            out.writeBytes(in, offset, length);
            return;
        }
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            AnswerFilter filter = new AnswerFilter(rules, in, offset, out);
            json.nextToken();
            if (rules.isPaged() && json.currentToken() == JsonToken.START_ARRAY) {
                filter.copyPage(json, page);
            } else {
                filter.copyValue(json);
            }
        }
    }

    /** Copies a page, with how many there are: {@code {"items":[...],"page":0,"pages":3,"total":50}}. */
    private void copyPage(JsonParser json, int page) throws IOException {
        long first = (long) page * rules.pageSize();
        long total = 0;
        out.writeBytes("{\"items\":[".getBytes(US_ASCII));
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (total >= first && total < first + rules.pageSize()) {
                if (total > first) {
                    out.writeByte(',');
                }
                copyValue(json);
            } else {
                json.skipChildren();
            }
            total++;
        }
        long pages = Math.max(1, (total + rules.pageSize() - 1) / rules.pageSize());
        out.writeBytes(("],\"page\":" + page + ",\"pages\":" + pages + ",\"total\":" + total + '}').getBytes(US_ASCII));
    }

    private void copyValue(JsonParser json) throws IOException {
        copied = begin(json);
        mask(json);
        copyTo(end(json));
    }

    /** Goes over the current value, and replaces the masked ones in it. */
    private void mask(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                mask(json);
            }
        } else if (json.currentToken() == JsonToken.START_OBJECT) {
            while (json.nextToken() != JsonToken.END_OBJECT) {
                names.add(json.currentName());
                json.nextToken();
                if (isMasked()) {
                    copyTo(begin(json));
                    json.skipChildren();
                    copied = end(json);
                    out.writeBytes(MASKED);
                } else {
                    mask(json);
                }
                names.remove(names.size() - 1);
            }
        }
    }

    private boolean isMasked() {
        for (List<String> path : rules.masked()) {
            if (path.size() == names.size() && matches(path, names)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(List<String> path, List<String> way) {
        for (int i = 0; i < path.size(); i++) {
            if (!path.get(i).equals(AnswerRules.ANY) && !path.get(i).equals(way.get(i))) {
                return false;
            }
        }
        return true;
    }

    private void copyTo(int end) {
        out.writeBytes(in, copied, end - copied);
        copied = end;
    }

    private int begin(JsonParser json) {
        return offset + (int) json.currentTokenLocation().getByteOffset();
    }

    private int end(JsonParser json) throws IOException {
        json.finishToken();
        return offset + (int) json.currentLocation().getByteOffset();
    }
}
