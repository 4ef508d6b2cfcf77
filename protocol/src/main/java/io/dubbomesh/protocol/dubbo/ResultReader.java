package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ValueReader;
import io.dubbomesh.protocol.value.ValueReader.Token;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Reads bodies of Dubbo responses in one serialization. Reused; owned by one thread. */
final class ResultReader {
    /**
     * The longest text of an attachment, in the bytes of the serialization, where a text can take twice as many as in
     * UTF-8.
     */
    private static final int MAX_ATTACHMENT_TEXT = 2 * ResponseBody.MAX_ATTACHMENTS;

    private final ResultParts parts;
    private final ValueReader values;
    private final ExceptionReader exceptions;
    private final ValueToJson json;
    private final JsonWriter attachments;
    private final int maxDocument;

    ResultReader(ResultParts parts, int maxDocument) {
        this.parts = parts;
        this.maxDocument = maxDocument;
        values = parts.values();
        exceptions = new ExceptionReader(values);
        json = new ValueToJson(values, maxDocument);
        attachments = new JsonWriter(ResponseBody.MAX_ATTACHMENTS, values.time());
    }

    Outcome read(ByteBuf in, int offset, int length, ResultFormat format, DeclaredType declared, ResponseBody body)
            throws MalformedValueException {
        parts.begin(in, offset, length);
        int type = readType();
        int value = parts.position();
        boolean hasAttachments = ResultType.hasAttachments(type);
        if (hasAttachments) {
            // They come before the document, so they are read first.
            if (!ResultType.isNull(type)) {
                parts.next();
                parts.skip();
            }
            parts.next();
            readAttachments(in, body);
            parts.endValue();
            parts.end();
            parts.seek(value);
        }
        Outcome outcome = readValue(type, format, declared, body);
        if (!hasAttachments) {
            parts.end();
        }
        return outcome;
    }

    private int readType() throws MalformedValueException {
        parts.next();
        long type = values.peek() == Token.WHOLE ? values.readWhole() : -1;
        parts.endValue();
        if (!ResultType.isKnown(type)) {
            throw new MalformedValueException("result type " + type);
        }
        return (int) type;
    }

    private Outcome readValue(int type, ResultFormat format, DeclaredType declared, ResponseBody body)
            throws MalformedValueException {
        if (ResultType.isNull(type)) {
            body.endAttachments();
            JsonText.writeNull(body.out());
            return Outcome.OK;
        }
        parts.next();
        Outcome outcome = Outcome.OK;
        if (ResultType.isException(type)) {
            outcome = exceptions.read(body);
        } else {
            body.endAttachments();
            if (declared.message() != null) {
                readMessage(declared.message(), format.text(), body.out());
            } else if (format.text()) {
                json.writeText(body.out(), format.classNames(), declared);
            } else {
                json.writeJson(body.out(), format.classNames(), declared);
            }
        }
        parts.endValue();
        return outcome;
    }

    /** Reads a message of protobuf, whose bytes are the value. */
    private void readMessage(MessageMethod method, boolean isText, ByteBuf out) throws MalformedValueException {
        if (values.peek() != Token.BINARY) {
            throw new MalformedValueException("a value that is no message");
        }
        ByteBuf message = Unpooled.buffer();
        values.copyBinary(message);
        try {
            method.readMessage(message, 0, message.writerIndex(), isText, maxDocument, out);
        } catch (CallException e) {
            throw new MalformedValueException(e.getMessage());
        }
    }

    /** Reads the error text of a response that is not a result; empty if there is none, since the status is enough. */
    String readError(ByteBuf in, int offset, int length) {
        try {
            parts.begin(in, offset, length);
            parts.next();
            return values.peek() == Token.TEXT ? values.readText(ResponseBody.MAX_MESSAGE) : "";
        } catch (MalformedValueException e) {
            return "";
        }
    }

    private void readAttachments(ByteBuf in, ResponseBody body) throws MalformedValueException {
        Token token = values.peek();
        if (token == Token.NULL) {
            values.skip();
            return;
        }
        if (token != Token.MAP) {
            throw new MalformedValueException("attachments that are not a map");
        }
        values.beginMap();
        for (int i = 0; values.hasEntry(i); i++) {
            boolean isText = values.peek() == Token.TEXT;
            int key = values.position();
            values.skip();
            // Most responses have only Dubbo's own attachments, which need not be copied.
            int text = isText ? values.utf8Of(key) : -1;
            boolean isWanted = isText && !(text >= 0 && DubboKeys.isOwnOfResult(in, text, values.position() - text));
            values.endKey();
            Token type = values.peek();
            int value = values.position();
            values.skip();
            if (isWanted && isScalar(type) && values.position() - key <= MAX_ATTACHMENT_TEXT) {
                int resume = values.position();
                copyEntry(key, value, body);
                values.seek(resume);
            }
        }
    }

    /** A client gets numbers and booleans as their text, and nothing of a null, a list or a map. */
    private static boolean isScalar(Token type) {
        return switch (type) {
            case TEXT, WHOLE, DOUBLE, NUMBER, BOOLEAN -> true;
            default -> false;
        };
    }

    private void copyEntry(int key, int value, ResponseBody body) throws MalformedValueException {
        body.beginEntry();
        copyText(key, body);
        copyText(value, body);
        body.endEntry();
    }

    private void copyText(int position, ResponseBody body) throws MalformedValueException {
        int text = body.beginText();
        values.seek(position);
        if (values.peek() == Token.TEXT) {
            values.copyText(body.out());
        } else {
            attachments.begin(body.out(), true);
            values.writeScalar(attachments);
        }
        body.endText(text);
    }
}
