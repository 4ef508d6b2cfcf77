package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbToJson;
import io.dubbomesh.protocol.jsonb.JsonbType;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

/**
 * Bodies of Dubbo responses in fastjson2: the result's type, its value and its attachments in JSONB, each after its
 * length in four bytes. Reused; owned by one event loop.
 */
final class Fastjson2Result {
    private final JsonbReader reader;
    private final Fastjson2Exceptions exceptions;
    private final JsonbToJson json;
    private ByteBuf in;
    /** Where the next value begins, with its length. */
    private int next;

    private int end;

    Fastjson2Result(int maxDocument, ReadingTime time) {
        reader = new JsonbReader(time);
        exceptions = new Fastjson2Exceptions(reader, time);
        json = new JsonbToJson(reader, maxDocument);
    }

    Outcome read(ByteBuf in, int offset, int length, ResultFormat format, ResponseBody body)
            throws MalformedValueException {
        begin(in, offset, length);
        nextValue();
        int type = reader.readInt();
        requireEnd();
        if (!ResultType.isKnown(type)) {
            throw new MalformedValueException("result type " + type);
        }
        int value = next;
        if (!ResultType.isNull(type)) {
            nextValue();
        }
        if (ResultType.hasAttachments(type)) {
            // They come before the document, so they are read first.
            nextValue();
            readAttachments(body);
            requireEnd();
        }
        if (next < end) {
            throw new MalformedValueException("bytes after the result");
        }
        next = value;
        return readValue(type, format, body);
    }

    /** Reads the error text of a response that is not a result; empty if there is none, since the status is enough. */
    String readError(ByteBuf in, int offset, int length) {
        begin(in, offset, length);
        try {
            nextValue();
            return reader.readString();
        } catch (MalformedValueException e) {
            return "";
        }
    }

    private void begin(ByteBuf in, int offset, int length) {
        this.in = in;
        next = offset;
        end = offset + length;
    }

    private void nextValue() throws MalformedValueException {
        if (end - next < Integer.BYTES) {
            throw new MalformedValueException("ends within the result");
        }
        int length = in.getInt(next);
        next += Integer.BYTES;
        if (length < 0 || length > end - next) {
            throw new MalformedValueException("a value of " + length + " bytes, but " + (end - next) + " bytes left");
        }
        reader.reset(in, next, length);
        next += length;
    }

    private void requireEnd() throws MalformedValueException {
        if (!reader.isAtEnd()) {
            throw new MalformedValueException("bytes after a value");
        }
    }

    private Outcome readValue(int type, ResultFormat format, ResponseBody body) throws MalformedValueException {
        if (ResultType.isNull(type)) {
            body.endAttachments();
            JsonText.writeAscii(body.out(), "null");
            return Outcome.OK;
        }
        nextValue();
        Outcome outcome = Outcome.OK;
        if (ResultType.isException(type)) {
            outcome = exceptions.read(body);
        } else {
            body.endAttachments();
            if (format.text()) {
                json.writeText(body.out(), format.classNames());
            } else {
                json.writeJson(body.out(), format.classNames());
            }
        }
        requireEnd();
        return outcome;
    }

    private void readAttachments(ResponseBody body) throws MalformedValueException {
        skipType();
        if (reader.peek() == JsonbType.NULL) {
            reader.skip();
            return;
        }
        reader.beginMap();
        while (!reader.readEnd()) {
            boolean isText = reader.peek() == JsonbType.STRING;
            int key = reader.position();
            reader.skip();
            isText &= reader.peek() == JsonbType.STRING;
            int value = reader.position();
            reader.skip();
            if (isText && reader.position() - key <= ResponseBody.MAX_ATTACHMENTS) {
                body.beginEntry();
                writeText(body, key);
                writeText(body, value);
                body.endEntry();
            }
        }
    }

    private void writeText(ResponseBody body, int position) throws MalformedValueException {
        int text = body.beginText();
        reader.copyName(position, body.out());
        body.endText(text);
    }

    private void skipType() throws MalformedValueException {
        if (reader.peek() == JsonbType.TYPED) {
            reader.readType();
        }
    }
}
