package io.dubbomesh.chaos.provider;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A call of a method with one text.
 *
 * @param requestId of the Dubbo request, or the stream of HTTP/2
 */
record ProviderCall(long requestId, String method, String argument) {

    /** Reads a body in Hessian 2: protocol version, path, service version, method, descriptor and text. */
    static ProviderCall read(long requestId, ByteBuffer in) throws IOException {
        for (int i = 0; i < 3; i++) {
            text(in);
        }
        String method = text(in);
        text(in);
        return new ProviderCall(requestId, method, text(in));
    }

    /** Reads a text in Hessian 2: chunks {@code R length16}, the last {@code S length16} or short. */
    static String text(ByteBuffer in) throws IOException {
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

    /** Each char of UTF-16 by itself in one to three bytes, as UTF-8 would have it. */
    private static String chars(ByteBuffer in, int length) throws IOException {
        if (length > in.remaining()) {
            throw new EOFException("a string without its end");
        }
        char[] chars = new char[length];
        for (int i = 0; i < length; i++) {
            int first = in.get();
            if (first >= 0) {
                chars[i] = (char) first;
            } else if ((first & 0xe0) == 0xc0) {
                chars[i] = (char) ((first & 0x1f) << 6 | in.get() & 0x3f);
            } else {
                chars[i] = (char) ((first & 0xf) << 12 | (in.get() & 0x3f) << 6 | in.get() & 0x3f);
            }
        }
        return new String(chars);
    }
}
