package io.dubbomesh.consumer;

import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the reports on the authentication of callers: metrics, logs, and refused files. */
class AuthReportsTest extends CallerFixture {
    @Test
    void operatorsSeeHowManyWereRefusedAndTheAccessLogWhoCalled() throws Exception {
        Path log = directory.resolve("access.log");
        start("http.auth.rules", rules("allow ana a.B"), "access.log", log.toString());
        for (String header : new String[] {ANA, BO, WRONG, "X-Nothing: 1"}) {
            call(header);
        }
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total", "code", "FORBIDDEN"))
                .isEqualTo(1);
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total", "code", "INVALID_TOKEN"))
                .isEqualTo(1);
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total", "code", "UNAUTHENTICATED"))
                .isEqualTo(1);
        try (var in = URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/state")
                .toURL()
                .openStream()) {
            Map<?, ?> state = (Map<?, ?>) Json.read(new String(in.readAllBytes()));
            assertThat(state.get("authenticatesCallers")).isEqualTo(true);
            assertThat(state.get("refusedCallers")).isEqualTo(3L);
        }
        Await.until("four lines", () -> Files.readAllLines(log).size() == 4);
        List<String> lines = Files.readAllLines(log);
        assertThat(lines.get(0)).contains("\"subject\":\"ana\"");
        assertThat(lines.get(1)).contains("\"subject\":\"bo\"").contains("FORBIDDEN");
        assertThat(lines.get(2)).doesNotContain("subject").contains("INVALID_TOKEN");
        assertThat(lines.get(3)).doesNotContain("subject").contains("UNAUTHENTICATED");
        assertThat(String.join("", lines)).doesNotContain("-token-");
    }

    private HttpResponse<String> admin(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/" + path));
        if (body != null) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        for (String header : headers) {
            request.header("Authorization", header.substring(header.indexOf(' ') + 1));
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void anOperatorCallsAsTheCallerWhoseTokenIsGiven() throws Exception {
        start("http.auth.rules", rules("allow ana a.B"));
        String call = "{\"service\":\"a.B\",\"method\":\"m\",\"arguments\":\"[\\\"x\\\"]\"}";
        assertThat(admin("call", call, ANA).body()).contains("\"status\":200");
        assertThat(admin("call", call, BO).body()).contains("\"status\":403", "FORBIDDEN", "may not call a.B#m");
        assertThat(admin("call", call, WRONG).body()).contains("\"status\":401", "INVALID_TOKEN", "is not valid");
        assertThat(admin("call", call).body()).contains("\"status\":401", "UNAUTHENTICATED", "no credentials");
        assertThat(admin("services/a.B", null).body()).contains("no description: no credentials");
        assertThat(admin("services/a.B", null, BO).body()).contains("no description: ", "may not call a.B#$describe");
        assertThat(peer.requests()).isEqualTo(1);
    }

    @Test
    void anAgentThatAnybodyMayCallSaysSoIfOthersCanReachIt() throws Exception {
        startWithPorts(Map.of("server.host", "0.0.0.0"), 1);
        assertThat(logged.warnings())
                .anyMatch(line -> line.matches(
                        "whoever reaches 0.0.0.0:\\d+ may call every service: set http.auth, .*server.host.*"));
    }

    @Test
    void anAgentThatTakesTokensInTheClearSaysSoIfOthersCanReachIt() throws Exception {
        start("server.host", "0.0.0.0");
        assertThat(logged.warnings())
                .anyMatch(line -> line.matches(
                        "tokens come to 0.0.0.0:\\d+ in the clear: set http.tls.cert .*, or server.host to .*loopback"))
                .noneMatch(line -> line.startsWith("whoever"));
    }

    @Test
    void aTokenFileThatEveryUserCanReadIsLogged() throws Exception {
        Path tokens = directory.resolve("tokens");
        String line = "http.auth.token-file: " + tokens
                + " can be read by every user of this machine (expected: chmod o-rwx)";
        start();
        assertThat(logged.warnings()).doesNotContain(line);
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r--r--"));
        Await.until("it is logged", () -> logged.warnings().contains(line));
    }

    @Test
    void aTokenFileWithDigestsAloneMayBeReadByEveryUser() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana sha256:" + "5a".repeat(32) + '\n');
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r--r--"));
        startWithPorts(with(), 1);
        assertThat(logged.warnings()).noneMatch(line -> line.startsWith("http.auth.token-file"));
        Files.writeString(tokens, "ana anas-token-of-26-characters\n");
        Await.until(
                "its token is logged as no secret",
                () -> logged.warnings().stream().anyMatch(line -> line.startsWith("http.auth.token-file")));
    }

    @Test
    void anAgentOfLoopbackDoesNotWarn() throws Exception {
        start();
        takeAgent().stop(0);
        startWithPorts(Map.of(), 1);
        assertThat(logged.warnings()).noneMatch(line -> line.startsWith("whoever") || line.startsWith("tokens come"));
    }

    @Test
    void aFileThatCannotBeUnderstoodIsRefusedAtTheStart() throws Exception {
        assertThatThrownBy(() -> startWithPorts(Map.of("http.auth", "token"), 1))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("http.auth.token-file: not set (expected: a file");
        for (String auth : List.of("", ",", "none, token")) {
            assertThatThrownBy(() -> startWithPorts(Map.of("http.auth", auth, "http.auth.token-file", "/tokens"), 1))
                    .hasMessageContaining("http.auth: " + (auth.isEmpty() ? "not set" : auth) + " (expected: none");
        }
        for (String file : List.of("token-file", "rules", "jwks", "issuer", "audience")) {
            assertThatThrownBy(() -> startWithPorts(Map.of("http.auth." + file, "/file"), 1))
                    .hasMessageContaining("http.auth." + file + ": /file (expected: nothing, or http.auth=");
        }
        assertThatThrownBy(() -> startWithPorts(Map.of("http.auth", "password"), 1))
                .hasMessageContaining("http.auth: password (expected: none");
        assertThatThrownBy(() -> startWithPorts(with(), 1)).hasMessageContaining("no such file");
        assertThatThrownBy(() -> start("http.auth.rules", rules("allow ana a.B", "permit ana a.B")))
                .hasMessage("http.auth.rules: " + directory.resolve("rules")
                        + ":2: \"permit\" (expected: allow SUBJECT SERVICE[#METHOD])");
    }
}
