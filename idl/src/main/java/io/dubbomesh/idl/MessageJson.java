package io.dubbomesh.idl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.UninitializedMessageException;
import com.google.protobuf.util.JsonFormat;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Messages between JSON and bytes, by the protobuf JSON mapping: whole numbers of 64 bits are strings, and fields
 * without presence are there even if they have their default value, so a client needs no descriptors to know them.
 * Immutable; used by all threads.
 */
final class MessageJson {
    /**
     * The bound of values in one message, each of which takes about a hundred bytes of the heap while it is converted.
     */
    static final int MAX_VALUES = 200_000;

    private static final int MAX_SHOWN = 300;

    private static final String STRING_VALUE = "google.protobuf.StringValue";

    /** The messages whose JSON is a string, by the field that has the text; null where it is made of several. */
    private static final Map<String, String> STRINGS = Map.of(
            STRING_VALUE,
            "value",
            "google.protobuf.BytesValue",
            "",
            "google.protobuf.Timestamp",
            "",
            "google.protobuf.Duration",
            "",
            "google.protobuf.FieldMask",
            "");

    private final TypeRegistry types;
    private final JsonFormat.Parser parser;
    private final JsonFormat.Printer printer;

    /** @param types that an {@code Any} can have */
    MessageJson(TypeRegistry types) {
        LibraryLog.init();
        this.types = types;
        parser = JsonFormat.parser().usingTypeRegistry(types);
        printer = JsonFormat.printer()
                .usingTypeRegistry(types)
                .alwaysPrintFieldsWithNoPresence()
                .omittingInsignificantWhitespace()
                // Else the entries would be in any order, and a key that the provider sends twice would be there twice.
                .sortingMapKeys();
    }

    /** Writes the message of the argument of a form; one whose JSON is a string needs no quotes. */
    void writeText(Descriptor type, ByteBuf in, int offset, int length, ByteBuf out) throws CallException {
        if (STRINGS.containsKey(type.getFullName())) {
            boolean isQuoted = length > 0
                    && in.getByte(offset) == '"'
                    && !type.getFullName().equals(STRING_VALUE);
            if (!isQuoted) {
                try {
                    Utf8.require(in, offset, length);
                } catch (MalformedValueException e) {
                    throw new CallException(
                            Outcome.BAD_ARGUMENT,
                            "args[0]: text that is not UTF-8 (expected: " + type.getFullName() + ')');
                }
                write(type, RefusedField.quoted(in.toString(offset, length, UTF_8)), out);
                return;
            }
        }
        try (JsonParser json = strict(in, offset, length)) {
            if (json.nextToken() == null) {
                throw new CallException(
                        Outcome.BAD_ARGUMENT,
                        "args[0]: \"\" (expected: " + Quoted.plain(type.getFullName(), MAX_SHOWN) + " as JSON)");
            }
            requireBounded(json);
            if (json.nextToken() != null) {
                throw new CallException(Outcome.BAD_REQUEST, "args[0]: more than one JSON value");
            }
        } catch (JsonProcessingException e) {
            throw Arguments.malformed(e);
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
        write(type, in.toString(offset, length, UTF_8), out);
    }

    /**
     * Writes the message that is the only element of a JSON array.
     *
     * @return the number of the array's elements; only if it is 1, a message is written
     */
    int writeElement(Descriptor type, ByteBuf in, int offset, int length, ByteBuf out) throws CallException {
        int begin = 0;
        int end = 0;
        int count = 0;
        try (JsonParser json = strict(in, offset, length)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: not a JSON array");
            }
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (count == 0) {
                    begin = (int) json.currentTokenLocation().getByteOffset();
                }
                requireBounded(json);
                count++;
            }
            end = (int) json.currentTokenLocation().getByteOffset();
            if (json.nextToken() != null) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: more than one JSON array");
            }
        } catch (JsonProcessingException e) {
            throw Arguments.malformed(e);
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
        if (count == 1) {
            write(type, in.toString(offset + begin, end - begin, UTF_8), out);
        }
        return count;
    }

    /** The parser of protobuf takes more than JSON, and the last of two members of one name. */
    private static JsonParser strict(ByteBuf in, int offset, int length) throws IOException {
        return JsonValues.parser(in, offset, length).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    }

    /** Goes to the end of the value whose first token is the current one. */
    private static void requireBounded(JsonParser json) throws IOException, CallException {
        int depth = 0;
        int values = 0;
        while (true) {
            JsonToken token = json.currentToken();
            if (token == null) {
                throw new IllegalStateException("a parser at the end reports it before");
            }
            if (++values > MAX_VALUES) {
                throw new CallException(
                        Outcome.BAD_REQUEST, "args[0]: more than " + MAX_VALUES + " values (expected: fewer)");
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) {
                return;
            }
            json.nextToken();
        }
    }

    private void write(Descriptor type, String json, ByteBuf out) throws CallException {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        byte[] bytes;
        try {
            parser.merge(json, message);
            bytes = message.build().toByteArray();
        } catch (UninitializedMessageException e) {
            throw new CallException(
                    Outcome.BAD_ARGUMENT,
                    "args[0]: " + Quoted.plain(String.join(", ", e.getMissingFields()), MAX_SHOWN)
                            + " missing (expected: all required fields of " + type.getFullName() + ')');
        } catch (InvalidProtocolBufferException | RuntimeException | StackOverflowError e) {
            throw new RefusedField(parser).find(type, json, String.valueOf(e.getMessage()));
        }
        out.writeBytes(bytes);
    }

    /** Reads a message and writes its JSON. When it is refused, {@code out} is left as it was. */
    void read(Descriptor type, ByteBuf in, int offset, int length, boolean isText, int maxLength, ByteBuf out)
            throws CallException {
        int begin = out.writerIndex();
        boolean written = false;
        try {
            ByteBuffer wire = in.nioBuffer(offset, length);
            WireValues.requireBounded(type, types, wire, MAX_VALUES);
            CodedInputStream bytes = CodedInputStream.newInstance(wire);
            DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
            message.mergeFrom(bytes, ExtensionRegistry.getEmptyRegistry());
            bytes.checkLastTagWas(0);
            JsonOutput json = new JsonOutput(out, maxLength);
            String field = isText ? STRINGS.get(type.getFullName()) : null;
            if (field == null) {
                printer.appendTo(message.buildPartial(), json);
            } else if (!field.isEmpty()) {
                json.append((String) message.getField(type.findFieldByName(field)), 0);
            } else {
                String text = printer.print(message.buildPartial());
                json.append(text.substring(1, text.length() - 1));
            }
            written = true;
        } catch (JsonOutput.TooLongException e) {
            throw unreadable("takes more than " + maxLength + " bytes as JSON");
        } catch (InvalidProtocolBufferException e) {
            throw unreadable("not a " + type.getFullName() + ": " + e.getMessage());
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw unreadable("not a " + type.getFullName() + ": " + e);
        } finally {
            if (!written) {
                out.writerIndex(begin);
            }
        }
    }

    private static CallException unreadable(String reason) {
        return new CallException(Outcome.PROVIDER_ERROR, Quoted.plain(reason, MAX_SHOWN));
    }
}
