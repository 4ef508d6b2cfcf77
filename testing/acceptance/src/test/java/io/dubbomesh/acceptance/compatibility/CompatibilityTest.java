package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every method of the conformance service and of the office, with every provider that there is, in every way that the
 * HTTP interface has. What is wrong must be among the known limits of providers, and those must still be there. Writes
 * docs/results/compatibility.md if it has used all set-ups.
 */
@Timeout(600)
class CompatibilityTest {
    private static final Path RESOURCES = Path.of("src", "test", "resources");
    private static final Path PAGE = Path.of("../..", "docs", "results", "compatibility.md");

    /** More start no sooner: each is three JVMs. */
    private static final int SETUPS_AT_ONCE = 4;

    private static final Duration A_WHILE = Duration.ofMinutes(3);

    /** More do not help, and the rest is in a file. */
    private static final int TOLD = 20;

    private static Mesh mesh;
    private static CompatibilityCalls calls;
    private static final Map<String, Dubbo> PROVIDERS = new HashMap<>();
    private static final Map<Setup, Future<List<Verdict>>> VERDICTS = new EnumMap<>(Setup.class);
    /** A service that no provider exports. */
    private static final String NOWHERE = "io.dubbomesh.demo.Nowhere:1.0:nobody";
    /** The readiness of each provider agent. */
    private static final Map<Setup, String> READINESS = new ConcurrentHashMap<>();

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("CompatibilityTest");
        calls = CompatibilityCalls.read();
        ExecutorService threads = Executors.newFixedThreadPool(SETUPS_AT_ONCE);
        for (Setup setup : Setup.selected()) {
            VERDICTS.put(setup, threads.submit(() -> started(setup).call()));
        }
        threads.shutdown();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static List<Setup> setups() {
        return Setup.selected();
    }

    @ParameterizedTest
    @MethodSource("setups")
    void everyCallIsRightOrAKnownLimitOfTheProvider(Setup setup) throws Exception {
        List<String> wrong = VERDICTS.get(setup).get().stream()
                .filter(verdict -> verdict.fault() != null)
                .map(Verdict::toString)
                .toList();
        Path all = mesh.directory().resolve(setup.fileName() + ".wrong");
        Files.write(all, wrong);
        assertThat(wrong.stream().limit(TOLD))
                .as("%d calls are wrong, see %s", wrong.size(), all)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("setups")
    void aServiceThatTheProviderDoesNotExportIsToldBesideThoseThatItDoes(Setup setup) throws Exception {
        VERDICTS.get(setup).get();
        assertThat(READINESS.get(setup))
                .startsWith("ready; provider ")
                .contains(" does not export " + NOWHERE + " of dubbo.services; it exports ")
                .contains(Call.CONFORMANCE + ":2.0.0:blue");
    }

    @Test
    void thePageHasALineForEveryMethod() throws Exception {
        List<Verdict> verdicts = new ArrayList<>();
        for (Future<List<Verdict>> ofSetup : VERDICTS.values()) {
            verdicts.addAll(ofSetup.get());
        }
        String introduction = Files.readString(RESOURCES.resolve("compatibility.introduction.md"));
        String triple = Files.readString(RESOURCES.resolve("compatibility.triple.md"));
        String samples = Files.readString(RESOURCES.resolve("compatibility.samples.md"));
        List<Setup> setups = Setup.selected();
        String page = new CompatibilityMatrix(setups, calls.limits().reasons(), verdicts).markdown(introduction)
                + triple
                + samples;
        assertThat(page.lines().filter(line -> line.startsWith("| `"))).hasSizeGreaterThan(250);
        // Others read the page at the same time, so it is written only where it differs.
        if (setups.size() == Setup.pairs().size() && !Files.readString(PAGE).equals(page)) {
            Files.writeString(PAGE, page);
        }
    }

    @Test
    void everyKnownLimitIsOfACallThatIsMade() {
        assertThat(calls.limits().all())
                .allSatisfy(limit -> assertThat(calls.calls()).anyMatch(limit::concerns));
    }

    /** Starts the processes of a setup; the result waits for them and makes the calls. */
    private static synchronized Callable<List<Verdict>> started(Setup setup) throws IOException {
        String name = setup.fileName();
        // A registry each, since all of them serve the same.
        String registry = "file:" + mesh.directory().resolve("registry-" + name);
        Dubbo provider = provider(setup);
        Map<String, String> settings = new HashMap<>();
        settings.put("dubbo.services", String.join(",", CompatibilityCalls.SERVICES) + "," + NOWHERE);
        // None for the version random, and a wrong one for the version other.
        settings.put("dubbo.token", Call.OFFICE + "Vault:=s3cret," + Call.OFFICE + "Vault:other=wr0ng");
        settings.put("user.timezone", CompatibilityCalls.TIME_ZONE);
        settings.put("dubbo.serialization", setup.serialization());
        // Of a provider that has just started, on a busy machine.
        settings.put("dubbo.inquiry.timeout", "5 s");
        if (setup.classFiles()) {
            settings.put("dubbo.api.jars", CompatibilityCalls.CLASS_FILES.toString());
        }
        Agent providerAgent = mesh.providerAgent(name + "-provider-agent", provider.port(), registry, settings);
        Agent consumerAgent = mesh.consumerAgent(name + "-consumer-agent", registry, Map.of());
        return () -> {
            provider.awaitListening();
            providerAgent.awaitReady();
            Await.until(
                    A_WHILE,
                    "one service alone is missing at " + setup,
                    () -> providerAgent
                            .readiness()
                            .contains(" does not export " + NOWHERE + " of dubbo.services; it exports "));
            READINESS.put(setup, providerAgent.readiness());
            consumerAgent.awaitReady();
            Await.until(
                    A_WHILE,
                    "the consumer agent sees the provider of " + setup,
                    () -> HttpSocket.once(
                                            consumerAgent.port(),
                                            Form.post(Form.call(Call.CONFORMANCE, "ping", ""), Form.PATIENT))
                                    .status()
                            == 200);
            for (String service : CompatibilityCalls.SERVICES) {
                awaitSeen(service.split(":")[0], consumerAgent.port());
            }
            return calls.verdicts(setup, setup::makes, consumerAgent.port());
        };
    }

    /** The services have an entry each in the registry, written one after the other. */
    private static void awaitSeen(String service, int port) throws Exception {
        Await.until(
                A_WHILE,
                "the consumer agent sees " + service,
                () -> !HttpSocket.once(port, "GET /" + service + " HTTP/1.1\r\nHost: mesh\r\n\r\n")
                        .text()
                        .contains("SERVICE_NOT_FOUND"));
    }

    /** One provider for all setups that differ only in what their agents know. */
    private static Dubbo provider(Setup setup) throws IOException {
        String name = setup.jvm() + "-" + setup.serialization();
        Dubbo provider = PROVIDERS.get(name);
        if (provider == null) {
            provider = mesh.provider(
                    setup.jvm(),
                    name,
                    Map.of(
                            "conformance",
                            "true",
                            "office",
                            "true",
                            "serialization",
                            setup.serialization(),
                            "user.timezone",
                            CompatibilityCalls.TIME_ZONE));
            PROVIDERS.put(name, provider);
        }
        return provider;
    }
}
