package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Requests to the server of MCP that try to get at what is not theirs: each is refused, and no provider is called. */
class HostileMcpTest extends McpFixture {
    private static final String ORIGINS = "https://app.example";
    private static final String GOOD = "\"name\":\"add\",\"arguments\":{\"x\":1}";

    private static String raw(String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add(BO);
        return post(body, all.toArray(String[]::new));
    }

    private static String call(String params) {
        return raw(legacy("tools/call", '{' + params + '}'));
    }

    private static String named(String name) {
        return call("\"name\":\"" + name + "\",\"arguments\":{\"x\":1}");
    }

    private static String given(String arguments) {
        return call("\"name\":\"add\",\"arguments\":" + arguments);
    }

    private static String target(String target) {
        return Requests.json(target, legacy("tools/call", '{' + GOOD + '}'), BO);
    }

    private static String repeated(String text, int times) {
        return text.repeat(times);
    }

    static Stream<Arguments> spellings() {
        // Bo may use add and list; hidden is Ana's.
        return Stream.of(
                        "hidden",
                        "Hidden",
                        "HIDDEN",
                        "hidden ",
                        " hidden",
                        "hidden\\t",
                        "hidden\\n",
                        "hidden\\u0000",
                        "hid\\u0000den",
                        "\\u0068idden ",
                        "\\uff48idden",
                        "h\\u0456dden",
                        "hidden\\u200b",
                        "\\ufeffhidden",
                        "hidden\\u0301",
                        "%68idden",
                        "hidden%00",
                        "hidden%20",
                        "./hidden",
                        "../hidden",
                        "tools/hidden",
                        "mcp#hidden",
                        "mcp/hidden",
                        "hidden/",
                        "hidden#m",
                        "hidden.",
                        "hidd",
                        "hiddenn",
                        "a.C",
                        "a.C#m",
                        "a.C/m",
                        "a.C.m",
                        "m",
                        "*",
                        "add,hidden",
                        "[hidden]",
                        "$describe",
                        "$invoke",
                        "add\\u0000hidden",
                        "Add",
                        "ADD",
                        "add ",
                        "%61dd",
                        "\\uff41dd",
                        "adD",
                        "a\\u0064\\u0064\\u200d",
                        "",
                        "null",
                        "constructor",
                        "__proto__",
                        "toString",
                        "${hidden}",
                        "hidden'--",
                        "hidden\\r\\nX: y")
                .map(name -> arguments("the tool " + name, named(name), 200, "Unknown tool: "));
    }

    static Stream<Arguments> requests() {
        return Stream.of(
                // arguments that are bent
                arguments("no object of arguments", given("[1]"), 400, "params.arguments"),
                arguments("a text of arguments", given("\"x\""), 400, "params.arguments"),
                arguments("an argument twice", given("{\"x\":1,\"x\":2}"), 400, "given twice"),
                arguments("an argument twice, spelt otherwise", given("{\"x\":1,\"\\u0078\":2}"), 400, "given twice"),
                arguments("an argument in capitals", given("{\"X\":1}"), 200, "unknown argument"),
                arguments("the fixed argument by a number", given("{\"x\":1,\"2\":[9]}"), 200, "unknown argument"),
                arguments("the fixed argument without a name", given("{\"x\":1,\"\":[9]}"), 200, "unknown argument"),
                arguments("an argument too many", given("{\"x\":1,\"y\":2,\"z\":3}"), 200, "unknown argument"),
                arguments("a page of what has none", given("{\"x\":1,\"page\":1}"), 200, "unknown argument"),
                arguments("no argument", given("{}"), 200, "is missing"),
                arguments("no arguments at all", call("\"name\":\"add\""), 200, "is missing"),
                arguments(
                        "arguments twice",
                        call("\"name\":\"add\",\"arguments\":{\"x\":1},\"arguments\":{\"x\":2}"),
                        400,
                        "given twice"),
                arguments("a name twice", call("\"name\":\"list\"," + GOOD), 400, "given twice"),
                arguments("no name", call("\"arguments\":{\"x\":1}"), 200, "params.name"),
                arguments("a list of names", call("\"name\":[\"add\"]"), 400, "params.name"),
                arguments(
                        "a page before the first", call("\"name\":\"list\",\"arguments\":{\"page\":-1}"), 200, "page"),
                arguments(
                        "a page of many digits",
                        call("\"name\":\"list\",\"arguments\":{\"page\":1" + repeated("0", 900) + "}"),
                        200,
                        "page"),
                arguments("an argument that closes the array", given("{\"x\":1]}"), 400, "malformed JSON"),
                // messages that are bent
                arguments("no JSON", raw("{"), 400, "malformed JSON"),
                arguments("nothing", raw(""), 400, ""),
                arguments("a batch", raw('[' + legacy("tools/call", '{' + GOOD + '}') + ']'), 400, "batch"),
                arguments("two messages", raw(legacy("ping", "{}") + legacy("ping", "{}")), 400, "more than one"),
                arguments("a text", raw("\"tools/call\""), 400, "not an object"),
                arguments(
                        "no version",
                        raw("{\"id\":1,\"method\":\"tools/call\",\"params\":{" + GOOD + "}}"),
                        400,
                        "2.0"),
                arguments(
                        "another version",
                        raw(legacy("tools/call", '{' + GOOD + '}').replace("2.0", "1.0")),
                        400,
                        "2.0"),
                arguments(
                        "an id that is none",
                        raw(legacy("tools/call", '{' + GOOD + '}').replace("\"id\":1", "\"id\":{}")),
                        400,
                        "id"),
                arguments(
                        "a method twice",
                        raw(legacy("ping", "{}").replace("{\"jsonrpc", "{\"method\":\"tools/call\",\"jsonrpc")),
                        400,
                        "given twice"),
                arguments("params that are a list", raw(legacy("tools/call", "[\"add\",{\"x\":1}]")), 400, "params"),
                arguments(
                        "a deep message", given("{\"x\":" + repeated("[", 3000) + repeated("]", 3000) + '}'), 400, ""),
                arguments("a long number", given("{\"x\":" + repeated("9", 20_000) + "}"), 400, ""),
                arguments(
                        "methods that there are not",
                        raw(legacy("tools/execute", '{' + GOOD + '}')),
                        200,
                        "Method not"),
                arguments("a method in capitals", raw(legacy("TOOLS/CALL", '{' + GOOD + '}')), 200, "Method not"),
                arguments(
                        "resources",
                        raw(legacy("resources/read", "{\"uri\":\"file:///etc/passwd\"}")),
                        200,
                        "Method not"),
                arguments(
                        "a call as a notification",
                        raw(legacy("tools/call", '{' + GOOD + '}').replace("\"id\":1,", "")),
                        202,
                        ""),
                // header fields
                arguments(
                        "another name in the header",
                        modern("tools/call", GOOD, "Mcp-Name: list", BO),
                        400,
                        "Header mismatch"),
                arguments("no name in the header", modern("tools/call", GOOD, BO), 400, "Header mismatch"),
                arguments(
                        "another method in the header",
                        raw(legacy("tools/call", "{" + META + ',' + GOOD + '}'), VERSION, "Mcp-Method: tools/list"),
                        400,
                        "Header mismatch"),
                arguments(
                        "a revision to come",
                        raw(legacy("tools/call", '{' + GOOD + '}'), "MCP-Protocol-Version: 2099-01-01"),
                        400,
                        "Unsupported protocol version"),
                arguments(
                        "a form",
                        HttpSocket.request(
                                "POST /mcp",
                                "jsonrpc=2.0&method=tools%2Fcall",
                                "Content-Type: application/x-www-form-urlencoded",
                                BO),
                        415,
                        ""),
                arguments(
                        "a content that is encoded",
                        raw(legacy("tools/call", '{' + GOOD + '}'), "Content-Encoding: gzip"),
                        415,
                        ""),
                arguments(
                        "an attachment that is none",
                        raw(legacy("tools/call", '{' + GOOD + '}'), "X-Dubbo-Attachments: nonsense"),
                        400,
                        ""),
                // who it comes from
                arguments(
                        "a foreign page",
                        raw(legacy("tools/call", '{' + GOOD + '}'), "Origin: https://evil.example"),
                        403,
                        ""),
                arguments("no page", raw(legacy("tools/call", '{' + GOOD + '}'), "Origin: null"), 403, ""),
                arguments(
                        "a page of the same host by another scheme",
                        raw(legacy("tools/call", '{' + GOOD + '}'), "Origin: http://app.example"),
                        403,
                        ""),
                arguments(
                        "a page of a host that begins alike",
                        raw(legacy("tools/call", '{' + GOOD + '}'), "Origin: https://app.example.evil.example"),
                        403,
                        ""),
                arguments(
                        "two pages",
                        raw(
                                legacy("tools/call", '{' + GOOD + '}'),
                                "Origin: https://app.example",
                                "Origin: https://evil.example"),
                        403,
                        ""),
                arguments("no token", post(legacy("tools/call", '{' + GOOD + '}')), 401, ""),
                arguments("a wrong token", post(legacy("tools/call", '{' + GOOD + '}'), WRONG), 401, ""),
                arguments("two tokens", post(legacy("tools/call", '{' + GOOD + '}'), BO, ANA), 400, ""),
                arguments(
                        "a token in the target",
                        Requests.json(
                                "/mcp?access_token=anas-token-of-26-characters",
                                legacy("tools/call", "{\"name\":\"hidden\"}"),
                                BO),
                        200,
                        "Unknown tool"),
                arguments(
                        "a session that was replayed, for a tool of another caller",
                        raw(
                                legacy("tools/call", "{\"name\":\"hidden\"}"),
                                "Mcp-Session-Id: 0123456789abcdef0123456789abcdef"),
                        200,
                        "Unknown tool"),
                // where it goes
                arguments("the method itself", target("/a.C/m"), 403, ""),
                arguments("the path in capitals", target("/MCP"), 405, ""),
                arguments("a path below", target("/mcp/hidden"), 403, ""),
                arguments("a path with a slash", target("/mcp/"), 404, ""),
                arguments("a path that is encoded", target("/%6dcp"), 405, ""),
                arguments("a path with a point", target("/./mcp"), 400, ""),
                arguments("a stream", "GET /mcp HTTP/1.1\r\nHost: a\r\n" + BO + "\r\n\r\n", 405, ""),
                arguments("the end of a session", "DELETE /mcp HTTP/1.1\r\nHost: a\r\n" + BO + "\r\n\r\n", 405, ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"spellings", "requests"})
    void isRefused(String what, String request, int status, String reason) throws Exception {
        writeTokens();
        startWith(flat(with(
                "http.auth.rules",
                rules("allow ana mcp#hidden", "allow bo mcp#add", "allow bo mcp#list"),
                "http.cors.origins",
                ORIGINS)));

        HttpAnswer answer = client().call(request);

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text()).contains(reason).doesNotContain("\"isError\":false");
        assertThat(provider.hasNone()).as("nothing was executed").isTrue();
    }
}
