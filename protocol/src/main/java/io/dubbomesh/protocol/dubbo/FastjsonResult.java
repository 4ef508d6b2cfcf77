package io.dubbomesh.protocol.dubbo;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.fastjson.FastjsonToJson;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;

import java.io.IOException;

/** Bodies of Dubbo responses in fastjson: the result's type, its value and its attachments as JSON, each on a line. */
final class FastjsonResult {
    private final FastjsonToJson values;
    private final FastjsonExceptions exceptions;
    private ByteBuf in;
    private int end;
    /** The current line is {@code in[line, lineEnd)}. */
    private int line;

    private int lineEnd;

    FastjsonResult(int maxDocument, ReadingTime time) {
        values = new FastjsonToJson(maxDocument, time);
        exceptions = new FastjsonExceptions(time);
    }

    Outcome read(ByteBuf in, int offset, int length, ResultFormat format, ResponseBody body)
            throws MalformedValueException {
        begin(in, offset, length);
        try {
            nextLine();
            int type = lineEnd - line == 1 ? in.getByte(line) - '0' : -1;
            if (!ResultType.isKnown(type)) {
                throw new MalformedValueException("a result without a type");
            }
            int value = 0;
            int valueEnd = 0;
            if (!ResultType.isNull(type)) {
                nextLine();
                value = line;
                valueEnd = lineEnd;
            }
            if (ResultType.hasAttachments(type)) {
                nextLine();
                readAttachments(body);
            }
            if (lineEnd + 1 < end) {
                throw new MalformedValueException("bytes after the result");
            }
            line = value;
            lineEnd = valueEnd;
            if (ResultType.isException(type)) {
                return exceptions.read(in, line, lineEnd - line, body);
            }
            body.endAttachments();
            if (ResultType.isNull(type)) {
                JsonText.writeAscii(body.out(), "null");
            } else {
                readValue(format, body.out());
            }
            return Outcome.OK;
        } catch (JsonProcessingException e) {
            throw new MalformedValueException("malformed JSON: " + Quoted.plain(e.getOriginalMessage(), 200));
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    /** Reads the error text of a response that is not a result; empty if there is none, since the status is enough. */
    String readError(ByteBuf in, int offset, int length) {
        begin(in, offset, length);
        try {
            nextLine();
            try (JsonParser json = JsonValues.parser(in, line, lineEnd - line)) {
                return json.nextToken() == JsonToken.VALUE_STRING ? json.getText() : "";
            }
        } catch (MalformedValueException | IOException e) {
            return "";
        }
    }

    private void begin(ByteBuf in, int offset, int length) {
        this.in = in;
        end = offset + length;
        lineEnd = offset - 1;
    }

    private void nextLine() throws MalformedValueException {
        line = lineEnd + 1;
        if (line >= end) {
            throw new MalformedValueException("ends within the result");
        }
        int length = in.bytesBefore(line, end - line, (byte) '\n');
        lineEnd = length < 0 ? end : line + length;
    }

    private void readValue(ResultFormat format, ByteBuf out) throws IOException, MalformedValueException {
        int length = lineEnd - line;
        if (isWhole()) {
            out.writeBytes(in, line, length);
        } else if (format.text() && length > 0 && in.getByte(line) == '"') {
            try (JsonParser json = JsonValues.parser(in, line, length)) {
                json.nextToken();
                json.getText().codePoints().forEach(c -> Utf8.write(out, c));
                requireEnd(json);
            }
        } else {
            values.writeJson(in, line, length, out, format.classNames());
        }
    }

    /** Whether the line is an int or a long, which is copied as it is. */
    private boolean isWhole() {
        int at = line < lineEnd && in.getByte(line) == '-' ? line + 1 : line;
        if (at == lineEnd || in.getByte(at) == '0' && lineEnd - at > 1) {
            return false;
        }
        for (; at < lineEnd; at++) {
            if (in.getByte(at) < '0' || in.getByte(at) > '9') {
                return false;
            }
        }
        return true;
    }

    private static void requireEnd(JsonParser json) throws IOException {
        if (json.currentToken() == null || json.nextToken() != null) {
            throw new JsonParseException(json, "not exactly one value");
        }
    }

    private void readAttachments(ResponseBody body) throws IOException, MalformedValueException {
        try (JsonParser json = JsonValues.parser(in, line, lineEnd - line)) {
            JsonToken token = json.nextToken();
            if (token == JsonToken.START_OBJECT) {
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String key = json.currentName();
                    if (json.nextToken() == JsonToken.VALUE_STRING) {
                        writeEntry(body, key, json.getText());
                    } else {
                        json.skipChildren();
                    }
                }
            } else if (token != JsonToken.VALUE_NULL) {
                throw new MalformedValueException("attachments that are not a map");
            }
            requireEnd(json);
        }
    }

    private static void writeEntry(ResponseBody body, String key, String value) {
        if (key.length() + value.length() > ResponseBody.MAX_ATTACHMENTS) {
            return;
        }
        body.beginEntry();
        writeText(body, key);
        writeText(body, value);
        body.endEntry();
    }

    private static void writeText(ResponseBody body, String value) {
        int text = body.beginText();
        value.codePoints().forEach(c -> Utf8.write(body.out(), c));
        body.endText(text);
    }
}
