package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.ExceptionLines;
import io.dubbomesh.protocol.dubbo.ResultType;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Turns answers of Triple into Dubbo responses, so that all that reads these reads both: the value or the exception
 * goes over as it is, in the serialization that the answer's wrapper names, and trailers become attachments. A failure
 * becomes an exception where the method has thrown it, else the status with which Dubbo 2 would answer ({@link
 * TripleFailure}). For any header fields, bytes and trailers it writes one frame and never throws. Reused; owned by one
 * event loop.
 */
public final class TripleAnswer {
    /** The prefix of a message: a byte that says whether it is compressed, and the length. */
    private static final int PREFIX_LENGTH = 1 + Integer.BYTES;

    private static final int SERIALIZATION_FIELD = 1;
    private static final int DATA_FIELD = 2;
    private static final byte HESSIAN_NULL = 'N';
    /** A null of fastjson2, behind its length. */
    private static final byte JSONB_NULL = (byte) 0xaf;

    private static final byte LINE_END = '\n';

    private final Serialization requests;
    private final AnswerFields fields = new AnswerFields();
    private final ExceptionLines exceptions = new ExceptionLines();
    private final Map<Serialization, ValueWriter> writers = new EnumMap<>(Serialization.class);
    private final HessianWriter hessian = new HessianWriter();

    /** The message of the answer that is being read: where it is, and in its wrapper the data. */
    private int messageOffset;

    private int messageLength;
    private Serialization serialization;
    private int dataOffset;
    private int dataLength;

    /** @param requests what requests are written in, and the texts of errors */
    public TripleAnswer(Serialization requests) {
        this.requests = requests;
    }

    /**
     * Appends the response of a call whose message is Dubbo's wrapper.
     *
     * @param headers  the header fields, with {@code :status}, their names in lower case
     * @param trailers those of an answer without a message are the header fields; null if the stream ended without
     * @param data     readable are the bytes of all DATA frames; neither changed nor released
     */
    public void write(
            ByteBuf out,
            long requestId,
            Iterable<Map.Entry<CharSequence, CharSequence>> headers,
            Iterable<Map.Entry<CharSequence, CharSequence>> trailers,
            ByteBuf data) {
        write(out, requestId, headers, trailers, data, false);
    }

    /**
     * Appends the response of a call whose message is the bare one of a service of protobuf: it is the value, as bytes
     * in Hessian.
     *
     * @see #write
     */
    public void writeMessage(
            ByteBuf out,
            long requestId,
            Iterable<Map.Entry<CharSequence, CharSequence>> headers,
            Iterable<Map.Entry<CharSequence, CharSequence>> trailers,
            ByteBuf data) {
        write(out, requestId, headers, trailers, data, true);
    }

    private void write(
            ByteBuf out,
            long requestId,
            Iterable<Map.Entry<CharSequence, CharSequence>> headers,
            Iterable<Map.Entry<CharSequence, CharSequence>> trailers,
            ByteBuf data,
            boolean isMessage) {
        int begin = out.writerIndex();
        DubboHeader.write(out, 0, DubboStatus.OK, requestId, 0);
        fields.read(headers, trailers);
        boolean isAlone = trailers == headers;
        try {
            if (!fields.isGrpc() || fields.grpcStatus() != 0) {
                write(out, begin, TripleFailure.of(fields, isAlone, isMessage));
            } else {
                findMessage(data);
                if (isMessage) {
                    writeMessage(out, begin, data);
                } else {
                    findData(data);
                    writeWrapped(out, begin, data);
                }
            }
        } catch (MalformedValueException e) {
            out.writerIndex(begin + DubboHeader.LENGTH);
            write(out, begin, TripleFailure.malformed(e.getMessage()));
        }
        DubboHeader.bodyLength(out, begin, out.writerIndex() - begin - DubboHeader.LENGTH);
    }

    /** Finds the one message. */
    private void findMessage(ByteBuf data) throws MalformedValueException {
        int begin = data.readerIndex();
        int length = data.readableBytes();
        if (length == 0) {
            throw new MalformedValueException("no message");
        }
        if (length < PREFIX_LENGTH) {
            throw new MalformedValueException("ends within the prefix of a message");
        }
        int compressed = data.getByte(begin);
        if (compressed == 1) {
            throw new MalformedValueException("a message that is compressed by " + fields.encoding());
        }
        if (compressed != 0) {
            throw new MalformedValueException("a message whose first byte is " + compressed);
        }
        messageOffset = begin + PREFIX_LENGTH;
        messageLength = data.getInt(begin + 1);
        int available = length - PREFIX_LENGTH;
        if (messageLength < 0 || messageLength > available) {
            throw new MalformedValueException("ends within a message of " + Integer.toUnsignedLong(messageLength)
                    + " bytes, behind " + available);
        }
        if (messageLength < available) {
            throw new MalformedValueException(available - messageLength + " bytes behind the message");
        }
    }

    /** Finds the parts of the wrapper that are needed; the last ones count, as in all messages of protobuf. */
    private void findData(ByteBuf data) throws MalformedValueException {
        String name = "";
        dataOffset = messageOffset;
        dataLength = 0;
        MessageReader wrapper = new MessageReader(data, messageOffset, messageLength);
        while (wrapper.next()) {
            if (wrapper.isBytes(SERIALIZATION_FIELD)) {
                name = wrapper.text();
            } else if (wrapper.isBytes(DATA_FIELD)) {
                dataOffset = wrapper.offset();
                dataLength = wrapper.length();
            }
        }
        serialization = TripleSerialization.named(name);
        if (serialization == null) {
            throw new MalformedValueException("a value in the serialization \"" + TripleFailure.shown(name)
                    + "\", which is not read: set the provider's serialization to hessian2");
        }
        if (dataLength == 0) {
            throw new MalformedValueException("a wrapper without a value");
        }
    }

    private void writeWrapped(ByteBuf out, int begin, ByteBuf data) {
        if (fields.isException()) {
            List<String> lines = TripleFailure.mayBeOfDubbo(data, dataOffset, dataLength)
                    ? exceptions.read(serialization, data, dataOffset, dataLength)
                    : List.of();
            TripleFailure failure = TripleFailure.ofException(lines);
            if (failure != null) {
                write(out, begin, failure);
                return;
            }
        }
        setSerialization(out, begin, serialization);
        ValueWriter writer =
                writers.computeIfAbsent(serialization, Serialization::newWriter).reset(out);
        boolean isNull = !fields.isException() && isNull(data);
        writeType(writer, fields.isException() ? ResultType.EXCEPTION : isNull ? ResultType.NULL : ResultType.VALUE);
        if (!isNull) {
            endLine(out);
            out.writeBytes(data, dataOffset, dataLength);
        }
        writeAttachments(writer, out);
    }

    /** A method without a result has a null as its value. */
    private boolean isNull(ByteBuf data) {
        return switch (serialization) {
            case HESSIAN2 -> dataLength == 1 && data.getByte(dataOffset) == HESSIAN_NULL;
            case FASTJSON2 -> dataLength == Integer.BYTES + 1 && data.getByte(dataOffset + Integer.BYTES) == JSONB_NULL;
            case FASTJSON -> false;
        };
    }

    private void writeType(ValueWriter writer, int type) {
        writer.writeInt(fields.attachments().isEmpty() ? type : type + ResultType.WITH_ATTACHMENTS);
    }

    private void writeAttachments(ValueWriter writer, ByteBuf out) {
        if (fields.attachments().isEmpty()) {
            return;
        }
        endLine(out);
        writer.beginMap();
        fields.attachments().forEach((name, value) -> {
            writer.writeKey(name);
            writer.writeString(value);
        });
        writer.endMap();
    }

    /** Values of fastjson stand on lines of their own. */
    private void endLine(ByteBuf out) {
        if (serialization == Serialization.FASTJSON && out.getByte(out.writerIndex() - 1) != LINE_END) {
            out.writeByte(LINE_END);
        }
    }

    private void writeMessage(ByteBuf out, int begin, ByteBuf data) {
        serialization = Serialization.HESSIAN2;
        setSerialization(out, begin, serialization);
        hessian.reset(out);
        writeType(hessian, ResultType.VALUE);
        hessian.writeBinary(data, messageOffset, messageLength);
        writeAttachments(hessian, out);
    }

    private void write(ByteBuf out, int begin, TripleFailure failure) {
        if (failure.status() != DubboStatus.OK) {
            setSerialization(out, begin, requests);
            DubboHeader.status(out, begin, failure.status());
            writers.computeIfAbsent(requests, Serialization::newWriter)
                    .reset(out)
                    .writeString(failure.text());
            return;
        }
        serialization = Serialization.HESSIAN2;
        setSerialization(out, begin, serialization);
        hessian.reset(out);
        writeType(hessian, ResultType.EXCEPTION);
        failure.writeException(hessian, out);
        writeAttachments(hessian, out);
    }

    private static void setSerialization(ByteBuf out, int begin, Serialization serialization) {
        DubboHeader.flags(out, begin, serialization.id());
    }
}
