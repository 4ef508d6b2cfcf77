package io.dubbomesh.client.discovery;

import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Finds out what speaks at a port that does not answer a Dubbo heartbeat, so that an operator is told what to set. */
final class PortInspection {
    private static final Logger LOG = LoggerFactory.getLogger(PortInspection.class);

    /** The client's preface of HTTP/2 with empty SETTINGS (RFC 9113, section 3.4). */
    private static final String HTTP_2_PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0";
    /**
     * The type, flags and stream of the first frame of HTTP/2, behind its 24-bit length: SETTINGS, of the whole
     * connection.
     */
    private static final String HTTP_2_SETTINGS = "\4\0\0\0\0\0";

    private static final int LENGTH_BYTES = 3;
    /** Empty SETTINGS with a GOAWAY behind them, as of a consumer agent: it speaks HTTP/2 only to refuse it. */
    private static final Pattern HTTP_2_REFUSED = Pattern.compile("\\x00{3}\\x04\\x00{5}.{3}\\x07.*", Pattern.DOTALL);

    private static final int HTTP_2_HEADER = 9;
    private static final String HTTP_1 = "HTTP/1.";
    /** ZooKeeper answers it with "imok", or that it "is not executed". */
    private static final String ARE_YOU_OK = "ruok";

    private static final String NOT_OK = "ruok is not executed";

    /**
     * A ClientHello of TLS 1.2 with one cipher suite and no extensions (RFC 5246, section 7.4.1.2), which a server
     * refuses at the latest.
     */
    private static final String CLIENT_HELLO =
            "\26\3\1\0\57" + "\1\0\0\53" + "\3\3" + "\0".repeat(32) + "\0" + "\0\2\300\57" + "\1\0" + "\0\0";
    /** The beginning of a record of TLS with an alert or with a message of the handshake. */
    private static final Pattern TLS_RECORD = Pattern.compile("[\\x15\\x16]\\x03");

    private final HostPort address;
    private final boolean isSecure;
    private final long deadlineNs;

    /** @param timeoutMs for all attempts together */
    PortInspection(ProviderContact provider, long timeoutMs) {
        address = provider.address();
        isSecure = provider.tls() != null;
        deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    /** Returns a sentence for operators about what was found. Blocks. */
    String run() {
        if (isSecure) {
            // Nothing is sent to it in plain text.
            return "it has TLS, but does not answer by the protocol of dubbo.protocol.name: " + portHint();
        }
        // A server of HTTP/2 acknowledges the settings, so more than the header of its own ones arrives.
        String answer = answer(HTTP_2_PREFACE, 2 * HTTP_2_HEADER);
        if (answer.startsWith(HTTP_1) || HTTP_2_REFUSED.matcher(answer).matches()) {
            return "it speaks HTTP/1.1 and not Dubbo 2: " + portHint();
        }
        if (answer.startsWith(HTTP_2_SETTINGS, LENGTH_BYTES)) {
            return "it speaks HTTP/2, as Triple does, and not Dubbo 2: set dubbo.protocol.name=tri";
        }
        // Before the next, for which a provider with TLS waits for the rest of a record's header.
        if (TLS_RECORD.matcher(answer(CLIENT_HELLO, 2)).matches()) {
            return "it speaks TLS: set dubbo.tls.mode=on";
        }
        String health = answer(ARE_YOU_OK, NOT_OK.length());
        if (health.equals("imok") || health.equals(NOT_OK)) {
            return "it is a ZooKeeper, not a provider: " + portHint();
        }
        return "it does not speak Dubbo 2: " + portHint();
    }

    private String portHint() {
        return "dubbo.protocol.port (" + address.port() + ") must be the port of the provider's dubbo protocol";
    }

    /** Returns the first bytes of what comes back, as one char each; fewer if the connection or the time ends. */
    private String answer(String request, int length) {
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), timeLeftMs());
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            InputStream in = socket.getInputStream();
            while (answer.length() < length) {
                socket.setSoTimeout(timeLeftMs());
                int next = in.read();
                if (next < 0) {
                    break;
                }
                answer.append((char) next);
            }
        } catch (IOException e) {
            LOG.debug("port {}: {}", address, e.getMessage());
        }
        return answer.toString();
    }

    private int timeLeftMs() throws IOException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
            throw new IOException("no answer in time");
        }
        return (int) Math.min(leftMs, Integer.MAX_VALUE);
    }
}
