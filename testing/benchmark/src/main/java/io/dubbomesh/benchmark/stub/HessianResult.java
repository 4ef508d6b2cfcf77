package io.dubbomesh.benchmark.stub;

import io.dubbomesh.protocol.hessian.HessianWriter;
import io.netty.buffer.ByteBuf;

/** Writes the results of calls in Hessian 2. Has scratch space; owned by one event loop. */
final class HessianResult {
    private final HessianWriter writer = new HessianWriter();
    private String filler = "";

    /** @param length of a text that begins with the hash; 0 for an int */
    void write(ByteBuf out, int hash, int length) {
        if (length == 0) {
            out.writeByte('I').writeInt(hash);
        } else {
            writer.reset(out).writeString(text(hash, length));
        }
    }

    private String text(int hash, int length) {
        String digits = Integer.toString(hash);
        int more = Math.max(0, length - digits.length());
        if (filler.length() < more) {
            filler = "x".repeat(length);
        }
        return digits + filler.substring(0, more);
    }
}
