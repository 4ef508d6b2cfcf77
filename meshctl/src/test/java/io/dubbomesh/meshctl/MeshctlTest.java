package io.dubbomesh.meshctl;

import io.dubbomesh.consumer.ConsumerAgent;
import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Each command against a real consumer agent, whose provider agents the test plays. */
@Timeout(60)
class MeshctlTest {
    private static final String DESCRIPTION =
            "{\"interface\":\"a.Shop\",\"version\":\"1.0\",\"group\":\"\",\"methods\":["
                    + "{\"name\":\"order\",\"parameterTypes\":[\"java.lang.String\",\"int\"],\"returnType\":\"long\",\"descriptor\":\"\"},"
                    + "{\"name\":\"order\",\"parameterTypes\":[\"a.Order\"],\"returnType\":\"long\",\"descriptor\":\"\"},"
                    + "{\"name\":\"stop\",\"parameterTypes\":[\"int\"],\"returnType\":\"void\",\"descriptor\":\"\"},"
                    + "{\"name\":\"stop\",\"parameterTypes\":[\"long\"],\"returnType\":\"void\",\"descriptor\":\"\"}],"
                    + "\"types\":{\"a.Order\":{\"fields\":{\"item\":\"java.lang.String\"}},\"a.Colour\":{\"constants\":[\"RED\"]}},"
                    + "\"unknown\":[\"a.Item\"]}";

    private static final int TELLS_TIMING = 0x02;

    private static ProviderPeer provider;
    private static ConsumerAgent agent;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() throws Exception {
        provider = new ProviderPeer(MeshFrame.hello(180, 4096, TELLS_TIMING));
        agent = newAgent(Map.of());
        URI readyz = admin().resolve("/readyz");
        AgentClient client = new AgentClient(admin(), null);
        Await.until("the agent is ready", () -> client.page(readyz.getPath()).statusCode() == 200);
    }

    private static ConsumerAgent newAgent(Map<String, String> others) throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "registry", "static:127.0.0.1:" + provider.port() + "*1,127.0.0.1:1*2",
                "server.port", "0",
                "admin.port", "0",
                "links.warm", "*",
                "io.threads", "1"));
        settings.putAll(others);
        return new ConsumerAgent(Settings.of("io/dubbomesh/consumer/reference.conf", settings, Map.of()));
    }

    @AfterAll
    static void stop() throws Exception {
        agent.stop(0);
        provider.close();
    }

    private static URI admin() {
        return URI.create("http://127.0.0.1:" + agent.adminPort());
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--admin=" + admin());
        return runAlone(all.toArray(String[]::new));
    }

    private int runAlone(String... arguments) {
        CommandLine command = Meshctl.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    /** Runs a command that waits for answers of the provider agent. */
    private CompletableFuture<Integer> begin(String... arguments) {
        return CompletableFuture.supplyAsync(() -> run(arguments));
    }

    private ProviderPeer.Received answerDescription() throws Exception {
        ProviderPeer.Received request = provider.nextRequest();
        provider.answer(request, 0, Flags.JSON, DESCRIPTION);
        return request;
    }

    @Test
    void lsListsTheEndpointsWithTheReasonWhyOneIsNotConnected() {
        assertThat(run("ls")).isZero();

        assertThat(out.toString().lines())
                .hasSize(3)
                .anyMatch(
                        line -> line.matches(
                                "ENDPOINT +KIND +WEIGHT +LIMIT +CALLS +STRATEGY +LOAD +LATENCY +SHARE +BY WEIGHT +STATE +SERVICES"))
                .anyMatch(line -> line.matches(
                        "127\\.0\\.0\\.1:" + provider.port() + " +mesh +1 +180 +0 +weighted-round-robin +.*alive"))
                .anyMatch(line -> line.matches(
                        "127\\.0\\.0\\.1:1 +mesh +\\d +\\d+ +0 +weighted-round-robin +.*not connected: .*refused.*"));
    }

    @Test
    void lsListsTheZonesWhereEndpointsHaveAny() throws Exception {
        ConsumerAgent zoned = newAgent(Map.of("registry", "static:127.0.0.1:2/north,127.0.0.1:3"));
        try {
            assertThat(runAlone("ls", "-a", "127.0.0.1:" + zoned.adminPort())).isZero();
            assertThat(out.toString().lines())
                    .anyMatch(
                            line -> line.matches(
                                    "ENDPOINT +KIND +ZONE +WEIGHT +LIMIT +CALLS +STRATEGY +LOAD +LATENCY +SHARE +BY WEIGHT +STATE +SERVICES"))
                    .anyMatch(line -> line.matches("127\\.0\\.0\\.1:2 +mesh +north +1 .*"))
                    .anyMatch(line -> line.matches("127\\.0\\.0\\.1:3 +mesh +1 .*"));
        } finally {
            zoned.stop(0);
        }
    }

    @Test
    void lsListsWhatFailed() throws Exception {
        CompletableFuture<Integer> call = begin("call", "a.Garden", "dig", "--types=");
        provider.answer(provider.nextRequest(), 33, Flags.JSON, "{\"status\":502,\"detail\":\"hit a rock\"}");
        assertThat(call.get()).isEqualTo(1);
        assertThat(run("ls", "failures")).isZero();

        assertThat(out.toString().lines())
                .anyMatch(line -> line.matches("CODE +CALLS +LAST +SERVICE +METHOD +ENDPOINT +REASON"))
                .anyMatch(line -> line.matches("PROVIDER_ERROR +1 +\\S+Z +a.Garden +dig +127\\.0\\.0\\.1:"
                        + provider.port() + " +hit a rock"));
    }

    @Test
    void jsonIsTheDocumentOfTheAgent() {
        assertThat(run("ls", "--json")).isZero();

        assertThat(out.toString()).startsWith("{\"endpoints\":[{\"id\":\"127.0.0.1:");
    }

    @Test
    void aCallTakesTheTypesFromTheDescription() throws Exception {
        CompletableFuture<Integer> call = begin("call", "a.Shop:1.0", "order", "7", "3");
        answerDescription();
        ProviderPeer.Received request = provider.nextRequest();
        // The first parameter is text, so 7 is a string.
        assertThat(request.body()).endsWith("5b2237222c335d");
        provider.answer(request, 0, Flags.JSON, "42");

        assertThat(call.get()).isZero();
        assertThat(out).hasToString("42" + System.lineSeparator());
    }

    @Test
    void aCallHasTheTokenOfAFileWhereAnAgentKnowsItsCallers() throws Exception {
        String token = "a-token-of-24-characters";
        Path tokens = Files.writeString(folder.resolve("tokens"), "ana " + token + "\n");
        Path own = Files.writeString(folder.resolve("token"), token + "\n");
        ConsumerAgent guarded = newAgent(Map.of("http.auth", "token", "http.auth.token-file", tokens.toString()));
        try {
            String admin = "--admin=http://127.0.0.1:" + guarded.adminPort();
            assertThat(runAlone("call", "a.Shop:1.0", "order", "7", "3", admin)).isEqualTo(1);
            assertThat(err.toString()).contains("401 UNAUTHENTICATED: ", "--token-file names a file with a token");

            CompletableFuture<Integer> call = CompletableFuture.supplyAsync(
                    () -> runAlone("call", "a.Shop:1.0", "order", "7", "3", "--token-file=" + own, admin));
            answerDescription();
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "42");
            assertThat(call.get()).isZero();
            assertThat(out).hasToString("42" + System.lineSeparator());
        } finally {
            guarded.stop(0);
        }
    }

    @Test
    void aCallerWhoMayCallAMethodNeedNotSeeAll() throws Exception {
        String token = "a-token-of-24-characters";
        Path tokens = Files.writeString(folder.resolve("tokens"), "ana " + token + "\n");
        Path rules = Files.writeString(folder.resolve("rules"), "allow ana a.Shop#order\n");
        Path own = Files.writeString(folder.resolve("token"), token + "\n");
        ConsumerAgent guarded = newAgent(Map.of(
                "http.auth", "token", "http.auth.token-file", tokens.toString(), "http.auth.rules", rules.toString()));
        try {
            String admin = "--admin=http://127.0.0.1:" + guarded.adminPort();
            CompletableFuture<Integer> call = CompletableFuture.supplyAsync(
                    () -> runAlone("call", "a.Shop:1.0", "order", "7", "3", "--token-file=" + own, admin));
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "42");
            assertThat(call.get()).isZero();
            assertThat(runAlone("describe", "a.Shop:1.0", "--token-file=" + own, admin))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("403 FORBIDDEN: ");
        } finally {
            guarded.stop(0);
        }
    }

    @Test
    void aCallToAnAgentThatSpeaksHttpsTrustsTheAuthoritiesOfAFile() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("authority");
        X509Bundle own = authority.sign(
                new CertificateBuilder().ecp256().subject("CN=agent").addSanIpAddress("127.0.0.1"));
        Path ca = Files.writeString(folder.resolve("ca.crt"), authority.pem());
        ConsumerAgent secured = newAgent(Map.of(
                "http.tls.cert",
                Files.writeString(folder.resolve("agent.crt"), own.getCertificatePathPEM())
                        .toString(),
                "http.tls.key",
                Files.writeString(folder.resolve("agent.key"), own.getPrivateKeyPEM())
                        .toString()));
        try {
            String admin = "--admin=http://127.0.0.1:" + secured.adminPort();
            assertThat(runAlone("call", "a.Shop:1.0", "order", "7", "3", admin)).isEqualTo(1);
            assertThat(err.toString())
                    .contains(
                            "https://127.0.0.1:", "--ca names a file with the authorities of the agent's certificate");

            CompletableFuture<Integer> call = CompletableFuture.supplyAsync(
                    () -> runAlone("call", "a.Shop:1.0", "order", "7", "3", "--ca=" + ca, admin));
            answerDescription();
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "42");
            assertThat(call.get()).isZero();
            assertThat(out).hasToString("42" + System.lineSeparator());
        } finally {
            secured.stop(0);
        }
    }

    @Test
    void anAgentThatDemandsCertificatesOfItsClientsIsNamedAsTheReason() throws Exception {
        X509Bundle own = new CertificateBuilder()
                .ecp256()
                .subject("CN=agent")
                .setIsCertificateAuthority(true)
                .addSanIpAddress("127.0.0.1")
                .buildSelfSigned();
        Path certificate = Files.writeString(folder.resolve("agent.crt"), own.getCertificatePEM());
        ConsumerAgent secured = newAgent(Map.of(
                "http.tls.cert",
                certificate.toString(),
                "http.tls.key",
                Files.writeString(folder.resolve("agent.key"), own.getPrivateKeyPEM())
                        .toString(),
                "http.tls.client-auth",
                "required",
                "http.tls.client-ca",
                certificate.toString()));
        try {
            String admin = "--admin=http://127.0.0.1:" + secured.adminPort();
            assertThat(runAlone("call", "a.Shop:1.0", "order", "7", "3", "--ca=" + certificate, admin))
                    .isEqualTo(1);
            // The agent's alert may be lost in the reset of the connection.
            assertThat(err.toString()).contains("demands certificates of its clients by http.tls.client-auth");
        } finally {
            secured.stop(0);
        }
    }

    @Test
    void aFileWithoutACertificateIsNotTrusted() throws Exception {
        for (String text : new String[] {"", "no certificate"}) {
            Path file = Files.writeString(folder.resolve("no-ca"), text);
            assertThat(run("describe", "a.Shop", "--ca=" + file)).isEqualTo(1);
        }
        assertThat(run("describe", "a.Shop", "--ca=" + folder.resolve("none"))).isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(3).allMatch(line -> line.startsWith("meshctl: --ca: "));
    }

    @Test
    void whatIsNoTokenIsNeitherSentNorShown() throws Exception {
        for (String text : new String[] {"", "ana a-token-of-24-characters\n", "a-token\nanother\n", "t\u00f6ken"}) {
            Path file = Files.writeString(folder.resolve("no-token"), text);
            assertThat(run("describe", "a.Shop", "--token-file=" + file)).isEqualTo(1);
        }
        assertThat(run("describe", "a.Shop", "--token-file=" + folder.resolve("none")))
                .isEqualTo(1);
        assertThat(err.toString().lines())
                .hasSize(5)
                .allMatch(line -> line.contains("--token-file: "))
                .noneMatch(line -> line.contains("-characters"));
    }

    @Test
    void theAgentChoosesAmongMethodsWithAsManyParameters() throws Exception {
        CompletableFuture<Integer> call = begin("call", "a.Shop:1.0", "stop", "7");
        answerDescription();
        ProviderPeer.Received request = provider.nextRequest();
        assertThat(request.body()).endsWith("5b375d");
        provider.answer(
                request,
                Outcome.BAD_REQUEST.number(),
                Flags.JSON,
                "{\"status\":400,\"code\":\"BAD_REQUEST\",\"detail\":\"name the parameter types in the header\"}");

        assertThat(call.get()).isEqualTo(1);
        assertThat(err.toString())
                .contains("meshctl: 400 BAD_REQUEST: name the parameter types in the header; --types sets that header");
    }

    @Test
    void theDescriptionThatACallNeedsMayTakeAsLongAsTheCall() throws Exception {
        ConsumerAgent hasty = newAgent(Map.of("request.timeout", "5 ms"));
        try {
            CompletableFuture<Integer> call = CompletableFuture.supplyAsync(() -> runAlone(
                    "call", "a.Shop:1.0", "order", "7", "3", "--timeout=30000", "-a=127.0.0.1:" + hasty.adminPort()));
            ProviderPeer.Received description = provider.nextRequest();
            // Longer than the agent's request.timeout, at whose end nothing must happen: no event could be awaited.
            Thread.sleep(50);
            provider.answer(description, 0, Flags.JSON, DESCRIPTION);
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "42");

            assertThat(call.get()).as(err.toString()).isZero();
        } finally {
            hasty.stop(0);
        }
    }

    @Test
    void aVerboseCallShowsTheAnswerToItsRequestForTheDescription() throws Exception {
        CompletableFuture<Integer> call = begin("call", "-v", "a.Shop:1.0", "order", "7", "3");
        provider.answer(
                provider.nextRequest(),
                Outcome.PROVIDER_ERROR.number(),
                Flags.JSON,
                "{\"status\":502,\"code\":\"PROVIDER_ERROR\",\"detail\":\"lost\"}");

        assertThat(call.get()).isEqualTo(1);
        assertThat(err.toString().lines())
                .anyMatch(line -> line.matches("HTTP 502 after \\d+\\.\\d ms"))
                .contains("content-type: application/problem+json", "meshctl: 502 PROVIDER_ERROR: lost");
    }

    @Test
    void aServiceThatIsNotRegisteredIsToldWithTheOneThatMayHaveBeenMeant() throws Exception {
        Path entry = folder.resolve("mesh/com.example.Shop/127.0.0.1_" + provider.port());
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "1");
        ConsumerAgent listing = newAgent(Map.of("registry", "file:" + folder.resolve("mesh")));
        try {
            String admin = "--admin=127.0.0.1:" + listing.adminPort();
            AgentClient client = new AgentClient(URI.create("http://127.0.0.1:" + listing.adminPort()), null);
            Await.until(
                    "the agent has the list",
                    () -> client.change("GET", "services", null).contains("Shop"));
            assertThat(runAlone("call", "com.example.Shop.greet", "Ana", admin)).isEqualTo(1);
            assertThat(runAlone("call", "com.example.Shop#greet", "Ana", admin)).isEqualTo(1);
            assertThat(runAlone("call", "com.example.Shp", "greet", "Ana", admin))
                    .isEqualTo(1);
            assertThat(runAlone("call", "com.example.Shp", "greet", "--types=", admin))
                    .isEqualTo(1);
            assertThat(runAlone("describe", "com.example.Clock", admin)).isEqualTo(1);

            assertThat(err.toString().lines())
                    .startsWith(
                            "meshctl: service com.example.Shop.greet is not registered (did you mean com.example.Shop?"
                                    + " meshctl call takes the method apart: com.example.Shop greet)",
                            "meshctl: com.example.Shop#greet (expected: the method apart, meshctl call com.example.Shop greet)",
                            "meshctl: service com.example.Shp is not registered (did you mean com.example.Shop?"
                                    + " meshctl ls services lists all)",
                            "meshctl: service com.example.Shp is not registered (did you mean com.example.Shop?"
                                    + " meshctl ls services lists all)")
                    .last()
                    .asString()
                    .startsWith(
                            "meshctl: 404 SERVICE_NOT_FOUND: service com.example.Clock was never registered (there are");
        } finally {
            listing.stop(0);
        }
    }

    @Test
    void aMethodThatIsWrittenBehindTheVersionIsToldApart() throws Exception {
        Path entry = folder.resolve("mesh/com.example.Shop/127.0.0.1_" + provider.port());
        Files.createDirectories(entry.getParent());
        Files.writeString(
                entry,
                "{\"weight\":1,\"variants\":[{\"version\":\"1.0\",\"group\":\"\"},"
                        + "{\"version\":\"1.0.RELEASE\",\"group\":\"\"}]}");
        ConsumerAgent listing = newAgent(Map.of("registry", "file:" + folder.resolve("mesh")));
        try {
            String admin = "--admin=127.0.0.1:" + listing.adminPort();
            AgentClient client = new AgentClient(URI.create("http://127.0.0.1:" + listing.adminPort()), null);
            Await.until(
                    "the agent has the list",
                    () -> client.change("GET", "services", null).contains("Shop"));
            String hint = " (did you mean com.example.Shop:1.0?"
                    + " meshctl call takes the method apart: com.example.Shop:1.0 greet)";

            assertThat(runAlone("call", "com.example.Shop:1.0.greet", "Ana", admin))
                    .isEqualTo(1);
            assertThat(runAlone("call", "com.example.Shop:1.0.greet", admin)).isEqualTo(2);
            assertThat(runAlone("call", "com.example.Shop.greet", admin)).isEqualTo(2);
            assertThat(runAlone("call", "com.example.Shop", admin)).isEqualTo(2);
            assertThat(runAlone("call", "com.example.Shop:1.0.RELEASE", admin)).isEqualTo(2);
            CompletableFuture<Integer> call = CompletableFuture.supplyAsync(
                    () -> runAlone("call", "com.example.Shop:1.0.RELEASE", "nope", "--types=int", "1", admin));
            provider.answer(
                    provider.nextRequest(),
                    Outcome.METHOD_NOT_FOUND.number(),
                    Flags.JSON,
                    "{\"status\":404,\"code\":\"METHOD_NOT_FOUND\",\"detail\":\"no method nope\"}");
            assertThat(call.get()).isEqualTo(1);
            assertThat(runAlone("call", admin)).isEqualTo(2);

            assertThat(err.toString().lines().filter(line -> !line.startsWith("See: ")))
                    .containsExactly(
                            "meshctl: 404 METHOD_NOT_FOUND: no provider serves com.example.Shop with version"
                                    + " \"1.0.greet\" and group \"\" (served: version \"1.0\" and group \"\";"
                                    + " version \"1.0.RELEASE\" and group \"\")" + hint,
                            "meshctl: Missing required parameter: 'METHOD'" + hint,
                            "meshctl: Missing required parameter: 'METHOD' (did you mean com.example.Shop?"
                                    + " meshctl call takes the method apart: com.example.Shop greet)",
                            "meshctl: Missing required parameter: 'METHOD'",
                            "meshctl: Missing required parameter: 'METHOD'",
                            "meshctl: 404 METHOD_NOT_FOUND: no method nope",
                            "meshctl: Missing required parameter: 'SERVICE'");
        } finally {
            listing.stop(0);
        }
    }

    @Test
    void aFailedCallPrintsCodeAndDetail() throws Exception {
        CompletableFuture<Integer> call = begin(
                "call", "a.Shop", "order", "--types=java.util.Map<java.lang.String,java.lang.Long>,int", "{}", "3");
        provider.answer(
                provider.nextRequest(),
                33,
                Flags.JSON,
                "{\"status\":502,\"code\":\"PROVIDER_ERROR\",\"detail\":\"lost\"}");

        assertThat(call.get()).isEqualTo(1);
        assertThat(err.toString()).contains("meshctl: 502 PROVIDER_ERROR: lost");
    }

    @Test
    void traceShowsHowLongACallWasWhere() throws Exception {
        CompletableFuture<Integer> trace = begin("trace", "a.Shop", "stop", "--types=int", "7");
        ProviderPeer.Received request = provider.nextRequest();
        assertThat(request.flags()).isEqualTo(0x12);
        provider.answer(
                request,
                0,
                Flags.JSON,
                MeshFrame.attachments(":timing", "1000 2000000 192.0.2.7:20880").substring(4),
                "null");

        assertThat(trace.get()).isZero();
        String endpoint = "127\\.0\\.0\\.1:" + provider.port();
        assertThat(out.toString().lines().toList())
                .hasSize(7)
                .anyMatch(line -> line.matches("STAGE +MS +SHARE +WHERE"))
                .anyMatch(line -> line.matches("agent +\\d+\\.\\d{3} +\\d+ % +the consumer agent"))
                .anyMatch(line -> line.matches("queue +0\\.000 +0 % +the consumer agent, until an endpoint has room"))
                .anyMatch(line -> line.matches("mesh +\\d+\\.\\d{3} +\\d+ % +the link, and provider agent " + endpoint))
                .anyMatch(line -> line.matches(
                        "provider-queue +0\\.001 +0 % +provider agent " + endpoint + ", until it has a permit"))
                .anyMatch(line -> line.matches("provider +2\\.000 +\\d+ % +the provider, and its connection"))
                .anyMatch(line -> line.matches("total +\\d+\\.\\d{3} +100 %"));
    }

    @Test
    void aFailedCallIsTracedAsFarAsItWent() throws Exception {
        CompletableFuture<Integer> trace = begin("trace", "a.Shop", "stop", "--types=int", "--timeout=50", "7");
        provider.nextRequest();

        assertThat(trace.get()).isEqualTo(1);
        assertThat(out.toString()).contains("upstream  ").contains("not told by provider agent");
        assertThat(err.toString()).contains("meshctl: 504 TIMEOUT: ");
    }

    @Test
    void theTimesOfACallAreADocument() throws Exception {
        CompletableFuture<Integer> trace = begin("trace", "--json", "a.Shop", "stop", "--types=int", "7");
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "null");

        assertThat(trace.get()).isZero();
        assertThat(out.toString())
                .matches(
                        "(?s)\\{\"status\":200,\"endpoint\":\"127.0.0.1:" + provider.port()
                                + "\",\"stagesMs\":\\{\"agent\":[\\d.]+,\"queue\":[\\d.]+,\"upstream\":[\\d.]+,\"total\":[\\d.]+}}\\s+");
    }

    @Test
    void describePrintsMethodsAndClassesAsJavaDoes() throws Exception {
        CompletableFuture<Integer> describe = begin("describe", "a.Shop:1.0");
        answerDescription();

        assertThat(describe.get()).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "long order(java.lang.String, int)",
                        "long order(a.Order)",
                        "void stop(int)",
                        "void stop(long)",
                        "class a.Order { java.lang.String item; }",
                        "enum a.Colour [RED]",
                        "class a.Item: its fields are unknown; class files tell them (dubbo.api.jars)");
    }

    @Test
    void topShowsWhatIsBetweenTwoLooksAtTheMetrics() {
        assertThat(run("top", "--count=2", "--interval=0.1")).isZero();

        assertThat(out.toString()
                        .lines()
                        .filter(line -> line.matches("SERVICE +METHOD +CALLS/S +FAILED/S +P50 MS +P99 MS")))
                .hasSize(2);
    }

    @Test
    void aWeightIsChangedAndShown() {
        assertThat(run("weight", "127.0.0.1:1", "5")).isZero();
        assertThat(out.toString()).startsWith("127.0.0.1:1: weight 5, was ");
        assertThat(run("weight", "127.0.0.1:9", "5")).isEqualTo(1);
        assertThat(err.toString()).contains("404 NOT_FOUND: no endpoint 127.0.0.1:9");
    }

    @Test
    void drainIsBegunAndUndone() {
        assertThat(run("drain", "--wait=5")).isZero();
        assertThat(run("drain", "--undo")).isZero();

        assertThat(out.toString().lines())
                .containsExactly("draining, 0 calls in flight", "takes calls again, 0 calls in flight");
    }

    @Test
    void theSettingsThatAreNotAtTheirDefaultsAreShown() {
        assertThat(run("config")).isZero();

        assertThat(out.toString())
                .containsPattern("io\\.threads +1 +-Dio\\.threads +0")
                .doesNotContain("queue.size");
    }

    @Test
    void doctorNamesWhatIsWrongAndTheRemedy() {
        assertThat(run("doctor")).isEqualTo(1);

        assertThat(out.toString().lines())
                .anyMatch(line -> line.startsWith("OK    consumer-agent at " + admin()))
                .anyMatch(line -> line.startsWith("OK    endpoint 127.0.0.1:" + provider.port() + ": alive"))
                .anyMatch(line -> line.startsWith("FAIL  endpoint 127.0.0.1:1 is not connected: "))
                .anyMatch(line -> line.startsWith("      -> no agent listens there: start the provider agent"));
    }

    @Test
    void doctorSaysThatNoAgentAnswers() {
        assertThat(runAlone("doctor", "--admin=http://127.0.0.1:1")).isEqualTo(1);

        assertThat(out.toString()).startsWith("FAIL  http://127.0.0.1:1: cannot connect");
    }

    @Test
    void doctorSaysThatAnAgentIsStopped() throws Exception {
        try (ServerSocket stopped = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + stopped.getLocalPort();

            assertThat(runAlone("doctor", "--admin=" + url)).isEqualTo(1);

            assertThat(out.toString().lines())
                    .containsExactly(
                            "FAIL  " + url
                                    + ": no answer within 3 s (is its process stopped, or in a long collection?)",
                            "      -> start the agent, see its process, or name its admin port: --admin http://host:port");
        }
    }

    @Test
    void aCheckedFileIsADocumentToo() throws Exception {
        Path bad = Files.writeString(folder.resolve("consumer.conf"), "server.port = 70000\n");

        assertThat(runAlone("--json", "check-config", bad.toString())).isEqualTo(1);

        assertThat(out)
                .hasToString("{\"file\":\"" + bad
                        + "\",\"agent\":\"consumer\",\"problems\":[\"server.port: 70000 (expected: 1-65535), in " + bad
                        + ": 1\"]}" + System.lineSeparator());
    }

    @Test
    void aFileIsCheckedAsTheAgentWouldCheckIt() throws Exception {
        Path good = Files.writeString(folder.resolve("consumer.conf"), "server.port = 20002\n");
        Path bad = Files.writeString(folder.resolve("my.conf"), "server.port = 70000\nserver.hots = a\n");

        assertThat(runAlone("check-config", good.toString())).isZero();
        assertThat(out).hasToString(good + ": a consumer agent takes it" + System.lineSeparator());
        Path gateway = Files.writeString(folder.resolve("gateway.conf"), "server.port = 20002\n");
        assertThat(runAlone("check-config", gateway.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "registry: not set (expected: the registry that lists the providers, for type gateway)");
        assertThat(runAlone("check-config", gateway.toString(), "-Dregistry=zookeeper://127.0.0.1:2181"))
                .isZero();
        assertThat(runAlone(
                        "check-config", "--agent=gateway", good.toString(), "-Dregistry=zookeeper://127.0.0.1:2181"))
                .isZero();
        assertThat(out.toString()).contains(gateway + ": a gateway takes it", good + ": a gateway takes it");
        assertThat(runAlone("check-config", "--agent=provider", bad.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .contains("server.port: 70000 (expected: 1-65535), in " + bad + ": 1")
                .anyMatch(line -> line.startsWith("server.hots: no such setting (did you mean server.host?)"))
                .anyMatch(line -> line.startsWith("dubbo.services: "));
        assertThat(runAlone("check-config", bad.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("--agent: missing (expected: consumer, gateway or provider, whose settings my.conf has)");
        assertThat(runAlone("check-config", "--agent=sidecar", bad.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("option '--agent': sidecar (expected: consumer, gateway or provider)");
    }

    @Test
    void ofAFileThatCannotBeReadNothingElseIsTold() throws Exception {
        Path missing = folder.resolve("my.conf");
        assertThat(runAlone("check-config", missing.toString())).isEqualTo(1);
        assertThat(err).hasToString("meshctl: " + missing + ": no such file" + System.lineSeparator());

        err.getBuffer().setLength(0);
        Path broken = Files.writeString(folder.resolve("provider.conf"), "dubbo.services = a.B\nserver.port = {\n");
        assertThat(runAlone("check-config", broken.toString())).isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("config.file: " + broken + ": 3: ");
    }

    @Test
    void allMistakesOfAConsumerAgentAreToldAtOnce() throws Exception {
        String malformed = Files.writeString(folder.resolve("malformed"), "one two three four\n\nfive\n")
                .toString();
        String tool = "{ service = a.B, method = m }\n";
        String tools = Files.writeString(folder.resolve("tools"), "tools {\n t " + tool + " t " + tool + "}\n")
                .toString();
        Path file = Files.writeString(
                folder.resolve("consumer.conf"),
                String.join(
                        "\n",
                        "mcp.tools = " + tools,
                        "server.port = 70000",
                        "server.hots = 127.0.0.1",
                        "registry = \"etcd://127.0.0.1:2379?username-file=/no/user&ca=/no/ca\"",
                        "dubbo.api.jars = \"/no/a.jar," + malformed + "\"",
                        "dubbo.token-file = /no/service-tokens",
                        "mesh.token-file = " + malformed,
                        "mesh.tls.cert = /no/cert",
                        "mesh.tls.key = " + malformed,
                        "http.tls.cert = " + malformed,
                        "http.auth = \"token,jwt\"",
                        "http.auth.token-file = /no/tokens",
                        "http.auth.rules = " + malformed,
                        "http.auth.jwks = /no/keys",
                        "access.log = /no/access.log"));

        assertThat(runAlone("check-config", file.toString(), "-Dlogs.dir=/dev/null/logs"))
                .isEqualTo(1);

        for (String begin : List.of(
                "server.port: 70000 ",
                "server.hots: no such setting (did you mean server.host?)",
                "registry: etcd: username-file /no/user: cannot be read (no such file); etcd: ca /no/ca: cannot be read",
                "dubbo.api.jars: /no/a.jar," + malformed
                        + " (expected: jar files and directories that can be read, by comma; cannot be read: /no/a.jar: no"
                        + " such file, " + malformed + ": ",
                "dubbo.token-file: /no/service-tokens: no such file",
                "mesh.token-file: " + malformed + ": lines 1, 3 (expected: a token of ",
                "mesh.tls.cert: /no/cert (expected: a readable file)",
                "mesh.tls.key: " + malformed + " (expected: \"-----BEGIN PRIVATE KEY-----\")",
                "mesh.tls.ca: not set ",
                "http.tls.cert: " + malformed + " (expected: \"-----BEGIN CERTIFICATE-----\")",
                "http.tls.key: not set ",
                "http.auth.token-file: /no/tokens: no such file",
                "http.auth.rules: " + malformed + ":1: ",
                "http.auth.jwks: /no/keys: no such file",
                "http.auth.issuer: not set ",
                "http.auth.audience: not set ",
                "mcp.tools: " + tools
                        + ":3: tools.t is given a second time (expected: once; the first one is in line 2)",
                "access.log: /no/access.log ",
                "logs.dir: /dev/null/logs ")) {
            assertThat(err.toString().lines())
                    .filteredOn(line -> line.startsWith(begin))
                    .as(begin)
                    .hasSize(1);
        }
        assertThat(err.toString().lines()).hasSize(19);
        assertThat(err.toString()).containsPattern("http.auth.rules: " + Pattern.quote(malformed) + ":1: .*; line 3: ");
    }

    @Test
    void allMistakesOfAProviderAgentAreToldAtOnce() throws Exception {
        Path file = Files.writeString(
                folder.resolve("provider.conf"),
                String.join(
                        "\n",
                        "server.port = 70000",
                        "registry = \"etcd://a:0,static:192.0.2.7\"",
                        "dubbo.services = \"a b,c.D,e f\"",
                        "dubbo.token-file = /no/service-tokens",
                        "mesh.token-file = /no/mesh-tokens",
                        "mesh.tls.cert = /no/cert"));

        assertThat(runAlone("check-config", file.toString())).isEqualTo(1);

        assertThat(err.toString().lines())
                .hasSize(9)
                .anyMatch(line -> line.startsWith("server.port: 70000 "))
                .anyMatch(line -> line.startsWith("registry: etcd://a:0"))
                .anyMatch(line -> line.startsWith("dubbo.services: a b "))
                .anyMatch(line -> line.startsWith("dubbo.services: e f "))
                .anyMatch(line -> line.startsWith("dubbo.token-file: /no/service-tokens: no such file"))
                .anyMatch(line -> line.startsWith("mesh.token-file: /no/mesh-tokens: no such file"))
                .anyMatch(line -> line.startsWith("mesh.tls.cert: /no/cert "))
                .anyMatch(line -> line.startsWith("mesh.tls.key: not set "))
                .anyMatch(line -> line.startsWith("mesh.tls.ca: not set "));
    }

    @Test
    void allMistakesOfAGatewayAreToldAtOnce() throws Exception {
        Path file = Files.writeString(
                folder.resolve("consumer.conf"), "server.port = 70000\ndubbo.token-file = /no/service-tokens\n");

        assertThat(runAlone("check-config", file.toString(), "-Dtype=gateway")).isEqualTo(1);

        assertThat(err.toString().lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("registry: "))
                .anyMatch(line -> line.startsWith("server.port: 70000 "))
                .anyMatch(line -> line.startsWith("dubbo.token-file: /no/service-tokens: no such file"));
    }

    @Test
    void aCheckCreatesNoDirectory() throws Exception {
        String file = Files.writeString(folder.resolve("consumer.conf"), "").toString();

        assertThat(runAlone("check-config", file, "-Dlogs.dir=" + folder.resolve("a/b")))
                .isZero();
        assertThat(folder.resolve("a")).doesNotExist();
        assertThat(runAlone("check-config", file, "-Dlogs.dir=/dev/null/logs")).isEqualTo(1);
        assertThat(err.toString()).contains("logs.dir: /dev/null/logs (expected: a directory that can be created)");
    }

    @Test
    void anAddressNeedsNoScheme() {
        assertThat(runAlone("ls", "-a", "127.0.0.1:" + agent.adminPort())).isZero();
        assertThat(runAlone("ls", "-a", "localhost:" + agent.adminPort())).isZero();
        assertThat(runAlone("ls", "-a", "HTTP://127.0.0.1:" + agent.adminPort() + '/'))
                .isZero();
        assertThat(err).asString().isEmpty();
    }

    @Test
    void anAddressThatIsNoneIsNamedInOneLine() {
        for (String address :
                List.of("127.0.0.1", ":20001", "127.0.0.1:99999", "https://127.0.0.1:1", "a b:1", "[::1")) {
            err.getBuffer().setLength(0);
            assertThat(runAlone("ls", "-a", address)).isEqualTo(2);
            assertThat(err.toString().lines())
                    .containsExactly(
                            "meshctl: --admin: " + address
                                    + " (expected: host:port or http://host:port, as 127.0.0.1:20001)",
                            "See: meshctl ls --help");
        }
        assertThat(runAlone("drain", "-a", "127.0.0.1:1,127.0.0.1:2")).isEqualTo(2);
        assertThat(err.toString()).contains("--admin: 2 agents (expected: one; ls and top take several)");
        assertThat(run("describe", "a.Shop", "-u", "127.0.0.1")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--url: 127.0.0.1 (expected: host:port, http://host:port or https://host:port,");
    }

    @Test
    void wrongUsageIsNamedWithoutTheWholeUsage() {
        assertThat(runAlone("sl")).isEqualTo(2);
        assertThat(runAlone("ls", "--jsn")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "meshctl: Unmatched argument at index 0: 'sl'",
                        "See: meshctl --help",
                        "meshctl: Unknown option: '--jsn'",
                        "Possible solutions: --json");
    }

    @Test
    void aPortThatIsNoAdminPortIsToldInWords() throws Exception {
        for (String[] command :
                new String[][] {{"ls"}, {"top"}, {"weight", "127.0.0.1:1", "5"}, {"call", "a.Shop", "order"}}) {
            err.getBuffer().setLength(0);
            List<String> all = new ArrayList<>(List.of(command));
            all.addAll(List.of("-a", "127.0.0.1:" + agent.port()));
            assertThat(runAlone(all.toArray(String[]::new))).isEqualTo(1);
            assertThat(err.toString().lines())
                    .containsExactly("meshctl: http://127.0.0.1:" + agent.port()
                            + " is no admin port: a consumer agent or a gateway takes calls there (expected: -a 127.0.0.1:"
                            + (agent.port() + 1) + ", unless admin.port is set)");
        }
        for (String[] other : new String[][] {
            {
                "\u00d3\u00e5\u0001\u0001\0\0",
                "a provider agent takes calls of consumer agents there (expected: -a 127.0.0.1:"
            },
            {"\u00da\u00bb\u0042\0", "a Dubbo provider listens there (expected: an admin port: 20001 of"},
            {"Unsupported command: GET\r\ndubbo>", "a Dubbo provider listens there"},
            {"\u0015\u0003\u0003\0\u0002\u0002\u0046", "what listens there speaks TLS"},
            {"SSH-2.0-OpenSSH_9.2\r\n", "what listens there does not speak HTTP"},
            {"", "what listens there gave no answer"},
            {
                "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n",
                "what listens there answered 404 to /api/v1/endpoints"
            },
            {
                "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>",
                "what listens there answered 200 to /api/v1/endpoints"
            },
        }) {
            err.getBuffer().setLength(0);
            try (AnsweringPort port = new AnsweringPort(other[0])) {
                assertThat(runAlone("ls", "-a", "127.0.0.1:" + port.port())).isEqualTo(1);
                assertThat(err.toString().lines())
                        .singleElement()
                        .asString()
                        .startsWith("meshctl: http://127.0.0.1:" + port.port() + " is no admin port: " + other[1]);
            }
        }
    }

    @Test
    void aPortThatTakesNoCallsIsToldInWords() throws Exception {
        try (AnsweringPort mesh = new AnsweringPort("\u00d3\u00e5\u0001\u0001\0\0")) {
            assertThat(run("call", "a.Shop", "order", "-u", "127.0.0.1:" + mesh.port()))
                    .isEqualTo(1);
            assertThat(err.toString())
                    .contains("takes no HTTP requests: a provider agent takes calls of consumer agents");
        }
        assertThat(run("call", "a.Shop", "order", "-u", "127.0.0.1:" + agent.adminPort()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("127.0.0.1:" + agent.adminPort() + " answered 404 to /a.Shop");
    }

    @Test
    void severalAgentsAreShownSideBySideAndOneThatIsNotReachedIsNamed() throws Exception {
        ConsumerAgent second = newAgent(Map.of("registry", "static:127.0.0.1:2"));
        try {
            String first = "127.0.0.1:" + agent.adminPort();
            String other = "127.0.0.1:" + second.adminPort();
            String all = first + ",http://" + other + ",127.0.0.1:1";

            assertThat(runAlone("ls", "-a", all)).isEqualTo(1);
            assertThat(out.toString().lines())
                    .hasSize(4)
                    .anyMatch(
                            line -> line.matches(
                                    "AGENT +ENDPOINT +KIND +WEIGHT +LIMIT +CALLS +STRATEGY +LOAD +LATENCY +SHARE +BY WEIGHT +STATE +SERVICES"))
                    .anyMatch(line -> line.matches(first + " +127\\.0\\.0\\.1:" + provider.port() + " +mesh .*"))
                    .anyMatch(line -> line.matches(other + " +127\\.0\\.0\\.1:2 +mesh .*"));
            assertThat(err.toString().lines())
                    .singleElement()
                    .asString()
                    .startsWith("meshctl: http://127.0.0.1:1: cannot connect");

            out.getBuffer().setLength(0);
            assertThat(runAlone("ls", "--json", "-a", all)).isEqualTo(1);
            assertThat(out.toString())
                    .startsWith("{\"agents\":[{\"agent\":\"http://" + first + "\",\"endpoints\":[{")
                    .contains("{\"agent\":\"http://127.0.0.1:1\",\"failure\":\"http://127.0.0.1:1: cannot connect");

            out.getBuffer().setLength(0);
            assertThat(runAlone("top", "-n", "2", "-i", "0.05", "-a", all)).isEqualTo(1);
            assertThat(out.toString().lines())
                    .anyMatch(line -> line.matches("AGENT +SERVICE +METHOD +CALLS/S +FAILED/S +P50 MS +P99 MS"))
                    .anyMatch(line -> line.matches("AGENT +ENDPOINT +CALLS/S +SHARE +FAILED/S +IN FLIGHT +LIMIT"))
                    .anyMatch(line -> line.startsWith(first + "  127.0.0.1:" + provider.port()));
        } finally {
            second.stop(0);
        }
    }

    @Test
    void anAgentWithoutEndpointsSaysSoBesideTheOthers() throws Exception {
        ConsumerAgent second = newAgent(Map.of("registry", "file:" + folder));
        try {
            String first = "127.0.0.1:" + agent.adminPort();
            String other = "127.0.0.1:" + second.adminPort();
            String both = first + ',' + other;

            assertThat(runAlone("ls", "-a", both)).isZero();
            assertThat(out.toString().lines())
                    .anyMatch(line -> line.matches(first + " +127\\.0\\.0\\.1:" + provider.port() + " +mesh .*"))
                    .contains(other + "  no endpoints");

            out.getBuffer().setLength(0);
            assertThat(runAlone("ls", "failures", "-a", both)).isZero();
            assertThat(out.toString().lines()).contains(other + "  no failures");
        } finally {
            second.stop(0);
        }
    }

    @Test
    void anArgumentIsTheContentOfAFile() throws Exception {
        Path item = Files.writeString(folder.resolve("item"), "7\n");
        Path count = Files.writeString(folder.resolve("count.json"), "3\n");
        CompletableFuture<Integer> call = begin("call", "a.Shop:1.0", "order", "@" + item, "@" + count);
        answerDescription();
        ProviderPeer.Received request = provider.nextRequest();
        // The arguments as typed: ["7",3].
        assertThat(request.body()).endsWith("5b2237222c335d");
        provider.answer(request, 0, Flags.JSON, "42");
        assertThat(call.get()).isZero();

        assertThat(run("call", "a.Shop:1.0", "order", "@" + folder.resolve("no.json")))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("meshctl: @" + folder.resolve("no.json") + ": no such file (expected: @FILE, or");
    }

    @Test
    void levelsAreShownAndChanged() {
        assertThat(run("log", "ROOT")).isZero();
        assertThat(out.toString()).startsWith("ROOT: ");
        assertThat(run("log", "no.such", "debug")).isEqualTo(1);
        assertThat(err.toString()).contains("no logger no.such");
    }

    @Test
    void aLevelGoesBackToWhatIsConfigured() {
        assertThat(run("log", "io.dubbomesh", "debug")).isZero();
        assertThat(run("log", "io.dubbomesh", "default")).isZero();
        assertThat(out.toString().lines()).containsExactly("io.dubbomesh: debug", "io.dubbomesh: info");
    }
}
