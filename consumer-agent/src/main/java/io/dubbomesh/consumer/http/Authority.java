package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.consumer.text.Words;
import io.netty.buffer.ByteBuf;

/** The address of a request: in Host and in absolute targets. */
final class Authority {
    /** The parts of an IPv6 address, 16 bits each. */
    private static final int GROUPS = 8;

    private static final int GROUP_DIGITS = 4;
    /** The parts of an IPv4 address, 8 bits each. */
    private static final int OCTETS = 4;

    private static final int OCTET_DIGITS = 3;
    private static final int MAX_OCTET = 255;
    private static final int MAX_PORT = 65_535;
    /** Digits that may be one. */
    private static final int PORT_DIGITS = 5;

    private Authority() {}

    /**
     * Returns whether the text is a name, an IPv4 address or an IPv6 address in brackets, with or without a port (RFC
     * 3986, section 3.2, without user).
     */
    static boolean is(ByteBuf in, int at, int end) {
        if (at == end) {
            return false;
        }
        if (in.getByte(at) == '[') {
            int address = at + 1;
            at = Words.firstOf(in, address, end, ']', ']');
            if (at == end || !isIpV6(in, address, at)) {
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

    /** Returns whether it is that with a port, as CONNECT needs it (RFC 9110, section 9.3.6). */
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

    /**
     * Netty's NetUtil takes an IPv4 address at the end only behind zeros and ffff, and allows zeros in front of its
     * numbers.
     */
    private static boolean isIpV6(ByteBuf in, int at, int end) {
        boolean shortened = isTwoColons(in, at, end);
        at += shortened ? 2 : 0;
        int groups = 0;
        while (at < end) {
            int group = at;
            while (at < end && PercentText.hex(in.getByte(at)) >= 0) {
                at++;
            }
            if (at < end && in.getByte(at) == '.') {
                groups += 2;
                if (!isIpV4(in, group, end)) {
                    return false;
                }
                break;
            }
            if (at == group || at - group > GROUP_DIGITS) {
                return false;
            }
            groups++;
            if (isTwoColons(in, at, end)) {
                if (shortened) {
                    return false;
                }
                shortened = true;
                at += 2;
            } else if (at < end && (in.getByte(at++) != ':' || at == end)) {
                return false;
            }
        }
        return shortened ? groups < GROUPS : groups == GROUPS;
    }

    private static boolean isTwoColons(ByteBuf in, int at, int end) {
        return end - at >= 2 && in.getByte(at) == ':' && in.getByte(at + 1) == ':';
    }

    private static boolean isIpV4(ByteBuf in, int at, int end) {
        for (int octets = 1; ; octets++) {
            int octet = at;
            int value = 0;
            while (at < end && at - octet < OCTET_DIGITS && Tokens.isDigit(in.getByte(at))) {
                value = value * 10 + in.getByte(at++) - '0';
            }
            boolean zeroInFront = at - octet > 1 && in.getByte(octet) == '0';
            if (at == octet || value > MAX_OCTET || zeroInFront) {
                return false;
            }
            if (octets == OCTETS) {
                return at == end;
            }
            if (at == end || in.getByte(at++) != '.') {
                return false;
            }
        }
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
