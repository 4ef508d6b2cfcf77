package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The methods and types of services, as real providers list them, class files give them and a metadata report has them;
 * and calls that need them.
 */
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DescriptionTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);
    private static final String SHOP = "io.dubbomesh.demo.shop.Shop";
    private static final String CONFORMANCE = "io.dubbomesh.demo.conformance.ConformanceService";
    private static final String OFFICE = "io.dubbomesh.demo.office.";
    private static final String USERS = OFFICE + "UserService";
    private static final String DRAWINGS = OFFICE + "DrawingService";
    private static final String DIARY = OFFICE + "Diary";
    /** The report that such a provider has written into a ZooKeeper. */
    private static final Path REPORT =
            Path.of("src", "test", "resources", "metadata-reports", "3.3.6", DIARY + ".json");

    /** The caller of the provider, and the source of the methods. */
    private enum Way {
        PAIR_WITH_CLASS_FILES,
        PAIR_WITH_THE_LIST_OF_THE_PROVIDER,
        GATEWAY_WITH_CLASS_FILES
    }

    private static Mesh mesh;
    private static LocalZooKeeper zooKeeper;
    private static Agent withReport;
    /** In front of the provider of Dubbo 3. */
    private static Agent consumerAgent;

    private static Agent consumerAgentOf26;
    /** In front of {@link #withReport}, whose services are those that the provider exports. */
    private static Agent consumerAgentOfReport;

    private static Agent gateway;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("DescriptionTest");
        zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"));
        Dubbo dubbo26 = mesh.provider(
                Jvm.DUBBO_2612, "dubbo26", Map.of("delay.ms", "0", "conformance", "true", "serialization", "hessian2"));
        Dubbo dubbo3 =
                mesh.provider(Jvm.DUBBO, "dubbo3", Map.of("delay.ms", "0", "office", "true", "conformance", "true"));
        dubbo26.awaitListening();
        dubbo3.awaitListening();
        String registry = "file:" + mesh.directory().resolve("registry");
        String registryOf26 = "file:" + mesh.directory().resolve("registry-of-dubbo26");
        String registryOfReport = "file:" + mesh.directory().resolve("registry-of-report");
        String classes =
                Path.of("../..", "testing", "demo", "api", "target", "classes").toString();
        Agent of26 = mesh.providerAgent(
                "agent-of-dubbo26",
                dubbo26.port(),
                registryOf26,
                Map.of("dubbo.services", Form.SERVICE + "," + CONFORMANCE));
        Agent withClasses = mesh.providerAgent(
                "agent-with-classes",
                dubbo3.port(),
                registry,
                Map.of(
                        "dubbo.services",
                        String.join(",", SHOP, USERS, DRAWINGS, CONFORMANCE),
                        "dubbo.api.jars",
                        classes));
        Agent without = mesh.providerAgent(
                "agent-without", dubbo3.port(), registry, Map.of("dubbo.services", SHOP + ":2.0.0:blue"));
        withReport = mesh.providerAgent(
                "agent-with-report",
                dubbo3.port(),
                registryOfReport,
                Map.of(
                        "dubbo.services",
                        "auto",
                        "metadata",
                        zooKeeper.uri(),
                        "types.cache",
                        mesh.directory().resolve("types").toString()));
        for (Agent agent : List.of(of26, withClasses, without)) {
            agent.awaitReady();
            agent.process().awaitOutput("methods and types of services: ", A_WHILE);
        }
        withReport.awaitReady();
        // After the agent has registered: reports come late.
        ZooKeeperOperator client = zooKeeper.connect();
        client.create("/dubbo/metadata/" + DIARY + "/provider/dubbo3", Files.readString(REPORT), CreateMode.PERSISTENT);
        client.close();
        withReport.process().awaitOutput(" 1 from metadata reports", A_WHILE);
        consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgentOf26 = mesh.consumerAgent("consumer-agent-of-dubbo26", registryOf26, Map.of());
        consumerAgentOfReport = mesh.consumerAgent("consumer-agent-of-report", registryOfReport, Map.of());
        gateway = mesh.consumerAgent(
                Jvm.MESH_AGENT,
                "gateway",
                Map.of(
                        "type",
                        "gateway",
                        "registry",
                        "static:dubbo://127.0.0.1:" + dubbo3.port(),
                        "dubbo.api.jars",
                        classes));
        for (Agent agent : List.of(consumerAgent, consumerAgentOf26, consumerAgentOfReport, gateway)) {
            agent.awaitReady();
        }
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        zooKeeper.close();
    }

    private static HttpAnswer describe(Agent agent, String target) throws Exception {
        return HttpSocket.once(agent.port(), "GET /" + target + " HTTP/1.1\r\nHost: mesh\r\n\r\n");
    }

    private static HttpAnswer buy(String query, String order) throws Exception {
        return call(SHOP + "/buy" + query, order);
    }

    private static HttpAnswer call(String target, String arguments, String... headers) throws Exception {
        return call(consumerAgent, target, arguments, headers);
    }

    private static HttpAnswer call(Agent agent, String target, String arguments, String... headers) throws Exception {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Content-Type: application/json";
        return HttpSocket.once(agent.port(), HttpSocket.request("POST /" + target, arguments, all));
    }

    @Test
    void dubbo26ListsItsMethods() throws Exception {
        HttpAnswer answer = describe(consumerAgentOf26, Form.SERVICE);

        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(answer.text())
                .isEqualTo("{\"interface\":\"" + Form.SERVICE
                        + "\",\"version\":\"\",\"group\":\"\",\"source\":\"provider\",\"methods\":["
                        + "{\"name\":\"hash\",\"parameterTypes\":[\"java.lang.String\"],\"returnType\":\"int\","
                        + "\"descriptor\":\"Ljava/lang/String;\"}],\"types\":{},"
                        + "\"served\":[{\"version\":\"\",\"group\":\"\"}]}");
    }

    @Test
    void dubbo3ListsNoMethods() throws Exception {
        describe(consumerAgent, SHOP + "?version=2.0.0&group=blue").assertProblem(404, "NOT_FOUND");
    }

    @Test
    void classFilesGiveMethodsAndTypes() throws Exception {
        HttpAnswer answer = describe(consumerAgent, SHOP);

        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(answer.text())
                .contains("{\"name\":\"buy\",\"parameterTypes\":[\"io.dubbomesh.demo.shop.Order\"],"
                        + "\"returnType\":\"io.dubbomesh.demo.shop.Receipt\","
                        + "\"descriptor\":\"Lio/dubbomesh/demo/shop/Order;\",\"parameterNames\":[\"order\"]}")
                .contains(
                        "\"io.dubbomesh.demo.shop.Order\":{\"fields\":{\"item\":\"java.lang.String\",\"quantity\":\"int\","
                                + "\"price\":\"java.math.BigDecimal\",\"delivery\":\"io.dubbomesh.demo.shop.Delivery\","
                                + "\"day\":\"java.time.LocalDate\"},\"properties\":{\"day\":\"day\",");
    }

    @Test
    void aMethodOfAGenericInterfaceIsDescribedByWhatItsCallersSeeAndCalledByEither() throws Exception {
        assertThat(describe(consumerAgent, USERS).text())
                .contains("{\"name\":\"find\",\"parameterTypes\":[\"" + OFFICE
                        + "UserQuery\"],\"returnType\":\"java.util.List<" + OFFICE
                        + "User>\",\"descriptor\":\"Ljava/lang/Object;\",\"parameterNames\":[\"query\"]}")
                .contains("{\"name\":\"get\",\"parameterTypes\":[\"java.lang.Long\"],\"returnType\":\"" + OFFICE
                        + "User\",\"descriptor\":\"Ljava/lang/Comparable;\",\"parameterNames\":[\"key\"]}");
        for (String types : new String[] {"", OFFICE + "UserQuery", "java.lang.Object", "Ljava/lang/Object;"}) {
            String[] header = types.isEmpty() ? new String[0] : new String[] {"X-Dubbo-Parameter-Types: " + types};
            HttpAnswer answer = call(USERS + "/find", "[{\"name\":\"Al\",\"minAge\":7}]", header);

            assertThat(answer.status()).as("%s: %s", types, answer).isEqualTo(200);
            assertThat(answer.text()).contains("\"name\":\"Al\"", "\"age\":7");
        }
    }

    /** Dubbo 3.3 takes no class that no signature mentions, unless it is told to, as the demo's provider is. */
    @Test
    void subclassesAreDescribedAndTakenByTheirNames() throws Exception {
        assertThat(describe(consumerAgent, DRAWINGS).text())
                .contains("\"" + OFFICE + "Shape\":{\"abstract\":true,\"fields\":{\"name\":\"java.lang.String\"},")
                .containsPattern("\"subclasses\":\\[[^]]*" + OFFICE + "Square");

        assertThat(call(DRAWINGS + "/area", "[{\"class\":\"" + OFFICE + "Circle\",\"radius\":2}]")
                        .text())
                .isEqualTo("12.0");
        Map<String, String> unnamed =
                call(DRAWINGS + "/area", "[{\"radius\":2}]").assertProblem(400, "BAD_ARGUMENT");
        assertThat(unnamed.get("detail")).startsWith("args[0]: {...} (expected: the member class, one of ");
    }

    @Test
    void aCallNeedsNoTypesAndADecimalKeepsItsDigitsWhereTheyAreKnown() throws Exception {
        String order = "{\"item\":\"tea\",\"quantity\":2,\"price\":1.50,\"day\":\"2026-11-21\"}";
        HttpAnswer known = buy("", order);
        HttpAnswer unknown = buy("?version=2.0.0&group=blue", order);

        assertThat(known.status()).as("%s", known).isEqualTo(200);
        assertThat(known.text()).contains("\"item\":\"tea\"", "\"total\":3.00");
        assertThat(unknown.status()).as("%s", unknown).isEqualTo(200);
        assertThat(unknown.text()).contains("\"item\":\"tea\"", "\"total\":3");
    }

    @Test
    void aFieldThatDoesNotFitIsNamedWhereItsTypeIsKnown() throws Exception {
        Map<String, String> problem =
                buy("", "{\"item\":\"tea\",\"quantity\":\"two\"}").assertProblem(400, "BAD_ARGUMENT");

        assertThat(problem.get("detail"))
                .isEqualTo("args[0].quantity: \"two\" (expected: int, -2147483648 to 2147483647)");
    }

    private static HttpAnswer overloaded(Way way, String arguments, String... headers) throws Exception {
        Agent agent = switch (way) {
            case PAIR_WITH_CLASS_FILES -> consumerAgent;
            case PAIR_WITH_THE_LIST_OF_THE_PROVIDER -> consumerAgentOf26;
            case GATEWAY_WITH_CLASS_FILES -> gateway;
        };
        return call(agent, CONFORMANCE + "/overloaded", arguments, headers);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theArgumentsTellWhichOneIsCalled(Way way) throws Exception {
        Map<String, String> results = Map.of(
                "[]", "()",
                "", "()",
                "[1]", "(int)",
                "[5000000000]", "(long)",
                "[\"5\"]", "(String)",
                "[[1]]", "(List)",
                "[1, 2]", "(int, int)",
                "[\"a\", 2]", "(String, int)");
        for (Map.Entry<String, String> each : results.entrySet()) {
            assertThat(overloaded(way, each.getKey()).text()).as(each.getKey()).isEqualTo('"' + each.getValue() + '"');
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"PAIR_WITH_CLASS_FILES", "GATEWAY_WITH_CLASS_FILES"})
    void whatMayBeSeveralIsRefusedWithTheHeadersToChooseFrom(Way way) throws Exception {
        String detail =
                overloaded(way, "[null]").assertProblem(400, "BAD_REQUEST").get("detail");
        assertThat(detail)
                .startsWith(
                        "method overloaded is overloaded, and the arguments fit several: name the parameter types in"
                                + " the header X-Dubbo-Parameter-Types (expected: one of ")
                .contains(
                        "\"java.lang.Integer\"",
                        "\"java.lang.String\"",
                        "\"java.util.List<java.lang.Long>\"",
                        "\"io.dubbomesh.demo.conformance.Item\"");
        assertThat(overloaded(way, "[null]", "X-Dubbo-Parameter-Types: java.util.List<java.lang.Long>")
                        .text())
                .isEqualTo("\"(List)\"");
        assertThat(overloaded(way, "[{\"name\":\"pen\"}]").text()).isEqualTo("\"(Item)\"");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aNumberOfArgumentsThatNoneHasIsRefusedWithTheMethods(Way way) throws Exception {
        assertThat(overloaded(way, "[1, 2, 3]")
                        .assertProblem(400, "BAD_REQUEST")
                        .get("detail"))
                .startsWith("arguments: 3 (expected: those of one of overloaded(");
    }

    @Test
    void withAReportCallsAreNativeAndTheServiceIsDescribed() throws Exception {
        assertPostponed();

        assertThat(describe(consumerAgentOfReport, DIARY).text())
                .contains("\"source\":\"metadata report\"", "\"start\":\"java.util.Date\"");
    }

    /** Only with types can the agent make a date of a text with an offset. */
    private static void assertPostponed() throws Exception {
        HttpAnswer answer = call(
                consumerAgentOfReport,
                DIARY + "/postpone",
                "[{\"title\":\"t\",\"start\":\"2026-11-21T10:00:00+02:00\",\"day\":\"2026-11-21\"}]",
                Form.PATIENT);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(answer.text()).contains("\"start\":\"2026-11-22T08:00:00Z\"");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void theTypesOfAReportAreKeptForATimeWithoutZooKeeper() throws Exception {
        zooKeeper.stop();

        withReport.process().kill();
        withReport.startAgain();
        withReport.awaitReady();

        Await.untilAsserted(A_WHILE, DescriptionTest::assertPostponed);
    }
}
