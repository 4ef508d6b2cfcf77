package io.dubbomesh.protocol.dubbo;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.hessian.HessianException;
import io.dubbomesh.protocol.hessian.JsonText;
import io.dubbomesh.protocol.hessian.JsonValues;
import io.dubbomesh.protocol.hessian.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Base64;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The arguments of a request, checked against the declared types and written one after the other. Immutable. */
final class Arguments {
    private static final int MAX_JSON_MESSAGE = 200;

    private final ParameterType[] types;

    Arguments(ParameterType[] types) {
        this.types = types;
    }

    /** Each argument is a 32-bit length and UTF-8 text. */
    void writeForm(ValueWriter out, ByteBuf in, int offset, int length) throws CallException {
        int end = offset + length;
        int at = offset;
        int count = 0;
        while (at < end) {
            int textLength = end - at < Integer.BYTES ? -1 : in.getInt(at);
            at += Integer.BYTES;
            if (textLength < 0 || textLength > end - at) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: a length reaches beyond the body");
            }
            if (count < types.length) {
                writeText(out, count, in, at, textLength);
            }
            at += textLength;
            count++;
        }
        requireCount(count);
    }

    private void requireCount(int count) throws CallException {
        if (count != types.length) {
            throw new CallException(Outcome.BAD_ARGUMENT, "arguments: " + count + " (expected: " + types.length + ")");
        }
    }

    private void writeText(ValueWriter out, int index, ByteBuf in, int offset, int length) throws CallException {
        ParameterType type = types[index];
        try {
            if (type.kind() == ParameterType.Kind.STRING) {
                out.writeUtf8(in, offset, length);
                return;
            }
            JsonText.requireUtf8(in, offset, length);
        } catch (HessianException e) {
            throw refused(path(index), "text that is not UTF-8", type.javaName());
        }
        requireSupported(type, path(index));
        boolean fits;
        if (type.kind().isText()) {
            fits = write(out, type, path(index), in.toString(offset, length, UTF_8));
        } else {
            fits = writeJsonText(out, type, index, in, offset, length);
        }
        if (!fits) {
            String expected = type.javaName() + (type.kind().isText() ? "" : " as JSON");
            throw refused(path(index), Quoted.text(in.toString(offset, Math.min(length, 400), UTF_8)), expected);
        }
    }

    private static boolean write(ValueWriter out, ParameterType type, String path, String text) throws CallException {
        try {
            return ArgumentText.write(out, type.kind(), text);
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_ARGUMENT, path + ": " + e.getMessage());
        }
    }

    private boolean writeJsonText(ValueWriter out, ParameterType type, int index, ByteBuf in, int offset, int length)
            throws CallException {
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            if (json.nextToken() == null) {
                return false;
            }
            writeJson(out, type, path(index), json);
            return json.nextToken() == null;
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    /** One JSON array holds the arguments. */
    void writeJson(ValueWriter out, ByteBuf in, int offset, int length) throws CallException {
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: no JSON array");
            }
            int count = 0;
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (count < types.length) {
                    String path = path(count);
                    requireSupported(types[count], path);
                    writeJson(out, types[count], path, json);
                } else {
                    json.skipChildren();
                }
                count++;
            }
            if (json.nextToken() != null) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: more than one JSON array");
            }
            requireCount(count);
        } catch (JsonProcessingException e) {
            String reason = Quoted.plain(e.getOriginalMessage(), MAX_JSON_MESSAGE);
            throw new CallException(Outcome.BAD_REQUEST, "arguments: malformed JSON: " + reason);
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    private static void writeJson(ValueWriter out, ParameterType type, String path, JsonParser json)
            throws IOException, CallException {
        JsonToken token = json.currentToken();
        boolean fits;
        if (token == JsonToken.VALUE_NULL) {
            fits = !type.primitive();
            if (fits) {
                out.writeNull();
            }
        } else {
            fits = switch (type.kind()) {
                case STRING -> writeString(out, json);
                case DATE -> writeDate(out, json);
                case BYTES -> writeBytes(out, json);
                case CHARS -> writeChars(out, json);
                case LIST -> token == JsonToken.START_ARRAY && copy(out, path, json);
                case MAP -> token == JsonToken.START_OBJECT && copy(out, path, json);
                case ANY -> copy(out, path, json);
                case ARRAY -> token == JsonToken.START_ARRAY && writeArray(out, type.component(), path, json);
                case CHAR -> token == JsonToken.VALUE_STRING && write(out, type, path, json.getText());
                case BOOLEAN -> token.isScalarValue() && !token.isNumeric() && write(out, type, path, json.getText());
                default -> token.isScalarValue() && !token.isBoolean() && write(out, type, path, json.getText());
            };
        }
        if (!fits) {
            throw refused(path, describe(json), type.javaName());
        }
    }

    private static boolean writeString(ValueWriter out, JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            return false;
        }
        out.writeString(json.getText());
        return true;
    }

    /** Milliseconds since 1970-01-01T00:00Z, or ISO 8601 with an offset. */
    private static boolean writeDate(ValueWriter out, JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                return false;
            }
            out.writeDate(json.getLongValue());
            return true;
        }
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            return false;
        }
        try {
            out.writeDate(OffsetDateTime.parse(json.getText()).toInstant().toEpochMilli());
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean writeBytes(ValueWriter out, JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            return false;
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(json.getText());
        } catch (IllegalArgumentException e) {
            return false;
        }
        out.writeBinary(bytes);
        return true;
    }

    /** Text, or a list of single characters; Hessian has only the former for {@code char[]}. */
    private static boolean writeChars(ValueWriter out, JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return writeString(out, json);
        }
        StringBuilder text = new StringBuilder();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_STRING || json.getTextLength() != 1) {
                return false;
            }
            text.append(json.getText());
        }
        out.writeString(text);
        return true;
    }

    private static boolean writeArray(ValueWriter out, ParameterType component, String path, JsonParser json)
            throws IOException, CallException {
        int begin = out.beginList();
        int length = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            writeJson(out, component, path + '[' + length + ']', json);
            length++;
        }
        out.endList(begin, length);
        return true;
    }

    private static boolean copy(ValueWriter out, String path, JsonParser json) throws IOException, CallException {
        try {
            JsonValues.copy(json, out);
            return true;
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_ARGUMENT, path + ": " + e.getMessage());
        }
    }

    private static void requireSupported(ParameterType type, String path) throws CallException {
        if (type.kind() == ParameterType.Kind.UNSUPPORTED) {
            String name = Quoted.plain(type.javaName(), MAX_JSON_MESSAGE);
            throw new CallException(Outcome.BAD_ARGUMENT, path + ": type " + name + " is not supported");
        }
    }

    private static String path(int index) {
        return "args[" + index + ']';
    }

    private static String describe(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token.isStructStart() || token.isStructEnd()) {
            return token == JsonToken.START_OBJECT || token == JsonToken.END_OBJECT ? "{...}" : "[...]";
        }
        return token == JsonToken.VALUE_STRING ? Quoted.text(json.getText()) : Quoted.plain(json.getText(), 64);
    }

    private static CallException refused(String path, String value, String expected) {
        return new CallException(Outcome.BAD_ARGUMENT, path + ": " + value + " (expected: " + expected + ")");
    }
}
