package io.dubbomesh.meshctl;

import io.dubbomesh.consumer.ConsumerAgent;
import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Each command against a real gateway, of whose providers one answers all but {@code silent}, and one is gone. */
@Timeout(60)
class GatewayTest {
    private static final String SIDECAR = "(provider|consumer)[ -]agent";

    private static ScriptedProvider provider;
    private static ConsumerAgent gateway;

    @BeforeAll
    static void start() throws Exception {
        provider = new ScriptedProvider().serve((connection, call) -> {
            if (!call.body().contains(Hex.text("silent"))) {
                connection.answerInt(call.id(), 42);
            }
        });
        Map<String, String> settings = Map.of(
                "type", "gateway",
                "registry", "static:dubbo://127.0.0.1:" + provider.port() + ",dubbo://127.0.0.1:1",
                "server.port", "0",
                "admin.port", "0",
                "links.warm", "*",
                "dubbo.inquiry", "false",
                "io.threads", "1");
        gateway = new ConsumerAgent(Settings.of("io/dubbomesh/consumer/reference.conf", settings, Map.of()));
        AgentClient client = new AgentClient(URI.create(admin()), null);
        Await.until("the gateway is ready", () -> client.page("/readyz").statusCode() == 200);
        output("call", "a.B", "m");
        output("call", "a.B", "silent", "--timeout=100");
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.stop(0);
        provider.close();
    }

    private static String admin() {
        return "http://127.0.0.1:" + gateway.adminPort();
    }

    /** Returns the output of a command, with its standard error. */
    private static String output(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--admin=" + admin());
        StringWriter written = new StringWriter();
        CommandLine command = Meshctl.commandLine();
        command.setOut(new PrintWriter(written, true));
        command.setErr(new PrintWriter(written, true));
        command.execute(all.toArray(String[]::new));
        return written.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ls | not connected: Connection refused",
                "ls services | a.B",
                "describe a.B | meshctl: 404 NOT_FOUND: the methods of service a.B are not known to the gateway",
                "call a.B m | 42",
                "trace a.B m | the gateway, until an endpoint has room",
                "trace a.B m | the gateway, which converts for provider 127.0.0.1:",
                "trace a.B m | the gateway, until it has a permit for provider 127.0.0.1:",
                "trace a.B silent --timeout=100 | not told by provider 127.0.0.1:",
                "ls failures | TIMEOUT",
                "doctor | OK    gateway at http://127.0.0.1:",
                "doctor | nothing listens there: start the provider",
                "doctor | failed with TIMEOUT",
                "doctor | the methods of service a.B are not known to the gateway",
                "doctor | the class files of the interface (dubbo.api.jars); docs/errors.md explains NOT_FOUND",
                "drain --undo | takes calls again",
            })
    void noOutputNamesAnAgentThatAGatewayDoesNotNeed(String command, String expected) {
        assertThat(output(command.split(" "))).contains(expected).doesNotContainPattern(SIDECAR);
    }

    @Test
    void aTraceByTheAddressForCallsSaysOnlyWhatItKnows() {
        assertThat(output("trace", "a.B", "m", "-u=127.0.0.1:" + gateway.port()))
                .contains(
                        "the agent, until an endpoint has room", "the link, and endpoint 127.0.0.1:" + provider.port())
                .doesNotContainPattern(SIDECAR);
    }
}
