package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The calls of {@link CompatibilityTest} by Triple, through a gateway. Every answer is that by the protocol
 * {@code dubbo} from the same version of Dubbo, or another one that is among the known limits. Writes the section of
 * the page on Triple if it has used all set-ups.
 */
@Timeout(600)
class TripleCompatibilityTest {
    private static final Path SECTION = Path.of("src", "test", "resources", "compatibility.triple.md");
    private static final int SETUPS_AT_ONCE = 3;
    private static final Duration A_WHILE = Duration.ofMinutes(3);

    /** More do not help, and the rest is in a file. */
    private static final int TOLD = 20;

    private static Mesh mesh;
    private static CompatibilityCalls calls;
    private static final Map<String, Dubbo> PROVIDERS = new HashMap<>();
    private static final Map<Setup, Future<List<Verdict>>> VERDICTS = new EnumMap<>(Setup.class);

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("TripleCompatibilityTest");
        calls = CompatibilityCalls.read();
        ExecutorService threads = Executors.newFixedThreadPool(SETUPS_AT_ONCE);
        for (Setup setup : Setup.selectedByTriple()) {
            VERDICTS.put(setup, threads.submit(() -> started(setup).call()));
        }
        threads.shutdown();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static List<Setup> setups() {
        return Setup.selectedByTriple();
    }

    @ParameterizedTest
    @MethodSource("setups")
    void everyCallIsAnsweredAsByDubboOrAsTheTableSays(Setup setup) throws Exception {
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

    @Test
    void theSectionHasALineForEveryMethodThatDiffers() throws Exception {
        List<Verdict> verdicts = new ArrayList<>();
        for (Future<List<Verdict>> ofSetup : VERDICTS.values()) {
            verdicts.addAll(ofSetup.get());
        }
        List<Setup> setups = Setup.selectedByTriple();
        String section = new TripleSection(setups, calls.limits(), verdicts).markdown();
        assertThat(section).contains("## By Triple");
        // Others read it at the same time, so it is written only where it differs.
        if (setups.size() == Setup.byTriple().size()
                && !Files.readString(SECTION).equals(section)) {
            Files.writeString(SECTION, section);
        }
    }

    /** Starts the processes of a setup; the result waits for them and makes the calls. */
    private static synchronized Callable<List<Verdict>> started(Setup setup) throws IOException {
        String name = setup.fileName();
        Dubbo provider = provider(setup);
        Map<String, String> settings = new HashMap<>();
        settings.put("type", "gateway");
        settings.put("dubbo.token", Call.OFFICE + "Vault:=s3cret," + Call.OFFICE + "Vault:other=wr0ng");
        settings.put("user.timezone", CompatibilityCalls.TIME_ZONE);
        settings.put("dubbo.serialization", setup.serialization());
        // Of a provider that has just started, on a busy machine.
        settings.put("dubbo.inquiry.timeout", "5 s");
        if (setup.classFiles()) {
            settings.put("dubbo.api.jars", CompatibilityCalls.CLASS_FILES.toString());
        }
        Agent gateway = mesh.consumerAgent(name + "-gateway", "static:tri://127.0.0.1:" + provider.port(), settings);
        return () -> {
            provider.awaitListening();
            gateway.awaitReady();
            Await.until(
                    A_WHILE,
                    "the gateway calls the provider of " + setup,
                    () -> HttpSocket.once(
                                            gateway.port(),
                                            Form.post(Form.call(Call.CONFORMANCE, "ping", ""), Form.PATIENT))
                                    .status()
                            == 200);
            return calls.verdicts(setup, call -> setup.makes(call) && !isByChance(setup, call), gateway.port());
        };
    }

    /**
     * Whether any variant of the service may take the call: before Dubbo 3.2 the one of an interface that was exported
     * last takes the calls of all that are not exported, and of the one without version and group.
     */
    private static boolean isByChance(Setup setup, Call call) {
        boolean ofVariants =
                call.service().equals(Call.OFFICE + "Vault") || call.method().equals("version");
        boolean old = setup.jvm() == Jvm.DUBBO_30 || setup.jvm() == Jvm.DUBBO_31;
        return old && ofVariants && (call.query().isEmpty() || call.query().equals("version=3.0.0"));
    }

    /** One provider for all setups that differ only in what their gateways know. */
    private static Dubbo provider(Setup setup) throws IOException {
        String name = setup.jvm() + "-" + setup.serialization();
        Dubbo provider = PROVIDERS.get(name);
        if (provider == null) {
            provider = mesh.provider(
                    setup.jvm(),
                    name,
                    Map.of(
                            "protocol",
                            "tri",
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
