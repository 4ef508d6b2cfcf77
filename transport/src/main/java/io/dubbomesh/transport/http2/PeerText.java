package io.dubbomesh.transport.http2;

import io.netty.buffer.ByteBuf;

/** What a peer has sent, as far as it can stand in a message: printable ASCII, and not much of it. */
final class PeerText {
    static final int MAX_LENGTH = 128;

    private PeerText() {}

    static String of(ByteBuf in, int offset, int length) {
        StringBuilder text = new StringBuilder();
        for (int at = offset; at < offset + Math.min(length, MAX_LENGTH); at++) {
            text.append(printable((char) in.getUnsignedByte(at)));
        }
        return text.toString();
    }

    static String of(String all) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < Math.min(all.length(), MAX_LENGTH); at++) {
            text.append(printable(all.charAt(at)));
        }
        return text.toString();
    }

    private static char printable(char c) {
        return c >= ' ' && c < 0x7f ? c : '?';
    }
}
