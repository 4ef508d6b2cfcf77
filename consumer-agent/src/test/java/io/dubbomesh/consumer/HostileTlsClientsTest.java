package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients whose handshake is right, and who then cost what they can. */
class HostileTlsClientsTest extends HttpsFixture {
    private static final String ARGUMENT = "argument";
    /** Four times as many as there is room for. */
    private static final int HALVES = 64;

    private static final int MORE_THAN_ALLOWED = 1000;
    /** The part of a budget of 1 MiB that is for strangers. */
    private static final int FOR_STRANGERS = 1 << 18;

    /** The header of a record of 16 KiB, and nearly all of it. */
    private static byte[] halfOfARecord() {
        byte[] half = new byte[16 * 1024];
        half[0] = 23;
        half[1] = 3;
        half[2] = 3;
        half[3] = 0x40;
        return half;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void halvesOfRecordsCountAndEndConnectionsForWhichThereIsNoRoom(String protocol) throws Exception {
        startWithPorts(
                https("memory.budget", "1 MiB", "io.threads", "1", "http.head-timeout", "60 s"),
                opened(new ServingPeer()).port());
        HttpSocket good = client(protocol);
        assertThat(good.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        List<Socket> halves = new ArrayList<>();
        // The JDK sends a close_notify for those without a reference, and that would be the other half.
        List<SSLSocket> theirTls = new ArrayList<>();
        try {
            for (int i = 0; i < HALVES; i++) {
                Socket plain = new Socket(InetAddress.getLoopbackAddress(), port());
                halves.add(plain);
                plain.setSoTimeout(30_000);
                theirTls.add(handshake(plain, protocol));
                plain.getOutputStream().write(halfOfARecord());
                assertThat(bytesHeld()).isLessThanOrEqualTo(FOR_STRANGERS);
            }
            assertThat(good.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
            Await.until("what there is room for is held", () -> bytesHeld() > FOR_STRANGERS / 2);
            Await.until(
                    "the others are closed",
                    () -> scrape().sum("dubbomesh_consumer_connections") <= 1 + FOR_STRANGERS / (16 * 1024));
            assertThat(client(protocol).call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
            assertThat(theirTls).hasSameSizeAs(halves);
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
        Await.until("nothing is held", () -> bytesHeld() == 0);
        assertThat(good.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
    }

    @Test
    void halfOfARecordEndsTheConnectionWhenTheTimeForAHeadIsOver() throws Exception {
        startWithPorts(
                https("http.head-timeout", "500 ms", "http.min-body-rate", "1000000"),
                opened(new ServingPeer()).port());
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port())) {
            plain.setSoTimeout(30_000);
            SSLSocket tls = handshake(plain, "TLSv1.3");
            plain.getOutputStream().write(halfOfARecord());
            Await.until("its bytes count", () -> bytesHeld() > 0);

            Await.until("it is closed", () -> scrape().sum("dubbomesh_consumer_connections") == 0);
            assertThat(tls.isClosed()).isFalse();
        }
        Await.until("nothing is held", () -> bytesHeld() == 0);
    }

    /** At 8,000 bytes a second, half of a record of 16 KiB has two seconds. */
    @Test
    void aBodyMayComeAtTheLeastRateInOneRecord() throws Exception {
        startWithPorts(
                https("http.body-timeout", "100 ms", "http.min-body-rate", "8000"),
                opened(new ServingPeer()).port());
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port())) {
            plain.setSoTimeout(30_000);
            HttpSocket client = new HttpSocket(handshake(plain, "TLSv1.3"));
            String request = Requests.form("x".repeat(20_000));
            long sinceNs = System.nanoTime();
            client.send(request.substring(0, request.indexOf("\r\n\r\n") + 4));
            plain.getOutputStream().write(halfOfARecord());

            assertThat(client.answer().status()).isEqualTo(408);
            assertThat(Duration.ofNanos(System.nanoTime() - sinceNs)).isGreaterThan(Duration.ofSeconds(2));
        }
    }

    /** Some clients write both at once. */
    @Test
    void aHeadMayComeInOneRecordWithItsBodyAtTheLeastRate() throws Exception {
        startWithPorts(
                https("http.head-timeout", "100 ms", "http.min-body-rate", "8000"),
                opened(new ServingPeer()).port());
        try (WithholdingSocket plain = new WithholdingSocket(port())) {
            plain.setSoTimeout(30_000);
            HttpSocket client = new HttpSocket(handshake(plain, "TLSv1.3"));
            plain.withholds = true;
            long sinceNs = System.nanoTime();
            client.send(Requests.form("x".repeat(8_000)));
            Await.until("the time for a head is long over", () -> System.nanoTime() - sinceNs > 700_000_000);
            plain.sendLastByte();

            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    /** Keeps the last byte of a write back. */
    private static final class WithholdingSocket extends Socket {
        private volatile boolean withholds;
        private int lastByte;

        WithholdingSocket(int port) throws IOException {
            super(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            OutputStream out = super.getOutputStream();
            return new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    out.write(value);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    out.write(bytes, offset, withholds ? length - 1 : length);
                    lastByte = bytes[offset + length - 1];
                }
            };
        }

        void sendLastByte() throws IOException {
            withholds = false;
            super.getOutputStream().write(lastByte);
        }
    }

    @Test
    void aRecordThatIsTooLongEndsTheConnectionBeforeItComes() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port())) {
            plain.setSoTimeout(30_000);
            handshake(plain, "TLSv1.3");
            plain.getOutputStream().write(new byte[] {23, 3, 3, 0x48, 1});

            Await.until("it is closed", () -> scrape().sum("dubbomesh_consumer_connections") == 0);
        }
    }

    /** Makes the connection one of TLS, whose output goes on as plain bytes. */
    private static SSLSocket handshake(Socket plain, String protocol) throws Exception {
        SSLContext context = context(null);
        SSLSocket tls =
                (SSLSocket) context.getSocketFactory().createSocket(plain, "agent.test", plain.getPort(), false);
        tls.setEnabledProtocols(new String[] {protocol});
        tls.startHandshake();
        return tls;
    }

    @Test
    void updatesOfKeysWithoutDataEndTheConnection() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());
        HttpSocket good = client("TLSv1.3");
        assertThat(good.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        SSLSocket updating = connect(null, "TLSv1.3", 0);
        HttpSocket updated = new HttpSocket(updating);
        for (int i = 0; i < 10; i++) {
            // In TLS 1.3 that is an update of the keys, with the demand for one of the agent's.
            updating.startHandshake();
        }
        assertThat(updated.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);

        assertThat(updatesUntilTheEnd(updating)).isLessThan(MORE_THAN_ALLOWED);

        assertThat(good.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        Await.until("the connection is closed", () -> scrape().sum("dubbomesh_consumer_connections") == 1);
    }

    private static int updatesUntilTheEnd(SSLSocket tls) {
        for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
            try {
                tls.startHandshake();
                // So that one comes after the other.
                Thread.sleep(1);
            } catch (IOException ended) {
                return i;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return MORE_THAN_ALLOWED;
    }
}
