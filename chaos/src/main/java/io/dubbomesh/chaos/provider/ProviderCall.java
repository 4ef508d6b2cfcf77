package io.dubbomesh.chaos.provider;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A call as its Hessian 2 body says it: protocol version, path, service version, method, descriptor and one text.
 *
 * @param requestId of the Dubbo request
 */
record ProviderCall(long requestId, String method, String argument) {

    static ProviderCall read(long requestId, ByteBuffer in) throws IOException {
        for (int i = 0; i < 3; i++) {
            text(in);
        }
        String method = text(in);
        text(in);
        return new ProviderCall(requestId, method, text(in));
    }

    /** Chunks {@code R length16}, the last {@code S length16} or short; each byte is a character, since callers send ASCII. */
    private static String text(ByteBuffer in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (in.hasRemaining()) {
            int tag = in.get() & 0xff;
            if (tag < 0x20) {
                return text.append(chars(in, tag)).toString();
            }
            if (tag >= 0x30 && tag <= 0x33) {
                return text.append(chars(in, (tag & 3) << 8 | in.get() & 0xff)).toString();
            }
            if (tag == 'N') {
                return "";
            }
            if (tag != 'R' && tag != 'S') {
                throw new IOException("tag " + tag + " (expected: of a string)");
            }
            text.append(chars(in, in.getShort() & 0xffff));
            if (tag == 'S') {
                return text.toString();
            }
        }
        throw new EOFException("a string without its end");
    }

    private static String chars(ByteBuffer in, int length) throws IOException {
        if (length > in.remaining()) {
            throw new EOFException("a string without its end");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, ISO_8859_1);
    }
}
