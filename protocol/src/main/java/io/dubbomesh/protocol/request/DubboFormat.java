package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboKeys;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.fastjson.FastjsonWriter;
import io.dubbomesh.protocol.value.ArgumentBounds;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Requests as frames of Dubbo 2: the bytes in front of the arguments and most attachments are made once. */
final class DubboFormat implements RequestFormat {
    /** The oldest version that answers with attachments. */
    private static final String DUBBO_VERSION = "2.0.2";

    private final MethodName name;
    private final Serialization serialization;
    private final Invocation invocation;
    private final ExportedAs exported;

    private final ValueWriter writer;
    /** Everything before the arguments. */
    private final byte[] prefix;
    /** The attachments of the last call to which the client had added none, with its time left. */
    private byte[] suffix;

    private long suffixTimeLeftMs;

    DubboFormat(MethodName name, Serialization serialization, Invocation invocation, ExportedAs exported) {
        this.name = name;
        this.serialization = serialization;
        this.invocation = invocation;
        this.exported = exported;
        writer = serialization.newWriter();
        prefix = prefix();
        suffix = suffix(0);
    }

    private byte[] prefix() {
        ByteBuf bytes = Unpooled.buffer();
        writer.reset(bytes);
        writer.writeString(DUBBO_VERSION);
        // Dubbo 2.7 and 3 find the method by this. The name by which the service is exported all versions read from the
        // attachment.
        writer.writeString(name.service());
        writer.writeString(name.version().isEmpty() ? MethodName.NO_VERSION : name.version());
        if (!invocation.generic()) {
            writer.writeString(name.method());
            writer.writeString(invocation.descriptor());
        } else {
            writer.writeString(Invocation.INVOKE);
            writer.writeString(Invocation.INVOKE_DESCRIPTOR);
            writer.writeString(name.method());
            invocation.writeTypes(writer, null);
        }
        return ByteBufUtil.getBytes(bytes);
    }

    private byte[] suffix(long timeLeftMs) {
        suffixTimeLeftMs = timeLeftMs;
        ByteBuf bytes = Unpooled.buffer();
        writer.reset(bytes);
        beginAttachments(timeLeftMs);
        writer.endMap();
        return ByteBufUtil.getBytes(bytes);
    }

    private void beginAttachments(long timeLeftMs) {
        writer.beginMap();
        writeAttachment("path", exported.pathOr(name.service()));
        writeAttachment("interface", name.service());
        if (!name.version().isEmpty()) {
            writeAttachment("version", name.version());
        }
        if (!name.group().isEmpty()) {
            writeAttachment("group", name.group());
        }
        if (invocation.generic()) {
            writeAttachment("generic", "true");
        }
        if (exported.token() != null) {
            writeAttachment("token", exported.token());
        }
        // All versions read the first as the caller's timeout; the second makes 2.7 and later count down what is left.
        String timeLeft = Long.toString(timeLeftMs);
        writeAttachment("timeout", timeLeft);
        writeAttachment("_TO", timeLeft);
    }

    private void writeAttachment(String key, String value) {
        writer.writeKey(key);
        writer.writeString(value);
    }

    @Override
    public void write(ByteBuf out, long requestId, boolean oneWay, CallArguments call) throws CallException {
        int begin = out.writerIndex();
        boolean written = false;
        try {
            int flags = DubboHeader.REQUEST | (oneWay ? 0 : DubboHeader.TWO_WAY) | serialization.id();
            DubboHeader.write(out, flags, 0, requestId, 0);
            out.writeBytes(prefix);
            writer.reset(out);
            invocation.writeArguments(writer, ArgumentBounds.NONE, call);
            if (call.attachmentsLength() == 0) {
                if (call.timeLeftMs() != suffixTimeLeftMs) {
                    suffix = suffix(call.timeLeftMs());
                }
                out.writeBytes(suffix);
            } else {
                writeAttachments(call);
            }
            DubboHeader.bodyLength(out, begin, out.writerIndex() - begin - DubboHeader.LENGTH);
            written = true;
        } finally {
            if (!written) {
                out.writerIndex(begin);
            }
        }
    }

    @Override
    public void checkArguments(ByteBuf scratch, CallArguments call) throws CallException {
        writer.reset(scratch.clear());
        invocation.writeArguments(writer, ArgumentBounds.NONE, call);
    }

    @Override
    public boolean isUnknownMethod(ByteBuf in, int offset) {
        return DubboStatus.isUnknownMethod(in, offset);
    }

    private void writeAttachments(CallArguments call) throws CallException {
        CallerAttachments entries = new CallerAttachments();
        beginAttachments(call.timeLeftMs());
        Attachments.forEach(call.buffer(), call.attachmentsOffset(), call.attachmentsLength(), entries);
        writer.endMap();
        if (entries.refused != null) {
            throw new CallException(
                    Outcome.BAD_REQUEST, "attachment " + Quoted.text(entries.refused) + " cannot be set by callers");
        }
    }

    /** Writes the client's attachments; keeps the key of the first one that is refused. */
    private final class CallerAttachments implements Attachments.Visitor {
        private String refused;

        @Override
        public void entry(ByteBuf block, int keyOffset, int keyLength, int valueOffset, int valueLength) {
            String key = block.toString(keyOffset, keyLength, UTF_8);
            String value = block.toString(valueOffset, valueLength, UTF_8);
            if (!DubboKeys.isOwn(block, keyOffset, keyLength) && !FastjsonWriter.isDirective(key)) {
                writeAttachment(key, value);
            } else if (refused == null) {
                refused = key;
            }
        }
    }
}
