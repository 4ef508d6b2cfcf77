package io.dubbomesh.acceptance.operation;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Yaml;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Scrape;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Compares the metrics of a mesh in a real Prometheus with what its clients know; tests the alerts, the dashboard and
 * the list in the documents.
 */
@Timeout(120)
class MonitoringTest {
    private static final int CLIENTS = 8;
    private static final int CALLS_EACH = 150;
    /** The calls of a method that does nothing: what is slow at first is none of the calls that are measured. */
    private static final int WARM_UPS_EACH = 50;

    private static final int DELAY_MS = 100;
    private static final String MEASURED = "sum(dubbomesh_consumer_request_duration_seconds{method=\"hash\"})";
    private static final Duration TO_SCRAPE = Duration.ofSeconds(20);

    private static final Path MONITORING = Path.of("../..", "docker", "monitoring");
    /** The names of the agents' metrics; what a histogram or summary appends to the name does not count. */
    private static final Pattern NAME = Pattern.compile("\\bdubbomesh_[a-z_]+");

    private static final Pattern DURATION = Pattern.compile("\"durationMs\":([0-9.]+)");
    private static final Pattern AT_PROVIDER = Pattern.compile("\"providerMs\":([0-9.]+)");

    private static final Pattern QUERY = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");

    private static Mesh mesh;
    private static Agent providerAgent;
    private static Agent consumerAgent;
    private static Prometheus prometheus;

    /** The latencies of all calls, in nanoseconds, by the client's clock. */
    private static final List<Long> LATENCIES = Collections.synchronizedList(new ArrayList<>());

    @BeforeAll
    static void callUnderTheEyesOfPrometheus() throws Exception {
        mesh = Mesh.named("MonitoringTest");
        Dubbo provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", Integer.toString(DELAY_MS)));
        EtcdServer etcd = mesh.etcd();
        provider.awaitListening();
        providerAgent = mesh.providerAgent("provider-agent", provider.port(), etcd.uri(), Map.of());
        providerAgent.awaitReady();
        consumerAgent = mesh.consumerAgent(
                "consumer-agent",
                etcd.uri(),
                Map.of(
                        "access.log",
                        mesh.directory().resolve("access.log").toString(),
                        "mcp.tools",
                        Files.writeString(
                                        mesh.directory().resolve("tools.conf"),
                                        "tools { t { service = a.B, method = m } }")
                                .toString()));
        consumerAgent.awaitReady();
        prometheus = Prometheus.start(mesh.directory(), consumerAgent.adminPort(), providerAgent.adminPort());
        call();
    }

    @AfterAll
    static void end() throws Exception {
        prometheus.kill();
        mesh.end();
    }

    private static void call() throws Exception {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            Thread client = new Thread(() -> call(number));
            client.start();
            clients.add(client);
        }
        for (Thread client : clients) {
            client.join();
        }
        assertThat(LATENCIES).hasSize(CLIENTS * CALLS_EACH);
    }

    private static void call(int number) {
        try (HttpSocket socket = new HttpSocket(consumerAgent.port())) {
            String echo = Form.call(Form.SERVICE, "$echo", "Ljava/lang/Object;", "\"warm\"");
            for (int i = 0; i < WARM_UPS_EACH; i++) {
                assertThat(socket.call(Form.post(echo, Form.PATIENT)).status()).isEqualTo(200);
            }
            for (int i = 0; i < CALLS_EACH; i++) {
                String text = number + " " + i;
                String request = Form.post(Form.hash(text), Form.PATIENT);
                long startNs = System.nanoTime();
                socket.call(request).assertHash(text);
                LATENCIES.add(System.nanoTime() - startNs);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void prometheusCountsExactlyTheCallsOfTheClients() throws Exception {
        int all = CLIENTS * (CALLS_EACH + WARM_UPS_EACH);
        awaitValue("sum(dubbomesh_consumer_requests_total)", all);
        awaitValue(
                "sum(dubbomesh_consumer_requests_total{code=\"OK\",status=\"200\",service=\"" + Form.SERVICE
                        + "\",method=\"hash\"})",
                CLIENTS * CALLS_EACH);
        awaitValue("sum(dubbomesh_provider_requests_total{code=\"OK\"})", all);
        awaitValue("histogram_count(" + MEASURED + ")", CLIENTS * CALLS_EACH);
        awaitValue("sum(dubbomesh_consumer_endpoint_requests_total)", all);
        awaitValue("sum(up)", 2);
    }

    private static void awaitValue(String expression, double value) throws Exception {
        Await.until(
                TO_SCRAPE,
                expression + " is " + value,
                () -> prometheus.query(expression).orElse(-1) == value);
    }

    /** On a busy machine calls wait in the clients too, but none is faster for its client than for the agent. */
    @Test
    void itsMedianIsBetweenTheProvidersDelayAndThatOfTheClients() throws Exception {
        awaitValue("histogram_count(" + MEASURED + ")", CLIENTS * CALLS_EACH);
        double ofClients = quantile(0.5, LATENCIES.stream().map(ns -> ns / 1e9));
        assertThat(measured(0.5)).isBetween(0.95 * DELAY_MS / 1e3, 1.05 * ofClients);
    }

    @Test
    void itsQuantilesAreThoseOfTheAccessLog() throws Exception {
        awaitValue("histogram_count(" + MEASURED + ")", CLIENTS * CALLS_EACH);
        List<String> calls = loggedCalls();
        for (double quantile : new double[] {0.5, 0.99}) {
            double expected = quantile(quantile, calls.stream().map(line -> millis(DURATION, line) / 1e3));
            assertThat(measured(quantile)).as("quantile " + quantile).isCloseTo(expected, within(expected * 0.05));
        }
    }

    private static double measured(double quantile) throws Exception {
        return prometheus
                .query("histogram_quantile(" + quantile + ", " + MEASURED + ")")
                .orElseThrow();
    }

    private static double quantile(double quantile, Stream<Double> values) {
        List<Double> sorted = values.sorted().toList();
        return sorted.get((int) Math.ceil(quantile * sorted.size()) - 1);
    }

    @Test
    void theTimeAtTheProviderIsThatOfTheAccessLogAndAtLeastTheProvidersDelay() throws Exception {
        Scrape scrape = Scrape.of(providerAgent.adminPort());
        String stage = "dubbomesh_provider_request_stage_seconds";
        String[] labels = {"stage", "provider", "method", "hash"};
        double mean = scrape.sum(stage + "_sum", labels) / scrape.sum(stage + "_count", labels);
        double logged = loggedCalls().stream()
                .mapToDouble(line -> millis(AT_PROVIDER, line) / 1e3)
                .average()
                .orElseThrow();
        double whole = loggedCalls().stream()
                .mapToDouble(line -> millis(DURATION, line) / 1e3)
                .average()
                .orElseThrow();
        assertThat(mean).isBetween(DELAY_MS / 1e3, whole).isCloseTo(logged, within(logged * 0.05));
    }

    @Test
    void theAccessLogHasALineForEachCallWithTheTimeAtTheProvider() throws Exception {
        for (String line : loggedCalls()) {
            assertThat(line).contains("\"status\":200,\"code\":\"OK\"").contains("\"provider\":\"127.0.0.1:");
            assertThat(millis(AT_PROVIDER, line)).isGreaterThanOrEqualTo(DELAY_MS);
        }
    }

    /** The lines of the measured calls. */
    private static List<String> loggedCalls() throws Exception {
        Path log = mesh.directory().resolve("access.log");
        int all = CLIENTS * (CALLS_EACH + WARM_UPS_EACH);
        Await.until("a line for each call", () -> Files.readAllLines(log).size() == all);
        List<String> calls = Files.readAllLines(log).stream()
                .filter(line -> line.contains("\"method\":\"hash\""))
                .toList();
        assertThat(calls).hasSize(CLIENTS * CALLS_EACH);
        return calls;
    }

    private static double millis(Pattern field, String line) {
        Matcher value = field.matcher(line);
        assertThat(value.find()).as(line).isTrue();
        return Double.parseDouble(value.group(1));
    }

    @Test
    void promtoolFindsNoFaultInTheMetrics() throws Exception {
        for (Agent agent : List.of(consumerAgent, providerAgent)) {
            assertThat(Prometheus.promtool(Scrape.of(agent.adminPort()).text(), "check", "metrics"))
                    .isEmpty();
        }
    }

    @Test
    void promtoolTakesTheRulesAndTheConfiguration() throws Exception {
        assertThat(Prometheus.promtool(
                        "", "check", "rules", MONITORING.resolve("alerts.yml").toString()))
                .isEmpty();
        assertThat(Prometheus.promtool(
                        "",
                        "check",
                        "config",
                        MONITORING.resolve("prometheus.yml").toString()))
                .isEmpty();
    }

    @Test
    void promtoolTakesTheQueriesOfTheDashboard() throws Exception {
        Matcher query = QUERY.matcher(Files.readString(MONITORING.resolve("dashboard.json")));
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        int count = 0;
        while (query.find()) {
            String expression = query.group(1)
                    .replace("\\\"", "\"")
                    .replace("$__rate_interval", "1m")
                    .replace("$service", ".*");
            rules.append("  - record: query").append(count++).append("\n    expr: |\n      ");
            rules.append(expression).append('\n');
        }
        assertThat(count).isGreaterThan(40);
        Path file = Files.writeString(mesh.directory().resolve("dashboard.yml"), rules);
        assertThat(Prometheus.promtool("", "check", "rules", file.toString())).isEmpty();
    }

    @Test
    void everyAlertSaysWhatToDoFirst() throws Exception {
        List<Yaml> rules = Yaml.documents(MONITORING.resolve("alerts.yml")).stream()
                .flatMap(Yaml::all)
                .filter(part -> part.at("alert").value() instanceof String)
                .toList();
        assertThat(rules).hasSizeGreaterThan(10);
        for (Yaml rule : rules) {
            assertThat(rule.at("annotations").at("runbook").text())
                    .as(rule.at("alert").text())
                    .hasSizeGreaterThan(20)
                    .doesNotContain("\n");
        }
    }

    @Test
    void dashboardAndAlertsUseOnlyMetricsThatExist() throws Exception {
        Set<String> known = told();
        for (String file : List.of("dashboard.json", "alerts.yml")) {
            Set<String> used = namesIn(MONITORING.resolve(file));
            assertThat(used).as(file).hasSizeGreaterThan(10).isSubsetOf(known);
        }
    }

    @Test
    void theDocumentsListEveryMetricAndNoOther() throws Exception {
        assertThat(namesIn(Path.of("../..", "docs", "operate", "metrics.md"))).isEqualTo(told());
    }

    /** Returns the agents' own metrics. */
    private static Set<String> told() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Agent agent : List.of(consumerAgent, providerAgent)) {
            Scrape.of(agent.adminPort()).names().stream()
                    .filter(name -> name.startsWith("dubbomesh_"))
                    .forEach(names::add);
        }
        return names;
    }

    private static Set<String> namesIn(Path file) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher name = NAME.matcher(Files.readString(file));
        while (name.find()) {
            names.add(name.group().replaceFirst("_(bucket|count|sum)$", ""));
        }
        return names;
    }
}
