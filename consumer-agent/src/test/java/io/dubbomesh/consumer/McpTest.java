package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Methods that language models call as tools, by the Model Context Protocol. */
class McpTest extends McpFixture {
    @Test
    void aModernCallHasItsArgumentsInTheOrderOfTheParameters() throws Exception {
        HttpSocket client = startWith();

        client.send(toolCall("add", "{\"y\":{\"a\":\"\\u00e9\"}, \"x\":1.50}"));
        ProviderPeer.Received received = provider.nextRequest();
        assertThat(received.flags()).isEqualTo(Flags.JSON);
        assertThat(received.body()).endsWith(hex("[1.50,{\"a\":\"\\u00e9\"},[1]]"));
        provider.answer(received, 0, Flags.JSON, "{\"sum\":2.50,\"note\":\"a\\n\\\"b\"}");

        HttpAnswer answer = client.answer();
        assertThat(answer.text())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"result\":{\"resultType\":\"complete\",\"_meta\":"
                                + "{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"dubbo-mesh\",\"version\":\"development\"}},"
                                + "\"content\":[{\"type\":\"text\",\"text\":\"{\\\"sum\\\":2.50,\\\"note\\\":\\\"a\\\\n\\\\\\\"b\\\"}\"}],"
                                + "\"structuredContent\":{\"result\":{\"sum\":2.50,\"note\":\"a\\n\\\"b\"}},\"isError\":false}}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "application/json");
    }

    @Test
    void anOptionalArgumentThatIsMissingIsNull() throws Exception {
        HttpSocket client = startWith();

        client.send(toolCall("add", "{\"x\":\"1\"}"));

        assertThat(provider.nextRequest().body()).endsWith(hex("[\"1\",null,[1]]"));
    }

    @Test
    void aLegacyClientInitializesAndGetsTheNameOfASession() throws Exception {
        HttpSocket client = startWith();

        HttpAnswer answer = client.call(
                post(
                        legacy(
                                "initialize",
                                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}")));
        assertThat(result(answer))
                .containsEntry("protocolVersion", "2025-11-25")
                .containsEntry("instructions", "For tests.")
                .containsEntry("capabilities", Map.of("tools", Map.of()))
                .containsEntry("serverInfo", Map.of("name", "dubbo-mesh", "version", "development"));
        assertThat(answer.header("mcp-session-id")).matches("[0-9a-f]{32}");

        HttpAnswer accepted = client.call(post(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "MCP-Protocol-Version: 2025-11-25"));
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.text()).isEmpty();

        client.send(post(
                legacy("tools/call", "{\"name\":\"add\",\"arguments\":{\"x\":1}}"),
                "MCP-Protocol-Version: 2025-11-25",
                "Mcp-Session-Id: forged"));
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "[1]");
        assertThat(client.answer().text())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"[1]\"}],"
                                + "\"structuredContent\":{\"result\":[1]},\"isError\":false}}");
    }

    @ParameterizedTest
    @CsvSource({"2025-06-18,2025-06-18", "2025-03-26,2025-11-25", "2024-11-05,2025-11-25", "2026-07-28,2025-11-25"})
    void aVersionThatIsNotSpokenIsAnsweredByOneThatIs(String requested, String agreed) throws Exception {
        HttpSocket client = startWith();

        assertThat(result(client.call(post(legacy("initialize", "{\"protocolVersion\":\"" + requested + "\"}")))))
                .containsEntry("protocolVersion", agreed);
    }

    @Test
    void aModernClientDiscovers() throws Exception {
        HttpSocket client = startWith();

        assertThat(result(client.call(modern("server/discover", ""))))
                .containsEntry("resultType", "complete")
                .containsEntry("supportedVersions", List.of("2026-07-28", "2025-11-25", "2025-06-18"))
                .containsEntry("capabilities", Map.of("tools", Map.of()))
                .containsEntry("cacheScope", "public")
                .containsEntry("ttlMs", 10_000L)
                .containsEntry("instructions", "For tests.");
    }

    @Test
    void theToolsAreListedInTheOrderOfTheirNames() throws Exception {
        HttpSocket client = startWith();

        Map<String, Object> result = result(list(client, modern("tools/list", "")));

        assertThat(result).containsEntry("resultType", "complete").containsKeys("ttlMs", "cacheScope", "_meta");
        List<?> tools = (List<?>) result.get("tools");
        List<Object> names = new ArrayList<>();
        tools.forEach(tool -> names.add(((Map<?, ?>) tool).get("name")));
        assertThat(names).containsExactly("add", "hidden", "list");
        assertThat(Json.write(tools.get(0)))
                .isEqualTo(
                        "{\"name\":\"add\",\"description\":\"Adds.\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                                + "{\"x\":{\"description\":\"first\",\"type\":\"integer\","
                                + "\"minimum\":-9223372036854775808,\"maximum\":9223372036854775807},"
                                + "\"y\":{\"anyOf\":[{\"$ref\":\"#/$defs/Order-Input\"},{\"type\":\"null\"}]}},"
                                + "\"required\":[\"x\"],\"additionalProperties\":false,\"$defs\":{\"Order-Input\":"
                                + ORDER.replace("}}}", "}},\"additionalProperties\":false}") + "}},"
                                + "\"outputSchema\":{\"type\":\"object\",\"properties\":{\"result\":"
                                + "{\"anyOf\":[{\"$ref\":\"#/$defs/Order\"},{\"type\":\"null\"}]}},\"required\":[\"result\"],"
                                + "\"additionalProperties\":false,\"$defs\":{\"Order\":" + ORDER + "}},"
                                + "\"annotations\":{\"readOnlyHint\":true}}");
        assertThat(Json.write(tools.get(1)))
                .isEqualTo(
                        "{\"name\":\"hidden\",\"inputSchema\":{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}}");
        assertThat(Json.write(tools.get(2)))
                .contains("\"card\":{\"const\":\"***\"}")
                .contains("\"required\":[\"items\",\"page\",\"pages\",\"total\"]");
    }

    @Test
    void typesAreAskedForOnceForAllThatListSoon() throws Exception {
        HttpSocket client = startWith();
        HttpSocket other = client();

        other.send(modern("tools/list", ""));
        HttpAnswer first = list(client, modern("tools/list", ""));

        assertThat(other.answer().text()).isEqualTo(first.text());
        assertThat(client.call(modern("tools/list", "")).text()).isEqualTo(first.text());
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void aToolWhoseTypesAreNotToldInTimeTakesAnyArgument() throws Exception {
        HttpSocket client = startWith();

        List<?> tools = (List<?>) result(client.call(modern("tools/list", ""))).get("tools");

        assertThat(Json.write(tools.get(0)))
                .contains("\"properties\":{\"x\":{\"description\":\"first\"},\"y\":{}}")
                .doesNotContain("outputSchema");
        assertThat(client.call(modern("ping", "")).status()).isEqualTo(200);
    }

    @Test
    void aClientThatLeavesWhileTypesAreAskedForGetsNoList() throws Exception {
        HttpSocket client = startWith();
        HttpSocket other = client();

        other.send(modern("tools/list", ""));
        other.close();

        assertThat(names(list(client, modern("tools/list", "")))).containsExactly("add", "hidden", "list");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|argument \"x\" is missing (expected: x, y)",
                "{\"x\":1,\"z\":2}|unknown argument \"z\" (expected: x, y)",
                "{\"x\":1,\"\":2}|unknown argument \"\" (expected: x, y)"
            })
    void argumentsThatTheToolDoesNotTakeAreAnErrorThatTheModelReads(String arguments, String detail) throws Exception {
        HttpSocket client = startWith();

        Map<String, Object> result = result(client.call(toolCall("add", arguments)));

        assertThat(result).containsEntry("isError", true).doesNotContainKey("structuredContent");
        assertThat((Map<?, ?>) Json.read(text(result)))
                .extracting("status", "code", "detail")
                .containsExactly(400L, "BAD_ARGUMENT", detail);
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void aFailureOfTheCallIsAnErrorOfTheToolWithTheProblemDocument() throws Exception {
        HttpSocket client = startWith();

        client.send(toolCall("add", "{\"x\":1}"));
        provider.answer(
                provider.nextRequest(),
                Outcome.SERVICE_EXCEPTION.number(),
                Flags.JSON,
                "{\"status\":500,\"code\":\"SERVICE_EXCEPTION\",\"detail\":\"sold out\"}");

        HttpAnswer answer = client.answer();
        Map<String, Object> result = result(answer);
        assertThat(result).containsEntry("isError", true);
        assertThat((Map<?, ?>) Json.read(text(result)))
                .extracting("code", "detail")
                .containsExactly("SERVICE_EXCEPTION", "sold out");
        assertThat(scrape().sum("dubbomesh_consumer_requests_total", "code", "SERVICE_EXCEPTION"))
                .isEqualTo(1);
        assertThat(scrape().sum("dubbomesh_consumer_tool_calls_total", "tool", "add", "code", "SERVICE_EXCEPTION"))
                .isEqualTo(1);
    }

    @Test
    void aLineOfTheAccessLogHasTheToolAndItsCaller() throws Exception {
        writeTokens();
        Path log = directory.resolve("access.log");
        HttpSocket client = startWith(flat(with("access.log", log.toString())));

        client.send(toolCall("add", "{\"x\":1}", ANA));
        provider.answer(
                provider.nextRequest(),
                Outcome.TIMEOUT.number(),
                Flags.JSON,
                "{\"status\":504,\"code\":\"TIMEOUT\",\"detail\":\"late\"}");
        client.answer();

        Await.until("the line", () -> Files.exists(log) && Files.size(log) > 0);
        assertThat((Map<?, ?>) Json.read(Files.readString(log)))
                .extracting("subject", "tool", "service", "method", "status", "code")
                .containsExactly("ana", "add", "a.B", "m", 200L, "TIMEOUT");
    }

    @Test
    void pagesAndMasksAreThoseOfTheFile() throws Exception {
        HttpSocket client = startWith();

        client.send(toolCall("list", "{\"page\":1}"));
        ProviderPeer.Received received = provider.nextRequest();
        assertThat(received.body()).endsWith(hex("[]"));
        provider.answer(received, 0, Flags.JSON, "[1,2,{\"card\":4}]");

        assertThat(result(client.answer()).get("structuredContent"))
                .isEqualTo(
                        Json.read("{\"result\":{\"items\":[{\"card\":\"***\"}],\"page\":1,\"pages\":2,\"total\":3}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "\"0\"", "null", "99999999999"})
    void whatIsNoPageIsRefused(String page) throws Exception {
        HttpSocket client = startWith();

        assertThat(text(result(client.call(toolCall("list", "{\"page\":" + page + "}")))))
                .contains("page (expected: ");
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void aResultThatIsTooLargeIsNotPassedOn() throws Exception {
        HttpSocket client = startWith();

        client.send(toolCall("list", "{}"));
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "[\"" + "x".repeat(100) + "\"]");

        Map<String, Object> result = result(client.answer());
        assertThat(result).containsEntry("isError", true);
        assertThat(text(result)).contains("executed").contains("at most 100").doesNotContain("xxx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Add", "add ", "ad", "a.B/m", "a.B#m", "m", "", "add\\u0000", "../add", "%61dd"})
    void aToolThatIsNotInTheFileCannotBeCalled(String name) throws Exception {
        HttpSocket client = startWith();

        assertError(
                client.call(post(legacy("tools/call", "{\"name\":\"" + name + "\",\"arguments\":{\"x\":1}}"))),
                200,
                -32602,
                "Unknown tool: ");
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void aMethodThatIsNotKnownIs404() throws Exception {
        HttpSocket client = startWith();

        assertError(client.call(modern("resources/list", "")), 404, -32601, "Method not found: resources/list");
        assertError(client.call(modern("initialize", "")), 404, -32601, "Method not found: initialize");
        // Clients of earlier revisions take an error with another status for one of the transport.
        assertError(client.call(post(legacy("prompts/list", "{}"))), 200, -32601, "Method not found: prompts/list");
    }

    @Test
    void headersThatDoNotFitTheBodyAreRefused() throws Exception {
        HttpSocket client = startWith();
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{" + META
                + ",\"name\":\"add\",\"arguments\":{\"x\":1}}}";

        for (String[] headers : new String[][] {
            {"Mcp-Method: tools/call", "Mcp-Name: add"},
            {"MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/call", "Mcp-Name: add"},
            {VERSION, "Mcp-Name: add"},
            {VERSION, "Mcp-Method: tools/list", "Mcp-Name: add"},
            {VERSION, "Mcp-Method: tools/call"},
            {VERSION, "Mcp-Method: tools/call", "Mcp-Name: list"},
            {VERSION, "Mcp-Method: tools/call", "Mcp-Name: =?base64?!?="},
            {VERSION, "Mcp-Method: tools/call", "Mcp-Name: add", "Mcp-Name: add"},
            {VERSION, VERSION, "Mcp-Method: tools/call", "Mcp-Name: add"}
        }) {
            assertError(client.call(post(body, headers)), 400, -32020, "Header mismatch: ");
        }
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void aMarkOfBase64WithoutItsEndIsAnotherName() throws Exception {
        HttpSocket client = startWith();

        assertError(
                client.call(modern("tools/call", "\"name\":\"add\",\"arguments\":{\"x\":1}", "Mcp-Name: =?base64?=")),
                400,
                -32020,
                "Header mismatch: Mcp-Name");
    }

    @Test
    void malformedAttachmentsAreRefusedAsForAnyCall() throws Exception {
        HttpSocket client = startWith();

        assertThat(client.call(toolCall("add", "{\"x\":1}", "X-Dubbo-Attachments: nonsense"))
                        .status())
                .isEqualTo(400);
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void aFailureHasNoFieldsOfTheException() throws Exception {
        HttpSocket client = startWith();

        client.send(toolCall("add", "{\"x\":1}"));
        provider.answer(
                provider.nextRequest(),
                Outcome.SERVICE_EXCEPTION.number(),
                Flags.JSON,
                "{\"status\":500,\"detail\":\"sold out\",\"properties\":{\"card\":1},\"causes\":[],\"stack\":[\"a\"]}");

        assertThat(text(result(client.answer()))).contains("sold out").doesNotContain("card", "causes", "stack");
    }

    @Test
    void aNameInBase64IsDecoded() throws Exception {
        HttpSocket client = startWith();

        client.send(modern("tools/call", "\"name\":\"add\",\"arguments\":{\"x\":1}", "Mcp-Name: =?base64?YWRk?="));

        assertThat(provider.nextRequest().body()).endsWith(hex("[1,null,[1]]"));
    }

    @Test
    void aVersionThatIsNotSpokenIsRefusedWithThoseThatAre() throws Exception {
        HttpSocket client = startWith();
        String unknown = "2027-01-01";

        HttpAnswer modern = client.call(post(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{"
                        + META.replace("2026-07-28", unknown) + "}}",
                "MCP-Protocol-Version: " + unknown,
                "Mcp-Method: tools/list"));
        assertError(modern, 400, -32022, "Unsupported protocol version");
        assertThat(((Map<?, ?>) ((Map<?, ?>) json(modern).get("error")).get("data")).get("supported"))
                .isEqualTo(List.of("2026-07-28", "2025-11-25", "2025-06-18"));
        assertError(
                client.call(post(legacy("tools/list", "{}"), "MCP-Protocol-Version: " + unknown)),
                400,
                -32022,
                "Unsupported protocol version");
        assertError(client.call(post(legacy("tools/list", "{}"), VERSION)), 400, -32602, "Invalid params: no io.model");
    }

    @Test
    void aModernRequestWithoutTheCapabilitiesOfItsClientIsRefused() throws Exception {
        HttpSocket client = startWith();

        assertError(
                client.call(post(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
                        VERSION,
                        "Mcp-Method: tools/list")),
                400,
                -32602,
                "Invalid params: no io.modelcontextprotocol/clientCapabilities");
    }

    @Test
    void onlyPostOfJsonIsTaken() throws Exception {
        HttpSocket client = startWith();

        HttpAnswer get = client.call("GET /mcp HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n");
        assertThat(get.status()).isEqualTo(405);
        assertThat(get.headers()).containsEntry("allow", "POST");
        assertThat(client.call("DELETE /mcp HTTP/1.1\r\nHost: a\r\n\r\n").status())
                .isEqualTo(405);
        assertThat(client.call(HttpSocket.request("POST /mcp", "{}", "Content-Type: text/plain"))
                        .status())
                .isEqualTo(415);
        assertError(client.call(post("{")), 400, -32700, "malformed JSON");
    }

    @Test
    void foreignPagesAreRefused() throws Exception {
        HttpSocket client = startWith("http.cors.origins", "https://app.example");

        assertThat(client.call(modern("tools/list", "", "Origin: https://evil.example"))
                        .status())
                .isEqualTo(403);
        assertThat(client().call(modern("ping", "", "Origin: https://app.example"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aCallerIsTooFastOnlyForTools() throws Exception {
        HttpSocket client = startWith("mcp.rate", "1");

        client.send(toolCall("add", "{\"x\":1}"));
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "1");
        client.answer();
        HttpAnswer refused = client.call(toolCall("add", "{\"x\":1}"));

        assertError(refused, 429, 429, "more calls of tools than mcp.rate allows");
        assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(55, 60);
        assertThat(result(list(client, modern("tools/list", "")))).containsKey("tools");
    }

    @Test
    void withoutAFileThereIsNoServer() throws Exception {
        start(Map.of(), provider(180));

        assertThat(client().call(modern("tools/list", "")).status()).isEqualTo(405);
    }

    @Test
    void aCallerWithoutARuleSeesAndCallsNothing() throws Exception {
        writeTokens();
        HttpSocket client = startWith(
                flat(with("http.auth.rules", rules("allow ana a.B", "allow bo mcp#hidden", "allow bo a.B#n"))));

        assertThat(names(list(client, modern("tools/list", "", ANA)))).containsExactly("add", "list");
        assertThat(names(client.call(modern("tools/list", "", BO)))).containsExactly("hidden", "list");
        assertError(client.call(toolCall("hidden", "{}", ANA)), 400, -32602, "Unknown tool: hidden");
        assertError(client.call(toolCall("add", "{\"x\":1}", BO)), 400, -32602, "Unknown tool: add");
        assertThat(provider.hasNone()).isTrue();
        client.send(toolCall("hidden", "{}", BO));
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "1");
        assertThat(result(client.answer())).containsEntry("isError", false);
        HttpAnswer stranger = client().call(modern("tools/list", ""));
        assertThat(stranger.status()).isEqualTo(401);
        assertThat(stranger.headers().get("www-authenticate")).startsWith("Bearer");
    }
}
