package io.dubbomesh.runtime;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A host and a port, in text {@code 192.0.2.7:30000}, {@code example.com:30000} or {@code [2001:db8::7]:30000}.
 *
 * @param host a name or an IP address, IPv6 without brackets; not checked beyond that
 */
public record HostPort(String host, int port) {
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final String SCHEME_END = "://";
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /** Parses as {@link #parse(String, int)}, with the port required. */
    public static HostPort parse(String text) {
        return parse(text, 0);
    }

    /**
     * Reads a text.
     *
     * @param defaultPort for a text without a port; 0: the port is required
     * @throws IllegalArgumentException naming what is wrong with the text
     */
    public static HostPort parse(String text, int defaultPort) {
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            if (end < 0) {
                throw new IllegalArgumentException("no ] (expected: [address]:port)");
            }
            String host = text.substring(1, end);
            if (host.indexOf(':') < 0) {
                throw new IllegalArgumentException("no IPv6 address in [] (expected: [address]:port)");
            }
            return new HostPort(host, port(text.substring(end + 1), defaultPort));
        }
        int colon = text.indexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        if (host.isEmpty()) {
            throw new IllegalArgumentException("host missing (expected: host:port)");
        }
        return new HostPort(host, port(colon < 0 ? "" : text.substring(colon), defaultPort));
    }

    /** Parses as {@link #parse(String)}, also where a scheme and {@code ://} stand in front. */
    public static HostPort parseUri(String text) {
        int scheme = text.indexOf(SCHEME_END);
        return parse(scheme < 0 ? text : text.substring(scheme + SCHEME_END.length()));
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

    /** Returns the host as it was given, without a look-up of its name. */
    public static HostPort of(InetSocketAddress address) {
        return new HostPort(address.getHostString(), address.getPort());
    }

    /** Returns a number of the address, the same in every process: the FNV-1a of its host and port. */
    public long identity() {
        long number = FNV_OFFSET;
        for (int i = 0; i < host.length(); i++) {
            number = (number ^ host.charAt(i)) * FNV_PRIME;
        }
        return (number ^ port) * FNV_PRIME;
    }

    // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at each
    // start, which takes it milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof HostPort that && port == that.port && Objects.equals(host, that.host);
    }

    @Override
    public int hashCode() {
        return 31 * port + Objects.hashCode(host);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
