package io.dubbomesh.meshctl;

import io.dubbomesh.consumer.ConsumerAgent;
import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands for tools against a real consumer agent with callers, whose provider agent the test plays. */
@Timeout(60)
class ToolCommandsTest {
    private static final String TOOLS = """
            tools {
              add { service = a.B, version = "1.0", method = m, title = Adds, read-only = true, destructive = false,
                arguments = [ { name = x }, { name = y, optional = true } ] }
              hidden { service = a.C, method = m }
            }
            """;
    private static final String TOKEN = "a-token-of-24-characters";
    private static final String DESCRIPTION = "{\"interface\":\"a.B\",\"methods\":["
            + "{\"name\":\"getUser\",\"parameterTypes\":[\"long\"],\"parameterNames\":[\"id\"],\"returnType\":\"a.User\"},"
            + "{\"name\":\"$tr}ange\\nname\",\"parameterTypes\":[\"int\"],\"returnType\":\"a.User[]\"}],"
            + "\"types\":{\"a.User\":{\"fields\":{\"password\":\"java.lang.String\"}}}}";

    @TempDir
    static Path folder;

    private static ProviderPeer provider;
    private static Thread server;
    private static ConsumerAgent agent;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Answers each request until the test ends: for descriptions, which lists of tools need too, and calls. */
    private static void serve() {
        Set<Object> describes = new HashSet<>();
        try {
            while (true) {
                ProviderPeer.Received frame = provider.take();
                Object method = List.of(frame.link(), frame.methodId());
                boolean isNamed = frame.body().contains(Hex.text("$describe"));
                if (frame.type() == MeshFrame.DEFINE && isNamed) {
                    describes.add(method);
                } else if (frame.type() == MeshFrame.REQUEST) {
                    answer(frame, isNamed || describes.contains(method));
                }
            }
        } catch (InterruptedException e) {
            // The test has ended.
        }
    }

    private static void answer(ProviderPeer.Received request, boolean isDescribe) {
        boolean fails = !isDescribe && request.body().contains(Hex.text("rock"));
        String result = isDescribe ? DESCRIPTION : "{\"sum\":2.50,\"big\":12345678901234567890}";
        try {
            provider.answer(
                    request, fails ? 30 : 0, Flags.JSON, fails ? "{\"status\":500,\"detail\":\"hit a rock\"}" : result);
        } catch (IOException e) {
            // The agent of a test has ended.
        }
    }

    @BeforeAll
    static void start() throws Exception {
        provider = new ProviderPeer(180, 4096);
        server = new Thread(ToolCommandsTest::serve, "provider");
        server.start();
        agent = newAgent(Map.of(
                "mcp.tools",
                file("tools.conf", TOOLS),
                "http.auth",
                "token",
                "http.auth.token-file",
                file("tokens", "ana " + TOKEN + "\n"),
                "http.auth.rules",
                file("rules", "allow ana mcp#add\nallow ana a.B\n")));
        file("token", TOKEN);
    }

    private static ConsumerAgent newAgent(Map<String, String> others) throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "registry", "static:127.0.0.1:" + provider.port() + "*1",
                "server.port", "0",
                "admin.port", "0",
                "links.warm", "*",
                "io.threads", "1"));
        settings.putAll(others);
        ConsumerAgent started =
                new ConsumerAgent(Settings.of("io/dubbomesh/consumer/reference.conf", settings, Map.of()));
        AgentClient client = new AgentClient(URI.create("http://127.0.0.1:" + started.adminPort()), null);
        Await.until("the agent is ready", () -> client.page("/readyz").statusCode() == 200);
        return started;
    }

    private static String file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @AfterAll
    static void stop() throws Exception {
        agent.stop(0);
        server.interrupt();
        server.join();
        provider.close();
    }

    private int run(String... arguments) {
        CommandLine command = Meshctl.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    private static String[] asCaller(String command, String... more) {
        return Stream.of(command.split(" "), more, new String[] {
                    "--token-file=" + folder.resolve("token"), "--admin=127.0.0.1:" + agent.adminPort()
                })
                .flatMap(Arrays::stream)
                .toArray(String[]::new);
    }

    @Test
    void listHasTheToolsOfTheCallerAndTheirMethods() {
        assertThat(run(asCaller("mcp list"))).as(err::toString).isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "TOOL  TITLE  SERVICE  METHOD  HINTS",
                        "add   Adds   a.B:1.0  m       read-only, not destructive");
    }

    @Test
    void listByTheAddressForCallsHasWhatCallersLearn() {
        assertThat(run(asCaller("mcp list", "-u=127.0.0.1:" + agent.port()))).isZero();

        assertThat(out.toString().lines())
                .containsExactly("TOOL  TITLE  HINTS", "add   Adds   read-only, not destructive");
    }

    @Test
    void listAsDocument() {
        assertThat(run(asCaller("mcp list", "--json"))).isZero();

        assertThat(out.toString())
                .startsWith("{\"tools\":[{\"name\":\"add\",\"title\":\"Adds\"")
                .contains("\"inputSchema\":")
                .doesNotContain("hidden");
    }

    @Test
    void listWithoutATokenIsRefused() {
        assertThat(run("mcp", "list", "--admin=127.0.0.1:" + agent.adminPort())).isEqualTo(1);

        assertThat(err.toString())
                .startsWith("meshctl: 401 UNAUTHENTICATED: ")
                .contains("(--token-file names a file with a token)");
    }

    @Test
    void callPrintsTheResultAsItCame() {
        assertThat(run(asCaller("mcp call add", "x={\"a\":1.50}", "y=tea")))
                .as(err::toString)
                .isZero();
        assertThat(out.toString()).isEqualTo("{\"sum\":2.50,\"big\":12345678901234567890}" + System.lineSeparator());
    }

    @Test
    void callFailsWithTheProblemOfTheMethod() {
        assertThat(run(asCaller("mcp call add", "{\"x\":\"rock\"}"))).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("hit a rock");
    }

    @Test
    void callFailsForArgumentsThatTheToolDoesNotTake() {
        assertThat(run(asCaller("mcp call add", "{\"z\":1}"))).isEqualTo(1);

        assertThat(err.toString()).startsWith("meshctl: BAD_ARGUMENT: ").contains("x");
    }

    @Test
    void callOfAnotherToolNamesTheOneThatMayBeMeant() {
        assertThat(run(asCaller("mcp call ad"))).isEqualTo(1);
        assertThat(err.toString().strip()).isEqualTo("meshctl: no tool ad (did you mean add?)");
    }

    @Test
    void callOfAToolThatTheCallerDoesNotSeeIsThatOfNone() {
        assertThat(run(asCaller("mcp call hidden"))).isEqualTo(1);
        assertThat(err.toString().strip())
                .isEqualTo("meshctl: no tool hidden (meshctl mcp list has those of this caller)");
    }

    @Test
    void anAgentWithoutToolsIsNamed() throws Exception {
        ConsumerAgent other = newAgent(Map.of());
        try {
            assertThat(run("mcp", "list", "--admin=127.0.0.1:" + other.adminPort()))
                    .isEqualTo(1);
            assertThat(err.toString().strip())
                    .isEqualTo("meshctl: http://127.0.0.1:" + other.port()
                            + " publishes no tools (expected: an agent with mcp.tools)");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void mcpAloneNamesItsCommands() {
        assertThat(run("mcp")).isEqualTo(2);
        assertThat(err.toString()).contains("list", "call", "suggest", "no command");
    }

    @Test
    void aDraftPublishesNothingUntilItsToolsAreUncommented() throws Exception {
        assertThat(run(asCaller("mcp suggest a.B"))).as(err::toString).isZero();
        String draft = out.toString();

        assertThat(toolsOf(draft)).isEmpty();
        String pruned = draft.lines().map(ToolCommandsTest::uncommented).collect(Collectors.joining("\n"));
        assertThat(toolsOf(pruned)).isEqualTo("B__tr_ange_name,B_getUser");
        assertThat(toolsOf(pruned.replaceAll("(?m)^    # (?=(read-only|mask|page-size) = )", "    ")))
                .isEqualTo("B__tr_ange_name,B_getUser");
    }

    private static String uncommented(String line) {
        return line.startsWith("#  ") ? line.substring(1) : line;
    }

    /** Checks the file as check-config does, and returns the names of the tools that it publishes. */
    private String toolsOf(String text) throws Exception {
        String tools = file("drafted.conf", text);
        assertThat(run("check-config", file("consumer.conf", ""), "-Dmcp.tools=" + tools))
                .as(err + text)
                .isZero();
        ConsumerAgent drafted = newAgent(Map.of("mcp.tools", tools));
        try {
            String names = new AgentClient(URI.create("http://127.0.0.1:" + drafted.adminPort()), null).text("tools");
            return Pattern.compile("\"name\":\"([^\"]*)\"")
                    .matcher(names)
                    .results()
                    .map(match -> match.group(1))
                    .collect(Collectors.joining(","));
        } finally {
            drafted.stop(0);
        }
    }
}
