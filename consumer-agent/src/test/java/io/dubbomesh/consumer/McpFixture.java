package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.netty.buffer.ByteBufUtil;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A consumer agent that publishes some methods as tools. */
abstract class McpFixture extends CallerFixture {
    static final String TOOLS = """
            instructions = "For tests."
            tools {
              add {
                service = a.B, method = m, description = "Adds."
                arguments = [ { name = x, description = "first" }, { name = y, optional = true }, { fixed = [1] } ]
                read-only = true
              }
              hidden { service = a.C, method = m }
              list { service = a.B, method = n, page-size = 2, mask = [card], max-answer = 100 B }
            }
            """;
    static final String DESCRIPTION = """
            {"interface":"a.B","version":"","group":"","source":"class files","methods":[
            {"name":"m","parameterTypes":["long","a.Order","java.util.List<java.lang.Integer>"],"returnType":"a.Order",\
            "descriptor":"JLa/Order;Ljava/util/List;"},
            {"name":"n","parameterTypes":[],"returnType":"java.util.List<a.Order>","descriptor":""}],
            "types":{"a.Order":{"fields":{"item":"java.lang.String","card":"long"}}}}""";
    static final String ORDER = "{\"type\":\"object\",\"properties\":{\"item\":{\"type\":[\"string\",\"null\"]},"
            + "\"card\":{\"type\":\"integer\","
            + "\"minimum\":-9223372036854775808,\"maximum\":9223372036854775807}}}";
    static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}";
    static final String VERSION = "MCP-Protocol-Version: 2026-07-28";

    ProviderPeer provider;

    HttpSocket startWith(String... settings) throws Exception {
        List<String> all = new ArrayList<>(List.of(settings));
        all.addAll(List.of(
                "mcp.tools",
                Files.writeString(directory.resolve("tools.conf"), TOOLS).toString()));
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < all.size(); i += 2) {
            map.put(all.get(i), all.get(i + 1));
        }
        provider = provider(180);
        start(map, provider);
        return client();
    }

    static String post(String body, String... headers) {
        return Requests.json("/mcp", body, headers);
    }

    static String legacy(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + '}';
    }

    static String modern(String method, String params, String... headers) {
        String separator = params.isEmpty() ? "" : ",";
        String body = "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"" + method + "\",\"params\":{" + META + separator
                + params + "}}";
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = VERSION;
        all[headers.length + 1] = "Mcp-Method: " + method;
        return post(body, all);
    }

    static String toolCall(String tool, String arguments, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Mcp-Name: " + tool;
        return modern("tools/call", "\"name\":\"" + tool + "\",\"arguments\":" + arguments, all);
    }

    /** Sends a request for the list of tools, and answers what the agent asks their services. */
    HttpAnswer list(HttpSocket client, String request) throws Exception {
        client.send(request);
        for (int i = 0; i < 2; i++) {
            ProviderPeer.Received asked = provider.next();
            assertThat(asked.body()).contains(hex("$describe"));
            if (asked.body().contains(hex("a.B"))) {
                provider.answer(asked, 0, Flags.JSON, DESCRIPTION);
            } else {
                provider.answer(asked, Outcome.SERVICE_NOT_FOUND.number(), Flags.JSON, "{\"detail\":\"none\"}");
            }
        }
        return client.answer();
    }

    static String hex(String text) {
        return ByteBufUtil.hexDump(text.getBytes(UTF_8));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> json(HttpAnswer answer) {
        assertThat(answer.headers()).containsEntry("content-type", "application/json");
        return (Map<String, Object>) Json.read(new String(answer.text().getBytes(ISO_8859_1), UTF_8));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> result(HttpAnswer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return (Map<String, Object>) json(answer).get("result");
    }

    static void assertError(HttpAnswer answer, int status, long code, String message) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        Map<?, ?> error = (Map<?, ?>) json(answer).get("error");
        assertThat(error.get("code")).isEqualTo(code);
        assertThat(error.get("message").toString()).startsWith(message);
    }

    static String text(Map<String, Object> result) {
        Map<?, ?> content = (Map<?, ?>) ((List<?>) result.get("content")).get(0);
        assertThat(content.get("type")).isEqualTo("text");
        return content.get("text").toString();
    }

    static String[] flat(Map<String, String> settings) {
        return settings.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray(String[]::new);
    }

    static List<Object> names(HttpAnswer answer) {
        List<Object> names = new ArrayList<>();
        for (Object tool : (List<?>) result(answer).get("tools")) {
            names.add(((Map<?, ?>) tool).get("name"));
        }
        return names;
    }
}
