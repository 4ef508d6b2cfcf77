package io.dubbomesh.registry;

import io.netty.util.NetUtil;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** A host and a port that another machine can be told to connect to. The host of IPv6 is in its shortest form. */
record Address(String host, int port) {
    private static final int MAX_HOST = 253;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final Pattern NUMERIC = Pattern.compile("[0-9.]*");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    /** @throws IllegalArgumentException naming what is wrong with {@code text}, if it is no usable {@code host:port} */
    static Address parse(String text) {
        return parse(text, 0);
    }

    /** As {@link #parse(String)}, with a port for a text that has none; 0: the port is required. */
    static Address parse(String text, int defaultPort) {
        String host;
        String rest;
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            if (end < 0) {
                throw new IllegalArgumentException("no ] (expected: [address]:port)");
            }
            host = text.substring(1, end);
            if (host.indexOf(':') < 0) {
                throw new IllegalArgumentException("no IPv6 address in [] (expected: [address]:port)");
            }
            rest = text.substring(end + 1);
        } else {
            int colon = text.indexOf(':');
            host = colon < 0 ? text : text.substring(0, colon);
            rest = colon < 0 ? "" : text.substring(colon);
        }
        return new Address(checkedHost(host), port(rest, defaultPort));
    }

    private static int port(String text, int defaultPort) {
        if (text.isEmpty() && defaultPort > 0) {
            return defaultPort;
        }
        if (!text.startsWith(":") || !PORT.matcher(text.substring(1)).matches()) {
            throw new IllegalArgumentException("port missing or malformed (expected: host:port)");
        }
        int port = Integer.parseInt(text.substring(1));
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " (expected: 1-65535)");
        }
        return port;
    }

    /**
     * The host in its canonical form.
     *
     * @throws IllegalArgumentException if it is malformed, or an address that means something else on every machine
     */
    static String checkedHost(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (host.indexOf('%') >= 0 || bytes == null && (host.indexOf(':') >= 0 || !isName(host))) {
            throw new IllegalArgumentException("host malformed (expected: a name or an IP address without zone)");
        }
        if (bytes == null) {
            return host;
        }
        InetAddress address = address(bytes);
        if (address.isAnyLocalAddress() || address.isLinkLocalAddress() || address.isMulticastAddress()) {
            throw new IllegalArgumentException(
                    "host " + host + " (expected: neither wildcard, link-local nor multicast)");
        }
        return NetUtil.toAddressString(address);
    }

    private static boolean isName(String host) {
        return host.length() <= MAX_HOST
                && NAME.matcher(host).matches()
                && !NUMERIC.matcher(host).matches();
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
