package io.dubbomesh.protocol.fastjson;

import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Appends values as Dubbo's fastjson serialization reads them: JSON, each value on a line of its own. All of it is
 * ASCII, since the provider decodes the bytes by its platform's charset. Reused from body to body; owned by one event
 * loop.
 */
public final class FastjsonWriter implements ValueWriter {
    private ByteBuf out;
    private int depth;
    /** Whether the next value or key is the first on the line or after an opening bracket or a colon. */
    private boolean first;

    @Override
    public FastjsonWriter reset(ByteBuf out) {
        this.out = out;
        depth = 0;
        first = true;
        return this;
    }

    private void begin() {
        if (!first) {
            out.writeByte(',');
        }
    }

    private void end() {
        first = depth == 0;
        if (first) {
            out.writeByte('\n');
        }
    }

    private void writeToken(String token) {
        begin();
        JsonText.writeAscii(out, token);
        end();
    }

    @Override
    public void writeNull() {
        writeToken("null");
    }

    @Override
    public void writeBoolean(boolean value) {
        writeToken(value ? "true" : "false");
    }

    @Override
    public void writeInt(int value) {
        writeLong(value);
    }

    @Override
    public void writeLong(long value) {
        begin();
        JsonText.writeLong(out, value);
        end();
    }

    @Override
    public void writeDouble(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(value + " cannot be sent by the serialization fastjson");
        }
        writeToken(Double.toString(value));
    }

    @Override
    public void writeBigInteger(BigInteger value) {
        writeToken(value.toString());
    }

    @Override
    public void writeBigDecimal(BigDecimal value) {
        writeToken(value.toString());
    }

    @Override
    public void writeString(CharSequence value) {
        writeQuoted(value);
        end();
    }

    private void writeQuoted(CharSequence value) {
        begin();
        out.writeByte('"');
        for (int i = 0; i < value.length(); i++) {
            JsonText.writeAsciiChar(out, value.charAt(i));
        }
        out.writeByte('"');
    }

    @Override
    public void writeUtf8(ByteBuf in, int offset, int length) throws MalformedValueException {
        if (JsonText.plainEnd(in, offset, offset + length) < offset + length) {
            Utf8.require(in, offset, length);
            writeString(in.toString(offset, length, UTF_8));
            return;
        }
        begin();
        out.writeByte('"').writeBytes(in, offset, length).writeByte('"');
        end();
    }

    @Override
    public void writeBinary(byte[] value) {
        writeString(Base64.getEncoder().encodeToString(value));
    }

    @Override
    public void writeDate(long epochMs) {
        writeLong(epochMs);
    }

    @Override
    public void writeTime(Object value) {
        writeString(value.toString());
    }

    @Override
    public void writeEnum(String className, String constant) {
        writeString(constant);
    }

    /**
     * The type is left out: a provider reads what its method declares, and instantiates no class that a caller names.
     */
    @Override
    public int beginList(String type) {
        begin();
        out.writeByte('[');
        depth++;
        first = true;
        return 0;
    }

    @Override
    public void endList(int begin, int length) {
        out.writeByte(']');
        depth--;
        end();
    }

    @Override
    public void beginMap() {
        begin();
        out.writeByte('{');
        depth++;
        first = true;
    }

    /** Begins a list without the class. */
    @Override
    public void beginMap(String className) {
        beginMap();
    }

    @Override
    public boolean namesClasses() {
        return false;
    }

    /** Returns whether fastjson reads this key as the class to instantiate or as a reference. */
    public static boolean isDirective(CharSequence key) {
        return "@type".contentEquals(key) || "$ref".contentEquals(key);
    }

    /** @throws IllegalArgumentException if the key is a {@linkplain #isDirective directive} */
    @Override
    public void writeKey(CharSequence key) {
        if (isDirective(key)) {
            throw new IllegalArgumentException(
                    "key " + Quoted.text(key) + " cannot be sent by the serialization fastjson");
        }
        writeQuoted(key);
        out.writeByte(':');
        first = true;
    }

    @Override
    public void endKey() {
        out.writeByte(':');
        first = true;
    }

    @Override
    public boolean isReadByAnnotations() {
        return true;
    }

    @Override
    public void endMap() {
        out.writeByte('}');
        depth--;
        end();
    }
}
