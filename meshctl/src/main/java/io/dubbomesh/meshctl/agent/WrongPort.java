package io.dubbomesh.meshctl.agent;

import io.dubbomesh.runtime.HostPort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Tells by its first bytes which program listens at a port that did not answer as expected. */
final class WrongPort {
    private static final int TIMEOUT_MS = 3000;
    private static final int ENOUGH = 512;
    /** The first two bytes of each frame of the mesh protocol, docs/understand/protocol.md. */
    private static final String MESH = "\u00d3\u00e5";

    private static final String DUBBO = "\u00da\u00bb";
    /** The first bytes of an alert and of a handshake. */
    private static final String[] TLS = {"\u0015\u0003", "\u0016\u0003"};

    private static final String PROVIDER_AGENT = "a provider agent takes calls of consumer agents there";
    private static final String ADMIN_PORTS =
            "an admin port: 20001 of a consumer agent or a gateway, 30001 of a provider agent, unless admin.port is set";

    private WrongPort() {}

    /** Returns why it is no admin port of an agent; null if what listens there speaks HTTP, or nothing does now. */
    static String adminPortProblem(URI address) {
        String found = found(address);
        return found == null
                ? null
                : noAdminPort(address, found, found.equals(PROVIDER_AGENT) ? nextPort(address) : ADMIN_PORTS);
    }

    /** Returns that a consumer agent takes calls there. */
    static String takesCalls(URI address) {
        return noAdminPort(address, "a consumer agent or a gateway takes calls there", nextPort(address));
    }

    /** Returns that an HTTP server answers there which is no agent. */
    static String isAnother(URI address, int status, String path) {
        return noAdminPort(address, "what listens there answered " + status + " to " + path, ADMIN_PORTS);
    }

    /** Returns why it is not where a consumer agent takes requests; null as for {@link #adminPortProblem}. */
    static String frontProblem(URI address) {
        String found = found(address);
        return found == null
                ? null
                : address + " takes no HTTP requests: " + found
                        + " (expected: the HTTP port of a consumer agent or a gateway, 20000 unless server.port is set)";
    }

    private static String noAdminPort(URI address, String found, String expected) {
        return address + " is no admin port: " + found + " (expected: " + expected + ")";
    }

    /** Returns the usual address: an agent's admin port is the one above the port for calls. */
    private static String nextPort(URI address) {
        return "-a " + new HostPort(address.getHost(), address.getPort() + 1) + ", unless admin.port is set";
    }

    private static String found(URI address) {
        String first;
        try {
            first = firstBytes(address);
        } catch (IOException e) {
            return null;
        }
        if (first.startsWith("HTTP/1.")) {
            return null;
        }
        if (first.startsWith(MESH)) {
            return PROVIDER_AGENT;
        }
        if (first.startsWith(DUBBO) || first.contains("dubbo>")) {
            return "a Dubbo provider listens there";
        }
        if (first.startsWith(TLS[0]) || first.startsWith(TLS[1])) {
            return "what listens there speaks TLS";
        }
        return first.isEmpty() ? "what listens there gave no answer" : "what listens there does not speak HTTP";
    }

    /** Returns a character for each byte that is sent, up to the end of the connection or of the time. */
    private static String firstBytes(URI address) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String host = address.getHost().replaceAll("^\\[(.*)]$", "$1");
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, address.getPort()), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            String request =
                    "GET /healthz HTTP/1.1\r\nHost: " + address.getAuthority() + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            read(socket.getInputStream(), bytes);
        }
        return bytes.toString(ISO_8859_1);
    }

    private static void read(InputStream in, ByteArrayOutputStream bytes) {
        byte[] part = new byte[ENOUGH];
        try {
            for (int read = 0; read >= 0 && bytes.size() < ENOUGH; read = in.read(part)) {
                bytes.write(part, 0, read);
            }
        } catch (IOException e) {
            // What came before the time-out or the reset tells enough.
        }
    }
}
