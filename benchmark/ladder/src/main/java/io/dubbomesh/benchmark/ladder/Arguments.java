package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The arguments of a call as they stand in mesh frames: each a 32-bit length and UTF-8 text. */
final class Arguments {
    private Arguments() {}

    static void write(ByteBuf out, List<String> texts) {
        for (String text : texts) {
            out.writeInt(ByteBufUtil.utf8Bytes(text));
            out.writeCharSequence(text, UTF_8);
        }
    }

    static List<String> read(ByteBuf in, int offset, int length) throws CallException {
        List<String> texts = new ArrayList<>();
        int end = offset + length;
        for (int at = offset; at < end; ) {
            int textLength = end - at < Integer.BYTES ? -1 : in.getInt(at);
            at += Integer.BYTES;
            if (textLength < 0 || textLength > end - at) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: a length reaches beyond the body");
            }
            texts.add(in.toString(at, textLength, UTF_8));
            at += textLength;
        }
        return texts;
    }
}
