package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Tokens;
import io.netty.buffer.ByteBuf;

/** Where a request is addressed to: in Host and in absolute targets. */
final class Authority {
    private Authority() {}

    /** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port (RFC 3986, section 3.2, without user). */
    static boolean is(ByteBuf in, int at, int end) {
        if (at == end) {
            return false;
        }
        if (in.getByte(at) == '[') {
            int address = ++at;
            while (at < end
                    && (PercentText.hex(in.getByte(at)) >= 0 || in.getByte(at) == ':' || in.getByte(at) == '.')) {
                at++;
            }
            if (at == address || at == end || in.getByte(at++) != ']') {
                return false;
            }
        } else {
            int name = at;
            while (at < end && isNameCharacter(in.getByte(at))) {
                at++;
            }
            if (at == name) {
                return false;
            }
        }
        if (at < end && in.getByte(at++) != ':') {
            return false;
        }
        while (at < end && Tokens.isDigit(in.getByte(at))) {
            at++;
        }
        return at == end;
    }

    /** A host's name may have all token characters but four, and five that no token has (RFC 3986, section 3.2.2). */
    private static boolean isNameCharacter(byte character) {
        return switch (character) {
            case '#', '^', '`', '|' -> false;
            case '(', ')', ',', ';', '=' -> true;
            default -> Tokens.isToken(character);
        };
    }
}
