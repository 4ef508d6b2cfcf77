package io.dubbomesh.consumer.call;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.record.TraceFields;
import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.TraceParent;
import io.dubbomesh.protocol.dubbo.DubboKeys;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.io.IOException;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The attachments that a request's header fields ask for, as a block of {@link Attachments}. Reused from request to
 * request by one connection. What cannot be added is left out whole, since the block is read even if the request is
 * rejected.
 */
final class RequestAttachments implements TraceFields {
    static final byte[] TRACEPARENT = TraceParent.NAME.getBytes(US_ASCII);
    static final byte[] TRACESTATE = "tracestate".getBytes(US_ASCII);
    static final byte[] BAGGAGE = "baggage".getBytes(US_ASCII);
    static final List<byte[]> TRACE_HEADERS = List.of(TRACEPARENT, TRACESTATE, BAGGAGE);

    // Names are chosen by clients: no table of them is kept.
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    /** Most requests have none. */
    private ByteBuf block = Unpooled.EMPTY_BUFFER;

    void clear() {
        block = block.capacity() > HttpLimits.MAX_KEPT_CAPACITY ? Unpooled.EMPTY_BUFFER : block.clear();
    }

    /** Returns the attachments, all of which are readable; valid until the next {@link #clear}, not to be released. */
    ByteBuf block() {
        return block;
    }

    /** Adds {@code X-Dubbo-Attachment-NAME: value}. */
    void addHeader(ByteBuf in, int name, int nameEnd, int value, int valueEnd) throws CallException {
        int entry = block.writerIndex();
        try {
            writeHeader(entry, in, name, nameEnd, value, valueEnd);
        } catch (CallException e) {
            block.writerIndex(entry);
            throw e;
        }
    }

    private void writeHeader(int entry, ByteBuf in, int name, int nameEnd, int value, int valueEnd)
            throws CallException {
        writeKey(in, name, nameEnd - name);
        requireAllowed(entry);
        int valueLength = block.writerIndex();
        block.writeShort(0);
        String fault = PercentText.decode(in, value, valueEnd, block, '%');
        if (fault != PercentText.FINE) {
            throw bad(key(entry) + ": " + fault);
        }
        block.setShort(valueLength, block.writerIndex() - valueLength - Short.BYTES);
        endEntry(entry);
    }

    /** Adds the members of {@code X-Dubbo-Attachments: {json}}. */
    void addJson(ByteBuf in, int value, int valueEnd) throws CallException {
        if (!ByteBufUtil.isText(in, value, valueEnd - value, UTF_8)) {
            throw bad("X-Dubbo-Attachments is not UTF-8");
        }
        try (JsonParser json = JSON.createParser(ByteBufUtil.getBytes(in, value, valueEnd - value, true))) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw bad("X-Dubbo-Attachments is not a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                if (json.nextToken() != JsonToken.VALUE_STRING) {
                    throw bad("X-Dubbo-Attachments has a value that is not a string");
                }
                add(key, json.getText());
            }
            if (json.nextToken() != null) {
                throw bad("X-Dubbo-Attachments goes on behind its object");
            }
        } catch (IOException e) {
            throw bad("X-Dubbo-Attachments is not JSON");
        }
    }

    private void add(String key, String value) throws CallException {
        byte[] keyBytes = key.getBytes(UTF_8);
        byte[] valueBytes = value.getBytes(UTF_8);
        if (!new String(keyBytes, UTF_8).equals(key) || !new String(valueBytes, UTF_8).equals(value)) {
            throw bad("X-Dubbo-Attachments has half a surrogate pair");
        }
        if (keyBytes.length + valueBytes.length > Attachments.MAX_LENGTH) {
            throw tooLarge();
        }
        int entry = block.writerIndex();
        try {
            writeKey(Unpooled.wrappedBuffer(keyBytes), 0, keyBytes.length);
            requireAllowed(entry);
            block.writeShort(valueBytes.length).writeBytes(valueBytes);
            endEntry(entry);
        } catch (CallException e) {
            block.writerIndex(entry);
            throw e;
        }
    }

    /**
     * Adds a field of distributed tracing under its name. Its value never makes a request fail: a repeated
     * {@code traceparent} and what is not UTF-8 are left out. The others are lists, so the values of a repeated one are
     * joined by a comma.
     *
     * @throws CallException only if all attachments together are too long
     */
    void addTrace(byte[] name, ByteBuf in, int value, int valueEnd) throws CallException {
        int length = valueEnd - value;
        if (!ByteBufUtil.isText(in, value, length, UTF_8)) {
            return;
        }
        int old = find(name, 0, name.length, block.writerIndex());
        if (old >= 0 && name == TRACEPARENT) {
            return;
        }
        requireRoom(old < 0 ? Short.BYTES + name.length + Short.BYTES + length : 1 + length);
        allocate(Short.BYTES + name.length + Short.BYTES + length);
        block.writeShort(name.length).writeBytes(name);
        if (old < 0) {
            block.writeShort(length).writeBytes(in, value, length);
            return;
        }
        int oldValue = valueOffset(old);
        int oldLength = block.getUnsignedShort(oldValue - Short.BYTES);
        block.ensureWritable(Short.BYTES + oldLength + 1 + length);
        block.writeShort(oldLength + 1 + length).writeBytes(block, oldValue, oldLength);
        block.writeByte(',').writeBytes(in, value, length);
        remove(old);
    }

    /** Removes an entry, and moves the rest to its place. */
    private void remove(int entry) {
        int value = valueOffset(entry);
        int behind = value + block.getUnsignedShort(value - Short.BYTES);
        byte[] moved = ByteBufUtil.getBytes(block, behind, block.writerIndex() - behind, true);
        block.writerIndex(entry).writeBytes(moved);
    }

    @Override
    public boolean readParent(TraceParent into) {
        int value = valueOf(TRACEPARENT);
        return value >= 0 && into.read(block, value, block.getUnsignedShort(value - Short.BYTES));
    }

    @Override
    public void setParent(long traceIdHigh, long traceIdLow, long spanId) {
        int entry = find(TRACEPARENT, 0, TRACEPARENT.length, block.writerIndex());
        if (entry >= 0) {
            remove(entry);
        }
        int length = Short.BYTES + TRACEPARENT.length + Short.BYTES + TraceParent.LENGTH;
        if (block.writerIndex() + length <= Attachments.MAX_LENGTH) {
            allocate(length);
            block.writeShort(TRACEPARENT.length).writeBytes(TRACEPARENT).writeShort(TraceParent.LENGTH);
            TraceParent.writeSampled(block, traceIdHigh, traceIdLow, spanId);
        }
    }

    /** Returns the offset of an entry's value, or -1. */
    private int valueOf(byte[] key) {
        int entry = find(key, 0, key.length, block.writerIndex());
        return entry < 0 ? -1 : valueOffset(entry);
    }

    private void writeKey(ByteBuf in, int key, int keyLength) {
        allocate(Short.BYTES + keyLength);
        block.writeShort(keyLength).writeBytes(in, key, keyLength);
    }

    private void allocate(int length) {
        if (block == Unpooled.EMPTY_BUFFER) {
            block = Unpooled.buffer(Math.max(length, 256));
        }
        block.ensureWritable(length);
    }

    private void endEntry(int entry) throws CallException {
        requireRoom(0);
        int length = block.getUnsignedShort(entry);
        if (find(block.array(), entry + Short.BYTES, length, entry) >= 0) {
            throw bad(key(entry) + " is given twice");
        }
    }

    private void requireRoom(int length) throws CallException {
        if (block.writerIndex() + length > Attachments.MAX_LENGTH) {
            throw tooLarge();
        }
    }

    private static CallException tooLarge() {
        return new CallException(
                Outcome.HEAD_TOO_LARGE, "attachments of more than " + Attachments.MAX_LENGTH + " bytes");
    }

    private void requireAllowed(int entry) throws CallException {
        int key = entry + Short.BYTES;
        int length = block.getUnsignedShort(entry);
        if (length == 0) {
            throw bad("an attachment without a name");
        }
        // A colon begins the keys of entries that the agents add themselves.
        if (block.getByte(key) == ':' || Words.firstControl(block, key, key + length) < key + length) {
            throw bad("an attachment whose name begins with a colon or has a control character");
        }
        if (DubboKeys.isOwn(block, key, length)) {
            throw bad(key(entry) + " is reserved");
        }
    }

    private String key(int entry) {
        return "attachment " + block.toString(entry + Short.BYTES, block.getUnsignedShort(entry), UTF_8);
    }

    /** Returns the offset of the entry in front of {@code end} that has this key, or -1. */
    private int find(byte[] key, int offset, int length, int end) {
        for (int entry = 0; entry < end; ) {
            if (block.getUnsignedShort(entry) == length
                    && Words.equal(block, entry + Short.BYTES, key, offset, length)) {
                return entry;
            }
            int value = valueOffset(entry);
            entry = value + block.getUnsignedShort(value - Short.BYTES);
        }
        return -1;
    }

    private int valueOffset(int entry) {
        return entry + Short.BYTES + block.getUnsignedShort(entry) + Short.BYTES;
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
