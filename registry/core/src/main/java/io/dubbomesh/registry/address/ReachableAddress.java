package io.dubbomesh.registry.address;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import io.netty.util.NetUtil;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** The rules for an address that any machine can be told to connect to. */
public final class ReachableAddress {
    private static final int MAX_HOST = 253;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final Pattern NUMERIC = Pattern.compile("[0-9.]*");

    private ReachableAddress() {}

    /**
     * Reads {@code host:port}; an IP address comes out in its shortest form.
     *
     * @throws IllegalArgumentException naming what is wrong with {@code text}
     */
    public static HostPort parse(String text) {
        return checked(HostPort.parse(text));
    }

    /** Parses like {@link #parse(String)}, with a port for a text that has none. */
    public static HostPort parse(String text, int defaultPort) {
        return checked(HostPort.parse(text, defaultPort));
    }

    private static HostPort checked(HostPort address) {
        return new HostPort(checkedHost(address.host()), address.port());
    }

    /**
     * Returns the host in its canonical form.
     *
     * @throws IllegalArgumentException if it is malformed, or an address that means something else on each machine
     */
    public static String checkedHost(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (host.indexOf('%') >= 0 || bytes == null && (host.indexOf(':') >= 0 || !isName(host))) {
            throw new IllegalArgumentException(
                    PrintableText.brief(host) + " (expected: a name or an IP address without zone)");
        }
        if (bytes == null) {
            return host;
        }
        InetAddress address = address(bytes);
        if (address.isAnyLocalAddress() || address.isLinkLocalAddress() || address.isMulticastAddress()) {
            throw new IllegalArgumentException(host + " (expected: neither wildcard, link-local nor multicast)");
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
}
