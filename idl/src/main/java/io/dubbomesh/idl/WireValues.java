package io.dubbomesh.idl;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.WireFormat;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Counts the values of a message before it is read: a message without fields takes two bytes on the wire and a hundred
 * in memory. In an {@code Any} the message counts that it has, which is read, too.
 */
final class WireValues {
    /** The bound of the library, too. */
    private static final int MAX_DEPTH = 100;

    /** Scalars of a list take less than other values. */
    private static final int SCALARS_OF_A_VALUE = 4;

    private static final String ANY = "google.protobuf.Any";

    private static final int ANY_TYPE = 1;
    private static final int ANY_VALUE = 2;

    private final TypeRegistry types;
    private final int max;
    /** The bytes that are being read; of an {@code Any} those of its message. */
    private ByteBuffer bytes;

    private CodedInputStream in;
    private int values;
    private int depth;

    private WireValues(TypeRegistry types, ByteBuffer bytes, int max) {
        this.types = types;
        this.max = max;
        this.bytes = bytes;
        in = CodedInputStream.newInstance(bytes);
    }

    /**
     * @param types that an {@code Any} can have
     * @throws InvalidProtocolBufferException if there are more values than {@code max}, or the bytes are malformed
     */
    static void requireBounded(Descriptor type, TypeRegistry types, ByteBuffer bytes, int max) throws IOException {
        new WireValues(types, bytes.slice(), max).count(type, 0);
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
        boolean isAny = type != null && type.getFullName().equals(ANY);
        String anyType = "";
        int anyOffset = 0;
        int anyLength = 0;
        int tag;
        while ((tag = in.readTag()) != end) {
            if (tag == 0 || WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_END_GROUP) {
                throw new InvalidProtocolBufferException("a group without an end, or an end without a group");
            }
            add(1);
            int number = WireFormat.getTagFieldNumber(tag);
            FieldDescriptor field = type == null ? null : type.findFieldByNumber(number);
            switch (WireFormat.getTagWireType(tag)) {
                case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
                    if (isAny && number == ANY_TYPE) {
                        anyType = in.readString();
                    } else if (isAny && number == ANY_VALUE) {
                        anyLength = in.readRawVarint32();
                        anyOffset = in.getTotalBytesRead();
                        in.skipRawBytes(anyLength);
                    } else {
                        countIn(field, in.readRawVarint32());
                    }
                }
                case WireFormat.WIRETYPE_START_GROUP ->
                    count(
                            isMessage(field) ? field.getMessageType() : null,
                            number << 3 | WireFormat.WIRETYPE_END_GROUP);
                default -> in.skipField(tag);
            }
        }
        if (isAny) {
            countAs(types.getDescriptorForTypeUrl(anyType), anyOffset, anyLength);
        }
        depth--;
    }

    /** @param type null if it is not known: then nothing reads the message */
    private void countAs(Descriptor type, int offset, int length) throws IOException {
        if (type == null || length == 0) {
            return;
        }
        ByteBuffer outerBytes = bytes;
        CodedInputStream outer = in;
        bytes = bytes.slice(offset, length);
        in = CodedInputStream.newInstance(bytes);
        count(type, 0);
        bytes = outerBytes;
        in = outer;
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
