package io.dubbomesh.runtime.admin;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dubbomesh.runtime.process.StartException;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class AdminApiTest {
    @RegisterExtension
    private final RecordedLog log = new RecordedLog(AdminApi.class);

    private final List<String> changes = new ArrayList<>();
    private AdminServer admin;

    @BeforeEach
    void start() throws StartException {
        start(AdminSettings.Changes.LOCAL);
    }

    private void start(AdminSettings.Changes allowed) throws StartException {
        if (admin != null) {
            admin.close();
        }
        List<Settings.Effective> settings = List.of(new Settings.Effective("server.port", "20000", "20000", "default"));
        admin = AdminServer.start(new AdminSettings("127.0.0.1", 0, allowed, settings), Readiness::ready);
        admin.api()
                .get("/endpoints", request -> List.of("192.0.2.7:30000"))
                .get("/endpoints/{id}", request -> request.name())
                .put("/endpoints/{id}/weight", request -> {
                    int weight = request.integer("weight", 0, 1000);
                    changes.add(request.name() + ' ' + weight);
                    return Map.of("weight", weight);
                })
                .post("/calls", request -> {
                    throw AdminException.unavailable("no answer\nyet");
                })
                .post("/slow", request -> {
                    throw new TimeoutException("loop 0 does not answer");
                })
                .post("/fault", request -> {
                    throw new IllegalStateException("broken on purpose");
                })
                .get("/query", request -> request.query())
                .get("/fault", request -> {
                    throw new IllegalStateException("broken on purpose");
                });
    }

    @AfterEach
    void close() {
        admin.close();
    }

    /** The status line and the body of the answer. */
    private String send(String request, String body) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", admin.port())) {
            socket.setSoTimeout(10_000);
            String head = request.replace("\n", "\r\n") + "\r\nConnection: close\r\nContent-Length: " + body.length();
            socket.getOutputStream().write((head + "\r\n\r\n" + body).getBytes(UTF_8));
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            String status = in.readLine();
            String line = in.readLine();
            while (!line.isEmpty()) {
                line = in.readLine();
            }
            return status + '\n' + in.readLine();
        }
    }

    private String get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\nHost: localhost", "");
    }

    private String put(String headers, String body) throws IOException {
        return send("PUT /api/v1/endpoints/192.0.2.7:30000/weight HTTP/1.1\nHost: localhost\n" + headers, body);
    }

    @Test
    void aDocumentIsJson() throws Exception {
        assertThat(get("/api/v1/endpoints")).isEqualTo("HTTP/1.1 200 OK\n[\"192.0.2.7:30000\"]");
        assertThat(get("/api/v1/endpoints/%5B2001:db8::7%5D:30000"))
                .isEqualTo("HTTP/1.1 200 OK\n\"[2001:db8::7]:30000\"");
    }

    @Test
    void anUnknownPathIsAProblemThatNamesThoseThatExist() throws Exception {
        assertThat(get("/api/v1/endpoint"))
                .startsWith("HTTP/1.1 404 Not Found\n{\"status\":404,\"title\":\"Not Found\",\"detail\":\"no such path")
                .contains("/api/v1/endpoints/{}/weight")
                .endsWith("\"code\":\"NOT_FOUND\"}");
        assertThat(get("/api/v1")).startsWith("HTTP/1.1 404");
        assertThat(get("/api/v10/endpoints")).startsWith("HTTP/1.1 404 Not Found\nnot found");
    }

    @Test
    void whoCallsAServiceAtTheAdminPortIsToldWhereCallsGo() throws Exception {
        assertThat(send("POST /com.acme.Orders/get HTTP/1.1\nHost: localhost", "[1]"))
                .startsWith("HTTP/1.1 404 Not Found\nnot found: this is the admin port;"
                        + " calls go to server.port of a consumer agent or a gateway");
    }

    @Test
    void anotherMethodIs405() throws Exception {
        assertThat(send("DELETE /api/v1/endpoints HTTP/1.1\nHost: localhost", ""))
                .startsWith("HTTP/1.1 405 Method Not Allowed\n{\"status\":405")
                .contains("DELETE (expected: GET)");
    }

    @Test
    void aFaultIs500AndTheServerGoesOn() throws Exception {
        assertThat(get("/api/v1/fault")).contains("500 ", "INTERNAL_ERROR").doesNotContain("on purpose");
        assertThat(get("/api/v1/endpoints")).contains("200 OK");
    }

    @Test
    void aChangeIsMadeAndLoggedWithWhoAndWhat() throws Exception {
        assertThat(put("Content-Type: application/json\nUser-Agent: meshctl (you)", "{\"weight\": 5}"))
                .isEqualTo("HTTP/1.1 200 OK\n{\"weight\":5}");

        assertThat(changes).containsExactly("192.0.2.7:30000 5");
        assertThat(log.lines(Level.INFO))
                .singleElement()
                .asString()
                .startsWith("PUT /api/v1/endpoints/192.0.2.7:30000/weight {\"weight\": 5} by /127.0.0.1:")
                .endsWith("(meshctl (you))");
    }

    @ParameterizedTest
    @CsvSource({
        "calls, no answer\\nyet",
        "slow, loop 0 does not answer",
        "fault, java.lang.IllegalStateException: broken on purpose",
    })
    void aChangeThatFailsIsLoggedTooSinceItMayHaveBeenMade(String path, String failure) throws Exception {
        send("POST /api/v1/" + path + " HTTP/1.1\nHost: localhost\nContent-Type: application/json", "{\"a\":1}");

        assertThat(log.lines(Level.INFO))
                .singleElement()
                .asString()
                .startsWith("POST /api/v1/" + path + " {\"a\":1} by /127.0.0.1:")
                .endsWith("(no User-Agent) failed: " + failure);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"weight\":1001}", "{\"weight\":\"5\"}", "{\"weight\":-1}", "{}", "", "[5]", "{"})
    void aWrongBodyChangesNothing(String body) throws Exception {
        assertThat(put("Content-Type: application/json", body))
                .startsWith("HTTP/1.1 400 Bad Request\n")
                .contains("\"code\":\"BAD_REQUEST\"");
        assertThat(changes).isEmpty();
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void aBodyOfMoreThan16KibibytesIsRefused() throws Exception {
        assertThat(put("Content-Type: application/json", " ".repeat(16 * 1024 + 1)))
                .contains("413", "TOO_LARGE");
    }

    @Test
    void aPageOfAnotherServerChangesNothing() throws Exception {
        String body = "{\"weight\":5}";

        assertThat(put("Content-Type: text/plain", body)).contains("415", "UNSUPPORTED_MEDIA_TYPE");
        assertThat(put("Content-Type: application/json\nOrigin: http://evil.example", body))
                .contains("403", "FORBIDDEN");
        // A name that was made to point here is the page's own server for the browser.
        assertThat(send(
                        "PUT /api/v1/endpoints/a:1/weight HTTP/1.1\nHost: evil.example:20001\n"
                                + "Origin: http://evil.example:20001\nContent-Type: application/json",
                        body))
                .contains("403", "FORBIDDEN");
        assertThat(send(
                        "PUT /api/v1/endpoints/a:1/weight HTTP/1.0\nOrigin: http://null\nContent-Type: application/json",
                        body))
                .contains("403", "FORBIDDEN");
        assertThat(changes).isEmpty();

        assertThat(put("Content-Type: application/json\nOrigin: http://localhost", body))
                .contains("200");
    }

    @Test
    void anAgentThatTakesNoChangesSaysWhichSettingRefusesThem() throws Exception {
        start(AdminSettings.Changes.NONE);

        assertThat(put("Content-Type: application/json", "{\"weight\":5}"))
                .contains("403", "FORBIDDEN", "admin.changes: none");
        assertThat(get("/api/v1/endpoints")).contains("200");
    }

    @Test
    void theSettingsInForceAreShown() throws Exception {
        assertThat(get("/api/v1/config"))
                .endsWith("{\"settings\":[{\"key\":\"server.port\",\"value\":\"20000\",\"defaultValue\":\"20000\","
                        + "\"origin\":\"default\"}]}");
    }

    @Test
    void aLoggerGoesBackToTheLevelThatIsConfigured() throws Exception {
        String json = " HTTP/1.1\nHost: localhost\nContent-Type: application/json";
        for (String[] configured : new String[][] {
            {"io.dubbomesh", "info"},
            {"ROOT", "warn"},
            {"io.netty.handler.ssl.SslHandler", "error"},
            {"org.apache.zookeeper", "off"}
        }) {
            LoggerFactory.getLogger(configured[0]);
            String change = "PUT /api/v1/loggers/" + configured[0] + json;

            assertThat(send(change, "{\"level\":\"trace\"}")).endsWith("\"level\":\"trace\"}");
            assertThat(send(change, "{\"level\":null}")).endsWith("\"level\":\"" + configured[1] + "\"}");
        }
    }

    @Test
    void theLevelOfALoggerIsChangedAndGivenBackToItsParent() throws Exception {
        String path = "/api/v1/loggers/" + AdminApi.class.getName();
        Logger logger = (Logger) LoggerFactory.getLogger(AdminApi.class);
        String change = "PUT " + path + " HTTP/1.1\nHost: localhost\nContent-Type: application/json";

        assertThat(send(change, "{\"level\":\"trace\"}")).endsWith("\"level\":\"trace\"}");
        assertThat(logger.isTraceEnabled()).isTrue();
        assertThat(get("/api/v1/loggers")).contains('"' + AdminApi.class.getName() + "\":\"trace\"");

        assertThat(send(change, "{\"level\":null}")).startsWith("HTTP/1.1 200");
        assertThat(logger.getLevel()).isNull();
    }

    @Test
    void aWrongLevelAndAnUnknownLoggerAreNamed() throws Exception {
        String json = " HTTP/1.1\nHost: localhost\nContent-Type: application/json";

        assertThat(send("PUT /api/v1/loggers/io.dubbomesh" + json, "{\"level\":\"loud\"}"))
                .contains("400", "level: loud (expected: one of off, error, warn, info, debug, trace, or null");
        assertThat(send("PUT /api/v1/loggers/io.dubbomesh" + json, "{}"))
                .contains("400", "level: not set (expected: one of off, ", ", or null for what is configured)");
        assertThat(send("PUT /api/v1/loggers/no.such" + json, "{\"level\":\"info\"}"))
                .contains("404", "no logger no.such");
    }

    @Test
    void theParametersOfAQueryAreDecoded() throws IOException {
        assertThat(get("/api/v1/query?version=1%2F2&group=a+b&group=c%20d&empty"))
                .endsWith("{\"version\":\"1/2\",\"group\":\"c d\",\"empty\":\"\"}");
        assertThat(get("/api/v1/query?version=%ZZ")).contains("400");
    }

    @Test
    void aClientIsToldWhetherItMayChangeSomething() throws Exception {
        assertThat(get("/api/v1/access")).endsWith("{\"changes\":true}");
        assertThat(send("GET /api/v1/access HTTP/1.1\nHost: localhost\nOrigin: http://example.com", ""))
                .contains("\"changes\":false", "a page of another server");

        start(AdminSettings.Changes.NONE);

        assertThat(get("/api/v1/access"))
                .endsWith("{\"changes\":false,\"reason\":\"this agent takes no changes (admin.changes: none)\"}");
    }
}
