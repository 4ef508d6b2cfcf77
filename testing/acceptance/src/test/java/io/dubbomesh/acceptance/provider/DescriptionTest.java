package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** The methods of a service, as real providers list them and as class files give them. */
@Timeout(120)
class DescriptionTest {
    private static final String SHOP = "io.dubbomesh.demo.shop.Shop";
    private static final String OFFICE = "io.dubbomesh.demo.office.";
    private static final String USERS = OFFICE + "UserService";
    private static final String DRAWINGS = OFFICE + "DrawingService";

    private static Mesh mesh;
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("DescriptionTest");
        String registry = "file:" + mesh.directory().resolve("registry");
        Dubbo dubbo26 = mesh.provider(Jvm.DUBBO_26, "dubbo26", Map.of("delay.ms", "0", "serialization", "hessian2"));
        Dubbo dubbo3 = mesh.provider(Jvm.DUBBO, "dubbo3", Map.of("delay.ms", "0", "office", "true"));
        dubbo26.awaitListening();
        dubbo3.awaitListening();
        String classes =
                Path.of("../..", "testing", "demo", "api", "target", "classes").toString();
        Agent of26 = mesh.providerAgent("agent-of-dubbo26", dubbo26.port(), registry, Map.of());
        Agent withClasses = mesh.providerAgent(
                "agent-with-classes",
                dubbo3.port(),
                registry,
                Map.of("dubbo.services", String.join(",", SHOP, USERS, DRAWINGS), "dubbo.api.jars", classes));
        Agent without = mesh.providerAgent(
                "agent-without", dubbo3.port(), registry, Map.of("dubbo.services", SHOP + ":2.0.0:blue"));
        for (Agent agent : new Agent[] {of26, withClasses, without}) {
            agent.awaitReady();
            agent.process().awaitOutput("methods and types of services: ", Duration.ofSeconds(10));
        }
        consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static HttpAnswer describe(String target) throws Exception {
        return HttpSocket.once(consumerAgent.port(), "GET /" + target + " HTTP/1.1\r\nHost: mesh\r\n\r\n");
    }

    private static HttpAnswer buy(String query, String order) throws Exception {
        return call(SHOP + "/buy" + query, order);
    }

    private static HttpAnswer call(String target, String arguments, String... headers) throws Exception {
        StringBuilder head = new StringBuilder("POST /" + target + " HTTP/1.1\r\nHost: mesh\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return HttpSocket.once(
                consumerAgent.port(),
                head + "Content-Type: application/json\r\nContent-Length: " + arguments.length() + "\r\n\r\n"
                        + arguments);
    }

    @Test
    void dubbo26ListsItsMethods() throws Exception {
        HttpAnswer answer = describe(Form.SERVICE);

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
        describe(SHOP + "?version=2.0.0&group=blue").assertProblem(404, "NOT_FOUND");
    }

    @Test
    void classFilesGiveMethodsAndTypes() throws Exception {
        HttpAnswer answer = describe(SHOP);

        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(answer.text())
                .contains("{\"name\":\"buy\",\"parameterTypes\":[\"io.dubbomesh.demo.shop.Order\"],"
                        + "\"returnType\":\"io.dubbomesh.demo.shop.Receipt\","
                        + "\"descriptor\":\"Lio/dubbomesh/demo/shop/Order;\"}")
                .contains(
                        "\"io.dubbomesh.demo.shop.Order\":{\"fields\":{\"item\":\"java.lang.String\",\"quantity\":\"int\","
                                + "\"price\":\"java.math.BigDecimal\",\"delivery\":\"io.dubbomesh.demo.shop.Delivery\","
                                + "\"day\":\"java.time.LocalDate\"}}");
    }

    @Test
    void aMethodOfAGenericInterfaceIsDescribedByWhatItsCallersSeeAndCalledByEither() throws Exception {
        assertThat(describe(USERS).text())
                .contains("{\"name\":\"find\",\"parameterTypes\":[\"" + OFFICE
                        + "UserQuery\"],\"returnType\":\"java.util.List<" + OFFICE
                        + "User>\",\"descriptor\":\"Ljava/lang/Object;\"}")
                .contains("{\"name\":\"get\",\"parameterTypes\":[\"java.lang.Long\"],\"returnType\":\"" + OFFICE
                        + "User\",\"descriptor\":\"Ljava/lang/Comparable;\"}");
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
        assertThat(describe(DRAWINGS).text())
                .contains("\"" + OFFICE + "Shape\":{\"abstract\":true,\"fields\":{\"name\":\"java.lang.String\"},")
                .containsPattern("\"subclasses\":\\[[^]]*" + OFFICE + "Square");

        assertThat(call(DRAWINGS + "/area", "[{\"class\":\"" + OFFICE + "Circle\",\"radius\":2}]")
                        .text())
                .isEqualTo("12.0");
        Map<String, String> unnamed =
                call(DRAWINGS + "/area", "[{\"radius\":2}]").assertProblem(400, "BAD_ARGUMENT");
        assertThat(unnamed.get("detail")).startsWith("args[0]: {...} (expected: the first member class, one of ");
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
}
