package io.dubbomesh.consumer;

import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** What clients of MCP without a sufficient token are told, so that they can log in. */
class McpLoginTest extends JwtFixture {
    private static final String RESOURCE = "https://mesh.example/mcp";
    private static final String METADATA = "https://mesh.example/.well-known/oauth-protected-resource/mcp";
    private static final String TOOLS = """
            tools {
              add { service = a.B, method = m }
              list { service = a.C, method = m }
            }
            """;
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

    private void startWith(String rules, String... settings) throws Exception {
        String tools = Files.writeString(directory.resolve("tools.conf"), TOOLS).toString();
        Stream<String> more = Stream.of("mcp.tools", tools, "http.auth.audience", RESOURCE);
        Stream<String> withRules = rules.isEmpty()
                ? Stream.of()
                : Stream.of(
                        "http.auth.rules",
                        Files.writeString(directory.resolve("rules"), rules).toString());
        start(Stream.of(more, withRules, Stream.of(settings))
                .flatMap(all -> all)
                .toArray(String[]::new));
    }

    private HttpAnswer get(String path) throws Exception {
        return HttpSocket.once(port(), "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private HttpAnswer list(String... headers) throws Exception {
        return client().call(Requests.json("/mcp", PING, headers));
    }

    private static String token(String scope) throws Exception {
        return "Authorization: Bearer "
                + jwt(
                        "RS256",
                        "rsa",
                        rsa,
                        claims(600, ",\"scope\":\"" + scope + '"').replace("\"mesh\"", "\"" + RESOURCE + '"'));
    }

    @Test
    void aClientWithoutATokenIsToldWhereItGetsOne() throws Exception {
        startWith("");

        assertThat(list().header("www-authenticate")).isEqualTo("Bearer resource_metadata=\"" + METADATA + '"');
        assertThat(list("Authorization: Bearer a.b.c").header("www-authenticate"))
                .isEqualTo("Bearer error=\"invalid_token\", resource_metadata=\"" + METADATA + '"');
    }

    @ParameterizedTest
    @CsvSource({"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"})
    void anyoneMayReadTheMetadata(String path) throws Exception {
        startWith("");

        HttpAnswer answer = get(path);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-type")).isEqualTo("application/json");
        assertThat(Json.read(answer.text()))
                .isEqualTo(Map.of(
                        "resource",
                        RESOURCE,
                        "authorization_servers",
                        List.of("https://issuer.example"),
                        "bearer_methods_supported",
                        List.of("header")));
        assertThat(client().call("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + token("") + "\r\n\r\n")
                        .text())
                .isEqualTo(answer.text());
    }

    @ParameterizedTest
    @CsvSource({
        "/.well-known/oauth-protected-resource/mcp/",
        "/.well-known/oauth-protected-resource/other",
        "/.well-known/oauth-protected-resource?a=b",
        "/.WELL-KNOWN/oauth-protected-resource",
        "/.well-known/openid-configuration",
        "/a.B",
        "/"
    })
    void nothingElseIsReadWithoutAToken(String path) throws Exception {
        startWith("");

        assertThat(get(path).status()).isEqualTo(401);
    }

    /** A client that is not admitted does not become so by what anyone may read: its connection ends. */
    @Test
    void theMetadataAdmitNobody() throws Exception {
        startWith("");

        HttpAnswer answer = get("/.well-known/oauth-protected-resource");

        assertThat(answer.header("connection")).isEqualTo("close");
        assertThat(HttpSocket.once(
                                port(),
                                "POST /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void scopesAreTheGroupsOfTheRulesForTools() throws Exception {
        startWith(
                "allow group:tools.read mcp#add\nallow group:shop a.C\nallow group:ops x.Y\nallow ana x.Y\n",
                "http.auth.groups-claim",
                "scope");
        String scope = "scope=\"shop tools.read\"";

        assertThat(list().header("www-authenticate"))
                .isEqualTo("Bearer resource_metadata=\"" + METADATA + "\", " + scope);
        assertThat(get("/.well-known/oauth-protected-resource").text())
                .contains("\"scopes_supported\":[\"shop\",\"tools.read\"]");
        HttpAnswer forbidden = list(token("ops other"));
        assertThat(forbidden.status()).isEqualTo(403);
        assertThat(forbidden.header("www-authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", resource_metadata=\"" + METADATA + "\", " + scope);
        assertThat(forbidden.text()).contains("\"code\":403", "\"id\":1", "shop, tools.read");
        assertThat(list(token("ops shop")).text()).contains("\"name\":\"list\"").doesNotContain("\"name\":\"add\"");
    }

    @Test
    void aTokenForAnotherResourceIsRefused() throws Exception {
        startWith("");

        assertThat(list("Authorization: Bearer " + good()).status()).isEqualTo(401);
        assertThat(list(token("")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"mesh,https://issuer.example", "https://mesh.example/mcp,*", "*,https://issuer.example"})
    void withoutTheAddressesThereIsNoMetadata(String audience, String issuer) throws Exception {
        startWith("", "http.auth.audience", audience, "http.auth.issuer", issuer);

        assertThat(list().header("www-authenticate")).isEqualTo("Bearer");
        assertThat(get("/.well-known/oauth-protected-resource").status()).isEqualTo(401);
    }

    /** Another scope is nothing that it could ask for. */
    @Test
    void aCallerWithATokenOfTheFileHasAnEmptyList() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "bo bos-token-0123456789\n");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r-----"));
        startWith(
                "allow group:tools.read mcp#add\n",
                "http.auth.groups-claim",
                "scope",
                "http.auth",
                "token,jwt",
                "http.auth.token-file",
                tokens.toString());

        HttpAnswer answer = list(CallerFixture.BO);

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).contains("\"tools\":[]");
        assertThat(list(token("other")).status()).isEqualTo(403);
    }

    @Test
    void whoReadsTheMetadataIsNotRefused() throws Exception {
        startWith("");

        get("/.well-known/oauth-protected-resource");
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total")).isZero();

        get("/.well-known/openid-configuration");
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total")).isEqualTo(1);
    }
}
