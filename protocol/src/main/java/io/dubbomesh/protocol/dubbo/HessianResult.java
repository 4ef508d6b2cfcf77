package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianToJson;
import io.dubbomesh.protocol.hessian.HessianType;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

/** Bodies of Dubbo responses in Hessian 2. Reused; owned by one event loop. */
final class HessianResult {
    /** In Hessian, where a text can take half as much again as in UTF-8. */
    private static final int MAX_ATTACHMENT_TEXT = 2 * ResponseBody.MAX_ATTACHMENTS;

    private final HessianReader reader;
    private final HessianExceptions exceptions;
    private final HessianToJson json;

    HessianResult(int maxDocument, ReadingTime time) {
        reader = new HessianReader(time);
        exceptions = new HessianExceptions(reader, time);
        json = new HessianToJson(reader, maxDocument);
    }

    Outcome read(ByteBuf in, int offset, int length, ResultFormat format, ResponseBody body)
            throws MalformedValueException {
        reader.reset(in, offset, length);
        int type = reader.readInt();
        if (!ResultType.isKnown(type)) {
            throw new MalformedValueException("result type " + type);
        }
        int value = reader.position();
        if (ResultType.hasAttachments(type)) {
            // They come before the document, so they are read first.
            if (!ResultType.isNull(type)) {
                reader.skip();
            }
            readAttachments(in, body);
            requireEnd();
            reader.seek(value);
        }
        Outcome outcome = Outcome.OK;
        if (ResultType.isException(type)) {
            outcome = exceptions.read(body);
        } else {
            body.endAttachments();
            readValue(type, format, body.out());
        }
        if (!ResultType.hasAttachments(type)) {
            requireEnd();
        }
        return outcome;
    }

    /** Reads the error text of a response that is not a result; empty if there is none, since the status is enough. */
    String readError(ByteBuf in, int offset, int length) {
        reader.reset(in, offset, length);
        try {
            return reader.readString(ResponseBody.MAX_MESSAGE);
        } catch (MalformedValueException e) {
            return "";
        }
    }

    private void requireEnd() throws MalformedValueException {
        if (!reader.isAtEnd()) {
            throw new MalformedValueException("bytes after the result");
        }
    }

    private void readValue(int type, ResultFormat format, ByteBuf out) throws MalformedValueException {
        if (ResultType.isNull(type)) {
            JsonText.writeAscii(out, "null");
        } else if (format.text()) {
            json.writeText(out, format.classNames());
        } else {
            json.writeJson(out, format.classNames());
        }
    }

    private void readAttachments(ByteBuf in, ResponseBody body) throws MalformedValueException {
        if (reader.peek() == HessianType.NULL) {
            reader.readNull();
            return;
        }
        reader.beginMap();
        while (!reader.readEnd()) {
            int key = reader.position();
            boolean isWanted = skipText() && !isOwn(in, key);
            if (skipText() && isWanted) {
                int resume = reader.position();
                reader.seek(key);
                body.beginEntry();
                copyText(body);
                copyText(body);
                body.endEntry();
                reader.seek(resume);
            }
        }
    }

    /** Most responses have only Dubbo's own attachments, which need not be copied. */
    private boolean isOwn(ByteBuf in, int key) {
        int text = reader.textAt(key);
        return text >= 0 && DubboKeys.isOwnOfResult(in, text, reader.position() - text);
    }

    /** Skips a value; returns whether it was text, and not too long. */
    private boolean skipText() throws MalformedValueException {
        if (reader.peek() != HessianType.STRING) {
            reader.skip();
            return false;
        }
        int begin = reader.position();
        reader.skipString();
        return reader.position() - begin <= MAX_ATTACHMENT_TEXT;
    }

    private void copyText(ResponseBody body) throws MalformedValueException {
        int text = body.beginText();
        reader.readString(body.out());
        body.endText(text);
    }
}
