package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Tokens;
import io.netty.buffer.ByteBuf;

/**
 * The extensions behind a chunk's size (RFC 9112, section 7.1.1), none of which means anything here:
 * <pre>
 *  *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )      BWS: blanks
 * </pre>
 */
final class ChunkExtensions {
    private ChunkExtensions() {}

    /**
     * Returns whether {@code in[at, end)} is that; the CR of the line's end is at {@code end}, and no control character
     * but tabs before it.
     */
    static boolean are(ByteBuf in, int at, int end) {
        while (at < end) {
            at = Tokens.skipBlanks(in, at, end);
            if (at == end || in.getByte(at) != ';') {
                return false;
            }
            int name = Tokens.skipBlanks(in, at + 1, end);
            at = Tokens.end(in, name);
            if (at == name) {
                return false;
            }
            int equals = Tokens.skipBlanks(in, at, end);
            if (equals < end && in.getByte(equals) == '=') {
                int value = Tokens.skipBlanks(in, equals + 1, end);
                at = value < end && in.getByte(value) == '"' ? quotedEnd(in, value, end) : Tokens.end(in, value);
                if (at == value) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the index behind the quoted string that begins at {@code start}, or {@code start} if it does not end. */
    private static int quotedEnd(ByteBuf in, int start, int end) {
        for (int at = start + 1; at < end; at++) {
            byte character = in.getByte(at);
            if (character == '"') {
                return at + 1;
            }
            if (character == '\\') {
                at++;
            }
        }
        return start;
    }
}
