package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Tokens;
import io.netty.buffer.ByteBuf;
import io.netty.util.NetUtil;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Where a request is addressed to: in Host and in absolute targets. */
final class Authority {
    private static final int MAX_ADDRESS = "0000:0000:0000:0000:0000:0000:255.255.255.255".length();
    private static final int MAX_PORT = 65_535;
    /** Digits that may be one. */
    private static final int PORT_DIGITS = 5;

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
            // With this length first, no text is made of what is far from an address.
            if (at - address > MAX_ADDRESS || at == end || in.getByte(at) != ']') {
                return false;
            }
            if (!NetUtil.isValidIpV6Address(in.toString(address, at - address, US_ASCII))) {
                return false;
            }
            at++;
        } else {
            int name = at;
            at = nameEnd(in, at, end);
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

    /** Whether it is that with a port, as CONNECT needs it (RFC 9110, section 9.3.6). */
    static boolean isWithPort(ByteBuf in, int at, int end) {
        int digits = end;
        while (digits > at && Tokens.isDigit(in.getByte(digits - 1))) {
            digits--;
        }
        if (!is(in, at, end) || in.getByte(digits - 1) != ':' || end - digits > PORT_DIGITS) {
            return false;
        }
        int port = 0;
        for (int i = digits; i < end; i++) {
            port = port * 10 + in.getByte(i) - '0';
        }
        return port > 0 && port <= MAX_PORT;
    }

    private static int nameEnd(ByteBuf in, int at, int end) {
        while (at < end) {
            if (isNameCharacter(in.getByte(at))) {
                at++;
            } else if (PercentText.escaped(in, at, end) >= 0) {
                at += 3;
            } else {
                break;
            }
        }
        return at;
    }

    /** A host's name may have all token characters but five, and five that no token has (RFC 3986, section 3.2.2). */
    private static boolean isNameCharacter(byte character) {
        return switch (character) {
            case '#', '%', '^', '`', '|' -> false;
            case '(', ')', ',', ';', '=' -> true;
            default -> Tokens.isToken(character);
        };
    }
}
