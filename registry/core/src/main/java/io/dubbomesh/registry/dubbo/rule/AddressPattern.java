package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.runtime.HostPort;
import io.netty.util.NetUtil;

import java.util.Arrays;

/**
 * An address as rules write it: {@code 192.0.2.7:20880}, {@code 192.0.2.7}, {@code *}, {@code 192.0.2.*:20880},
 * {@code 192.0.2.1-9}, {@code 192.0.2.0/24}, {@code 0.0.0.0:20880} for any host. One that is malformed matches nothing
 * but itself. Names are never looked up.
 */
public final class AddressPattern {
    private static final String ANY_HOST = "0.0.0.0";
    private static final int BITS = 8;

    private AddressPattern() {}

    public static boolean matches(String pattern, HostPort address) {
        String text = pattern.strip();
        if (text.equals("*") || text.equals("*.*.*.*") || text.equals(address.toString())) {
            return true;
        }
        if (text.equals(ANY_HOST + ':' + address.port())) {
            return true;
        }
        if (text.indexOf('/') >= 0) {
            return isInSubnet(text, address.host());
        }
        String host = text;
        int colon = portColon(text);
        if (colon >= 0) {
            if (!text.substring(colon + 1).equals(Integer.toString(address.port()))) {
                return false;
            }
            host = text.substring(0, colon);
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return matchesHost(host, address.host());
    }

    /** Returns whether it matches nothing but the address or the host that is written like it. */
    static boolean isExact(String pattern) {
        int colon = pattern.indexOf(':');
        if (colon != pattern.lastIndexOf(':') || !pattern.equals(pattern.strip())) {
            return false;
        }
        String host = colon < 0 ? pattern : pattern.substring(0, colon);
        if (host.equals(ANY_HOST) || host.chars().anyMatch(c -> "*/[".indexOf(c) >= 0)) {
            return false;
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address != null) {
            return NetUtil.bytesToIpAddress(address).equals(host);
        }
        return host.indexOf('-') < 0 || host.chars().anyMatch(Character::isLetter);
    }

    /** Returns the offset of a port's colon, or -1: an IPv6 address without brackets has none. */
    private static int portColon(String text) {
        int last = text.lastIndexOf(':');
        return text.indexOf(':') == last || text.lastIndexOf("]:") == last - 1 && last > 0 ? last : -1;
    }

    private static boolean matchesHost(String pattern, String host) {
        if (pattern.equals(host)) {
            return true;
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address == null) {
            return false;
        }
        if (pattern.indexOf('*') < 0 && pattern.indexOf('-') < 0) {
            byte[] same = NetUtil.createByteArrayFromIpAddressString(pattern);
            return same != null && Arrays.equals(same, address);
        }
        boolean four = address.length == Integer.BYTES;
        String[] segments = pattern.split(four ? "\\." : ":", -1);
        if (segments.length != (four ? Integer.BYTES : BITS)) {
            return false;
        }
        for (int i = 0; i < segments.length; i++) {
            int value = four ? address[i] & 0xff : (address[2 * i] & 0xff) << BITS | address[2 * i + 1] & 0xff;
            if (!matchesSegment(segments[i], value, four ? 10 : 16)) {
                return false;
            }
        }
        return true;
    }

    private static boolean matchesSegment(String segment, int value, int radix) {
        if (segment.equals("*")) {
            return true;
        }
        int dash = segment.indexOf('-');
        try {
            int low = Integer.parseInt(dash < 0 ? segment : segment.substring(0, dash), radix);
            int high = dash < 0 ? low : Integer.parseInt(segment.substring(dash + 1), radix);
            return low <= value && value <= high;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isInSubnet(String subnet, String host) {
        int slash = subnet.indexOf('/');
        byte[] network = NetUtil.createByteArrayFromIpAddressString(subnet.substring(0, slash));
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        int prefix;
        try {
            prefix = Integer.parseInt(subnet.substring(slash + 1));
        } catch (NumberFormatException e) {
            return false;
        }
        if (network == null || address == null || network.length != address.length || prefix < 0) {
            return false;
        }
        for (int i = 0; i < network.length; i++) {
            int bits = Math.max(0, Math.min(BITS, prefix - i * BITS));
            int mask = 0xff << BITS - bits;
            if (((network[i] ^ address[i]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }
}
