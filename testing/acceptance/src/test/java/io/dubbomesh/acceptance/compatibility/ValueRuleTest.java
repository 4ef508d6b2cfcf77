package io.dubbomesh.acceptance.compatibility;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The JSON of a value is a function of the value and its Java type: each value of {@code values.calls} there and back,
 * with and without class files, by the pair and by a gateway, in every style of a call, with real providers of three
 * versions and both serializations. What is different is in {@code values.limits} with its reason. Writes
 * docs/results/values.md if all of them run.
 */
@Timeout(600)
class ValueRuleTest {
    private static final Duration A_WHILE = Duration.ofMinutes(3);
    private static final String VALUES = Call.OFFICE + "Values";
    private static final String VALUE_SOURCE = Call.OFFICE + "ValueSource";
    private static final List<String> SERVICES = List.of(VALUES, Call.OFFICE + "ValueExchange", VALUE_SOURCE);
    private static final int TOLD = 20;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int GOOD = 200;
    /**
     * Results that the Hessian of Dubbo 2.7 and 3.2 cannot send, and their generic call copies into an ArrayList or a
     * HashMap: docs/use/limitations.md.
     */
    private static final Set<String> SENT_BY_GENERIC_CALLS_ONLY =
            Set.of("listOf", "listOfOne", "setOf", "mapOf", "mapOfText", "listOfObject", "stream");

    private static final Path RESOURCES = Path.of("src", "test", "resources");
    private static final Path PAGE = Path.of("../..", "docs", "results", "values.md");

    private static Mesh mesh;
    private static CompatibilityCalls calls;
    /** The running providers: that of each version and serialization is shared. */
    private static final Map<String, Dubbo> PROVIDERS = new HashMap<>();

    private static final Map<Way, List<Verdict>> VERDICTS = new EnumMap<>(Way.class);
    /** The results of the methods without parameters. */
    private static final Map<String, String> RESULTS = new HashMap<>();

    private enum Way {
        V2_7(Setup.V2_7_23, false),
        V2_7_ALONE(Setup.V2_7_23_ALONE, false),
        V2_7_GATEWAY(Setup.V2_7_23, true),
        V2_7_ALONE_GATEWAY(Setup.V2_7_23_ALONE, true),
        V3_2(Setup.V3_2_19, false),
        V3_2_FASTJSON2(Setup.V3_2_19_FASTJSON2, false),
        V3_2_GATEWAY(Setup.V3_2_19, true),
        V3_2_ALONE_GATEWAY(Setup.V3_2_19_ALONE, true),
        V3_3(Setup.V3_3_6, false),
        V3_3_FASTJSON2(Setup.V3_3_6_FASTJSON2, false),
        V3_3_ALONE(Setup.V3_3_6_ALONE, false),
        V3_3_GATEWAY(Setup.V3_3_6, true),
        V3_3_ALONE_GATEWAY(Setup.V3_3_6_ALONE, true);

        final Setup setup;
        final boolean gateway;

        Way(Setup setup, boolean gateway) {
            this.setup = setup;
            this.gateway = gateway;
        }

        /**
         * Returns all with {@code -Dtest.all=true}, otherwise five: the oldest provider and the newest, each
         * serialization, with class files and without, by the pair and by a gateway.
         */
        static List<Way> selected() {
            return Selection.of(values(), Set.of(V2_7_ALONE_GATEWAY, V3_2_FASTJSON2, V3_3, V3_3_ALONE, V3_3_GATEWAY));
        }

        /** Whether it is the other one without the class files. */
        boolean isWithout(Way other) {
            return gateway == other.gateway
                    && setup.jvm() == other.setup.jvm()
                    && setup.serialization().equals(other.setup.serialization())
                    && !setup.classFiles()
                    && other.setup.classFiles();
        }
    }

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("ValueRuleTest");
        calls = CompatibilityCalls.ofValues();
        for (Way way : Way.selected()) {
            VERDICTS.put(way, verdicts(way));
        }
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static List<Verdict> verdicts(Way way) throws Exception {
        Dubbo provider = provider(way.setup);
        Map<String, String> settings = new HashMap<>();
        settings.put("dubbo.serialization", way.setup.serialization());
        settings.put("user.timezone", CompatibilityCalls.TIME_ZONE);
        if (way.setup.classFiles()) {
            settings.put("dubbo.api.jars", CompatibilityCalls.CLASS_FILES.toString());
        }
        provider.awaitListening();
        Agent front;
        if (way.gateway) {
            String registry = "static:dubbo://127.0.0.1:" + provider.port();
            front = mesh.consumerAgent(way + "-gateway", registry, settings);
        } else {
            String registry = "file:" + mesh.directory().resolve("registry-" + way);
            settings.put("dubbo.services", String.join(",", SERVICES));
            mesh.providerAgent(way + "-provider-agent", provider.port(), registry, settings)
                    .awaitReady();
            front = mesh.consumerAgent(way + "-consumer-agent", registry, Map.of());
        }
        front.awaitReady();
        awaitCalled(way, front.port(), VALUES, "bits");
        awaitCalled(way, front.port(), VALUE_SOURCE, "nullEnum");
        if (way == Way.V3_3) {
            readResults(front.port());
        }
        return calls.verdicts(way.setup, call -> true, front.port());
    }

    private static void readResults(int port) throws IOException {
        for (String service : List.of(VALUES, VALUE_SOURCE)) {
            String description = HttpSocket.once(port, "GET /" + service + " HTTP/1.1\r\nHost: mesh\r\n\r\n")
                    .text();
            for (JsonNode method : JSON.readTree(description).path("methods")) {
                RESULTS.put(
                        method.path("name").asText(), method.path("returnType").asText());
            }
        }
    }

    private static void awaitCalled(Way way, int port, String service, String method) throws Exception {
        Await.until(
                A_WHILE,
                "the provider of " + way + " is called",
                () -> HttpSocket.once(port, Form.post(Form.call(service, method, ""), Form.PATIENT))
                                .status()
                        == GOOD);
    }

    private static Dubbo provider(Setup setup) throws IOException {
        String name = setup.jvm() + "-" + setup.serialization();
        Dubbo provider = PROVIDERS.get(name);
        if (provider == null) {
            Map<String, String> settings = Map.of(
                    "office",
                    "true",
                    "values",
                    "true",
                    "serialization",
                    setup.serialization(),
                    "user.timezone",
                    CompatibilityCalls.TIME_ZONE);
            provider = mesh.provider(setup.jvm(), name, settings);
            PROVIDERS.put(name, provider);
        }
        return provider;
    }

    static List<Way> ways() {
        return Way.selected();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aValueHasOneJson(Way way) throws IOException {
        List<String> wrong = VERDICTS.get(way).stream()
                .filter(verdict -> verdict.fault() != null)
                .map(Verdict::toString)
                .toList();
        Path all = mesh.directory().resolve(way + ".wrong");
        Files.write(all, wrong);
        assertThat(wrong.stream().limit(TOLD))
                .as(
                        "%d of %d cells are wrong, see %s",
                        wrong.size(), VERDICTS.get(way).size(), all)
                .isEmpty();
    }

    @Test
    void thePageHasEveryValue() throws IOException {
        List<Verdict> all = VERDICTS.values().stream().flatMap(List::stream).toList();
        ValuesPage page = new ValuesPage(calls.limits().reasons(), RESULTS, all);
        String introduction = Files.readString(RESOURCES.resolve("values.introduction.md"));
        String text = page.markdown(introduction, RESOURCES.resolve("values.calls"));
        // Others read the page at the same time, so it is written only where it differs.
        if (Selection.isAll() && !Files.readString(PAGE).equals(text)) {
            Files.writeString(PAGE, text);
        }
        assertThat(text.lines().filter(line -> line.startsWith("| `")))
                .hasSizeGreaterThanOrEqualTo(calls.calls().size());
    }

    @Test
    void classFilesRefuseNothingThatWorkedWithoutThem() {
        List<String> refused = new ArrayList<>();
        VERDICTS.forEach((with, cells) -> VERDICTS.forEach((without, others) -> {
            for (int i = 0; without.isWithout(with) && i < cells.size(); i++) {
                Verdict cell = cells.get(i);
                boolean mustWork = cell.call().answer(cell.style()).status() == GOOD
                        && !SENT_BY_GENERIC_CALLS_ONLY.contains(cell.call().method());
                if (mustWork && others.get(i).status() == GOOD && cell.status() != GOOD) {
                    refused.add(cell.toString());
                }
            }
        }));
        assertThat(refused).isEmpty();
    }

    @Test
    void everyKnownLimitIsOfACallThatIsMade() {
        assertThat(calls.limits().all())
                .allSatisfy(limit -> assertThat(calls.calls()).anyMatch(limit::concerns));
    }
}
