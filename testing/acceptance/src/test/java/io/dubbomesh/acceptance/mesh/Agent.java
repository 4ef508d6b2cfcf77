package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

/** A running agent: where it listens and whether it is ready. */
public final class Agent {
    private static final Duration TO_START = Duration.ofMinutes(3);
    private static final Duration TO_CALL = Duration.ofSeconds(30);

    private final int port;
    private final int adminPort;
    private RunningProcess process;

    public Agent(int port, int adminPort, RunningProcess process) {
        this.port = port;
        this.adminPort = adminPort;
        this.process = process;
    }

    public int port() {
        return port;
    }

    public int adminPort() {
        return adminPort;
    }

    public RunningProcess process() {
        return process;
    }

    public boolean isReady() {
        try {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + adminPort + "/readyz")
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(2000);
            connection.setReadTimeout(2000);
            try {
                return connection.getResponseCode() == 200;
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the text of its readiness for operators. */
    public String readiness() throws IOException {
        return HttpSocket.once(adminPort, "GET /readyz HTTP/1.1\r\nHost: mesh\r\nConnection: close\r\n\r\n")
                .text()
                .strip();
    }

    /** A request to its admin interface, below {@code /api/v1/}. */
    public HttpAnswer admin(String methodAndPath, String body) throws IOException {
        String[] parts = methodAndPath.split(" ");
        return HttpSocket.once(
                adminPort,
                HttpSocket.request(
                        parts[0] + " /api/v1/" + parts[1],
                        body,
                        "Content-Type: application/json",
                        "Connection: close"));
    }

    public void awaitReady() throws Exception {
        Await.until(TO_START, process.log().getFileName() + " is ready", () -> {
            if (!process.isAlive()) {
                throw new AssertionError(process.log().getFileName() + " has ended:\n" + process.output());
            }
            return isReady();
        });
    }

    /**
     * Calls the demo's service of a provider agent over a link, without a consumer agent. Again if the call is given
     * back, which a loop does whose connection to the provider is not open yet.
     */
    public void assertHashByLink(String text) throws Exception {
        Await.untilAsserted(TO_CALL, () -> {
            try (MeshConnection link = MeshConnection.connect(port)) {
                link.exchangeHellos();
                link.send(hashFrame(text));
                MeshFrame frame = link.read();
                while (frame.type() != MeshFrame.RESPONSE) {
                    frame = link.read();
                }
                assertThat(frame.document()).isEqualTo(Integer.toString(text.hashCode()));
            }
        });
    }

    /** Returns the request frame of a call of the demo's service. */
    public static String hashFrame(String text) {
        String body = MeshFrame.formBody(30_000, text);
        // The names stand between the attachments and the arguments for method id 0.
        int behindAttachments = 2 * (Integer.BYTES + Short.BYTES);
        String names = MeshFrame.names(Form.SERVICE, "hash", Form.STRING, "", "");
        return MeshFrame.request(
                1, 0, MeshFrame.FORM, body.substring(0, behindAttachments) + names + body.substring(behindAttachments));
    }

    public void startAgain() throws IOException {
        process = process.again();
    }
}
