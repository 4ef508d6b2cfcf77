package io.dubbomesh.benchmark.ledger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class LedgerTest {
    private static final String RIGHT = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s";

    @Test
    void whatIsSentIsRightOrWrongOrRefusedOrLost() throws Exception {
        String[] answers = {
            RIGHT.formatted(10, "-539872877"),
            RIGHT.formatted(1, "7"),
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
            ""
        };
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> serve(server, answers));
            serving.start();

            Tally tally = new Ledger("127.0.0.1", server.getLocalPort(), 30).run(1);

            assertThat(tally.toString()).startsWith("sent=4 right=1 wrong=1 lost=1 503=1 (client 0 call 3: ");
            assertThat(tally.nothingLost()).isFalse();
        }
    }

    /** Reads a request and gives an answer to it, one after the other, and hangs up for good. */
    private static void serve(ServerSocket server, String[] answers) {
        try (Socket client = server.accept()) {
            for (String answer : answers) {
                for (byte[] read = new byte[4]; !new String(read, US_ASCII).equals("\r\n\r\n"); ) {
                    System.arraycopy(read, 1, read, 0, 3);
                    read[3] = (byte) client.getInputStream().read();
                }
                client.getOutputStream().write(answer.getBytes(US_ASCII));
            }
            server.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
