package io.dubbomesh.idl;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;

import java.io.IOException;

/**
 * Counts the values of a message before it is read: a message without fields takes two bytes on the wire and a hundred
 * in memory.
 */
final class WireValues {
    /** The bound of the library, too. */
    private static final int MAX_DEPTH = 100;

    /** Scalars of a list take less than other values. */
    private static final int SCALARS_OF_A_VALUE = 4;

    private final CodedInputStream in;
    private final int max;
    private int values;
    private int depth;

    private WireValues(CodedInputStream in, int max) {
        this.in = in;
        this.max = max;
    }

    /** @throws InvalidProtocolBufferException if there are more values than {@code max}, or the bytes are malformed */
    static void requireBounded(Descriptor type, CodedInputStream in, int max) throws IOException {
        new WireValues(in, max).count(type, 0);
    }

    /**
     * Counts the fields up to the end of a message or of a group.
     *
     * @param type null if it is not known
     * @param end  the last tag, 0 for the end of a message
     */
    private void count(Descriptor type, int end) throws IOException {
        if (++depth > MAX_DEPTH) {
            throw new InvalidProtocolBufferException("more than " + MAX_DEPTH + " messages in each other");
        }
        int tag;
        while ((tag = in.readTag()) != end) {
            if (tag == 0 || WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_END_GROUP) {
                throw new InvalidProtocolBufferException("a group without an end, or an end without a group");
            }
            add(1);
            int number = WireFormat.getTagFieldNumber(tag);
            FieldDescriptor field = type == null ? null : type.findFieldByNumber(number);
            switch (WireFormat.getTagWireType(tag)) {
                case WireFormat.WIRETYPE_LENGTH_DELIMITED -> countIn(field, in.readRawVarint32());
                case WireFormat.WIRETYPE_START_GROUP ->
                    count(
                            isMessage(field) ? field.getMessageType() : null,
                            number << 3 | WireFormat.WIRETYPE_END_GROUP);
                default -> in.skipField(tag);
            }
        }
        depth--;
    }

    private void countIn(FieldDescriptor field, int length) throws IOException {
        if (isMessage(field)) {
            int outer = in.pushLimit(length);
            count(field.getMessageType(), 0);
            in.popLimit(outer);
            return;
        }
        if (field != null && field.isPackable()) {
            int count = switch (field.getType()) {
                case FIXED32, SFIXED32, FLOAT -> length / Integer.BYTES;
                case FIXED64, SFIXED64, DOUBLE -> length / Long.BYTES;
                default -> length;
            };
            add(count / SCALARS_OF_A_VALUE);
        }
        in.skipRawBytes(length);
    }

    private static boolean isMessage(FieldDescriptor field) {
        return field != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    }

    private void add(int count) throws InvalidProtocolBufferException {
        values = (int) Math.min(Integer.MAX_VALUE, (long) values + Math.max(0, count));
        if (values > max) {
            throw new InvalidProtocolBufferException("more than " + max + " values");
        }
    }
}
