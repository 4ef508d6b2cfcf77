package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.compatibility.Call;
import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Doctor;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operator's drill: each fault of docs/operate/debug.md is made, and {@code meshctl doctor} prints what the table
 * there has for it. The faults follow each other in one mesh.
 */
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DrillTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);
    private static final String VAULT = Call.OFFICE + "Vault";
    private static final String DIARY = Call.OFFICE + "Diary";
    private static final String SHOP = "io.dubbomesh.demo.shop.Shop";
    private static final Pattern ROW =
            Pattern.compile("\\| ([^`|]+) \\| (consumer|provider) agent \\| `([^`]+)` \\| `([^`]+)` \\|");

    private static final Set<String> FOUND = new HashSet<>();

    private static Mesh mesh;
    private static EtcdServer etcd;
    private static Dubbo office;
    private static Agent officeAgent;
    private static Agent slowAgent;
    private static Agent consumerAgent;

    /** A row of the table. */
    private record Row(String fault, String agent, String finding, String remedy) {}

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("DrillTest");
        office = mesh.provider(Jvm.DUBBO, "office", Map.of("delay.ms", "5", "office", "true"));
        Dubbo slow = mesh.provider(Jvm.DUBBO_26, "slow", Map.of("delay.ms", "200", "serialization", "hessian2"));
        etcd = mesh.etcd();
        CertificateAuthority authority = new CertificateAuthority("ca");
        Path files = mesh.directory().resolve("tls");
        authority.write(files, authority.sign("provider.mesh.test"));
        Map<String, String> withTls = new HashMap<>(TlsFiles.in(files).linkSettings(""));
        withTls.put("dubbo.services", SHOP);
        office.awaitListening();
        slow.awaitListening();
        officeAgent = mesh.providerAgent(
                "office-agent",
                office.port(),
                etcd.uri(),
                Map.of(
                        "dubbo.services", String.join(",", Form.SERVICE, VAULT, DIARY),
                        "dubbo.token", "wrong",
                        "dubbo.silence", "500 ms"));
        slowAgent =
                mesh.providerAgent("slow-agent", slow.port(), etcd.uri(), Map.of("lb.limit", "1", "dubbo.queue", "0"));
        Agent tlsAgent = mesh.providerAgent("tls-agent", office.port(), etcd.uri(), withTls);
        consumerAgent = mesh.consumerAgent("consumer-agent", etcd.uri(), Map.of("queue.size", "1", "io.threads", "1"));
        for (Agent agent : List.of(officeAgent, slowAgent, tlsAgent, consumerAgent)) {
            agent.awaitReady();
        }
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static List<Row> table() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("../..", "docs", "operate", "debug.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(row.group(1), row.group(2), row.group(3), row.group(4)));
            }
        }
        return rows;
    }

    private static void assertFound(String fault) throws Exception {
        assertFound(fault, officeAgent);
    }

    private static void assertFound(String fault, Agent providerAgent) throws Exception {
        Map<String, Doctor> asked = new HashMap<>();
        for (Row row : table()) {
            if (row.fault.equals(fault)) {
                if (!asked.containsKey(row.agent)) {
                    asked.put(row.agent, Doctor.of(row.agent.equals("consumer") ? consumerAgent : providerAgent));
                }
                asked.get(row.agent).assertFinds(row.finding, row.remedy);
                FOUND.add(fault);
            }
        }
        assertThat(FOUND).contains(fault);
    }

    private static String endpoints() throws IOException {
        return consumerAgent.admin("GET endpoints", "").text();
    }

    private static HttpAnswer call(String target, String arguments, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Content-Type: application/json");
        return HttpSocket.once(
                consumerAgent.port(), HttpSocket.request("POST /" + target, arguments, all.toArray(String[]::new)));
    }

    @Test
    @Order(1)
    void anAgentWithoutAFaultHasNoFinding() throws Exception {
        Doctor doctor = Doctor.of(slowAgent);

        assertThat(doctor.findings()).isEmpty();
        assertThat(doctor.exitCode()).isZero();
        assertThat(doctor.lines()).contains("OK    no call failed in the last 300 s");
    }

    @Test
    @Order(2)
    void oneAgentUsesTlsAndTheOtherDoesNot() throws Exception {
        Await.until(
                A_WHILE,
                "the shop is registered",
                () -> call(SHOP + "/buy", "[]", Form.PATIENT).text().contains("does it expect TLS?"));

        assertFound("one agent uses TLS, the other does not");
    }

    @Test
    @Order(3)
    void aVersionIsAskedForThatNobodyServes() throws Exception {
        call(Form.SERVICE + "/hash?version=9.9", "[\"x\"]").assertProblem(404, "METHOD_NOT_FOUND");

        assertFound("calls ask for a version that no provider serves");
    }

    @Test
    @Order(4)
    void theTokenIsWrong() throws Exception {
        call(VAULT + "/open", "[\"x\"]", Form.PATIENT).assertProblem(502, "PROVIDER_REFUSED_TOKEN");

        assertFound("a provider agent has a wrong token");
    }

    @Test
    @Order(5)
    void theTypesAreNotKnown() throws Exception {
        call(DIARY + "/nextDay", "[\"2026-11-21T10:00:00Z\"]", Form.PATIENT).assertProblem(400, "BAD_ARGUMENT");

        assertFound("a Dubbo 3 provider, an agent without class files, and a call without types");
    }

    /** Only the slow provider is asked, which takes one call at a time. */
    @Test
    @Order(6)
    void theProvidersAreFull() throws Exception {
        setWeightOfOffice(0);
        List<HttpSocket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 6; i++) {
                clients.add(new HttpSocket(consumerAgent.port()).send(Form.post(Form.hash("x"), Form.PATIENT)));
            }
            int refused = 0;
            for (HttpSocket client : clients) {
                refused += client.answer().status() == 503 ? 1 : 0;
            }
            assertThat(refused).isBetween(1, 5);
        } finally {
            for (HttpSocket client : clients) {
                client.close();
            }
        }

        assertFound("the providers are full");
        setWeightOfOffice(1);
    }

    private static void setWeightOfOffice(int weight) throws Exception {
        String id = "127.0.0.1:" + officeAgent.port();
        consumerAgent.admin("PUT endpoints/" + id + "/weight", "{\"weight\":" + weight + "}");
        Await.until(
                A_WHILE,
                "the weight is " + weight,
                () -> consumerAgent.admin("GET endpoints/" + id, "").text().contains("\"weight\":" + weight + ","));
    }

    @Test
    @Order(7)
    void oneOfTheProvidersIsSlow() throws Exception {
        try (Load load = Load.start(consumerAgent.port(), 4)) {
            Await.until(A_WHILE, "the slow one is ejected", () -> endpoints().contains("\"ejectionReason\""));
            load.stop();
        }

        assertFound("one of several providers is slow");
    }

    @Test
    @Order(8)
    void aProviderIsFrozen() throws Exception {
        office.process().send(Signal.STOP);
        try {
            Await.until(
                    A_WHILE,
                    "calls are refused",
                    () -> call(DIARY + "/nextDay", "[1795255200123]", "X-Request-Timeout: 1000")
                                    .status()
                            == 503);

            assertFound("a provider is frozen");
        } finally {
            office.process().send(Signal.CONT);
        }
    }

    @Test
    @Order(9)
    void theRegistryIsAway() throws Exception {
        etcd.kill();

        assertFound("the registry is away");
    }

    @Test
    @Order(10)
    void everyFaultOfTheTableWasMade() throws Exception {
        assertThat(table()).extracting(Row::fault).hasSizeGreaterThan(8).isSubsetOf(FOUND);
    }
}
