package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;

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
 * Makes the calls of the compatibility table in several set-ups, some at once: with a provider, one for all set-ups
 * that differ only in what their agents know, and the agents of each.
 */
final class CompatibilityRun {
    /** A service that no provider exports. */
    static final String NOWHERE = "io.dubbomesh.demo.Nowhere:1.0:nobody";

    /** More start no sooner: each is two or three JVMs. */
    private static final int SETUPS_AT_ONCE = 4;

    private static final Duration A_WHILE = Duration.ofMinutes(3);

    /** More do not help, and the rest is in a file. */
    private static final int TOLD = 20;

    private final Mesh mesh;
    private final CompatibilityCalls calls;
    private final Map<String, Dubbo> providers = new HashMap<>();
    private final Map<Setup, Future<List<Verdict>>> verdicts = new EnumMap<>(Setup.class);
    /** The readiness of each provider agent. */
    private final Map<Setup, String> readiness = new ConcurrentHashMap<>();

    private CompatibilityRun(Mesh mesh, CompatibilityCalls calls) {
        this.mesh = mesh;
        this.calls = calls;
    }

    /** Starts, and does not wait for anything. */
    static CompatibilityRun start(String name, List<Setup> setups) throws IOException {
        CompatibilityRun run = new CompatibilityRun(Mesh.named(name), CompatibilityCalls.read());
        ExecutorService threads = Executors.newFixedThreadPool(SETUPS_AT_ONCE);
        for (Setup setup : setups) {
            run.verdicts.put(setup, threads.submit(() -> run.started(setup).call()));
        }
        threads.shutdown();
        return run;
    }

    void end() throws Exception {
        mesh.end();
    }

    KnownLimits limits() {
        return calls.limits();
    }

    CompatibilityCalls calls() {
        return calls;
    }

    /** Waits for the calls of a set-up, and fails if one of them is wrong and no known limit. */
    void assertRight(Setup setup) throws Exception {
        List<String> wrong = verdicts.get(setup).get().stream()
                .filter(verdict -> verdict.fault() != null)
                .map(Verdict::toString)
                .toList();
        Path all = mesh.directory().resolve(setup.fileName() + ".wrong");
        Files.write(all, wrong);
        assertThat(wrong.stream().limit(TOLD))
                .as("%d calls are wrong, see %s", wrong.size(), all)
                .isEmpty();
    }

    /** Waits for the calls of a set-up, and returns what its provider agent said of itself before them. */
    String readiness(Setup setup) throws Exception {
        verdicts.get(setup).get();
        return readiness.get(setup);
    }

    /** Waits for all calls. */
    List<Verdict> verdicts() throws Exception {
        List<Verdict> all = new ArrayList<>();
        for (Future<List<Verdict>> ofSetup : verdicts.values()) {
            all.addAll(ofSetup.get());
        }
        return all;
    }

    /** Starts the processes of a set-up; the result waits for them and makes the calls. */
    private synchronized Callable<List<Verdict>> started(Setup setup) throws IOException {
        Dubbo provider = provider(setup);
        Map<String, String> settings = new HashMap<>();
        // None for the version random, and a wrong one for the version other.
        settings.put("dubbo.token", Call.OFFICE + "Vault:=s3cret," + Call.OFFICE + "Vault:other=wr0ng");
        settings.put("user.timezone", CompatibilityCalls.TIME_ZONE);
        settings.put("dubbo.serialization", setup.serialization());
        // A provider that has just started answers late on a busy machine.
        settings.put("dubbo.inquiry.timeout", "5 s");
        if (setup.classFiles()) {
            settings.put("dubbo.api.jars", CompatibilityCalls.CLASS_FILES.toString());
        }
        return setup.isGateway() ? gateway(setup, provider, settings) : pair(setup, provider, settings);
    }

    private Callable<List<Verdict>> gateway(Setup setup, Dubbo provider, Map<String, String> settings)
            throws IOException {
        settings.put("type", "gateway");
        String scheme = setup.isByTriple() ? "static:tri://" : "static:";
        Agent gateway =
                mesh.consumerAgent(setup.fileName() + "-gateway", scheme + "127.0.0.1:" + provider.port(), settings);
        return () -> {
            provider.awaitListening();
            return verdicts(setup, gateway);
        };
    }

    private Callable<List<Verdict>> pair(Setup setup, Dubbo provider, Map<String, String> settings) throws IOException {
        String name = setup.fileName();
        // A registry each, since all of them serve the same.
        String registry = "file:" + mesh.directory().resolve("registry-" + name);
        settings.put("dubbo.services", String.join(",", CompatibilityCalls.SERVICES) + "," + NOWHERE);
        settings.put("dubbo.protocol.name", setup.isByTriple() ? "tri" : "dubbo");
        Agent providerAgent = mesh.providerAgent(name + "-provider-agent", provider.port(), registry, settings);
        Agent consumerAgent = mesh.consumerAgent(name + "-consumer-agent", registry, Map.of());
        return () -> {
            provider.awaitListening();
            providerAgent.awaitReady();
            Await.until(
                    A_WHILE,
                    "one service alone is missing at " + setup,
                    () -> providerAgent.readiness().contains(" does not export " + NOWHERE + " of dubbo.services"));
            readiness.put(setup, providerAgent.readiness());
            return verdicts(setup, consumerAgent);
        };
    }

    private List<Verdict> verdicts(Setup setup, Agent consumerAgent) throws Exception {
        consumerAgent.awaitReady();
        Await.until(
                A_WHILE,
                "the provider of " + setup + " is called",
                () -> HttpSocket.once(
                                        consumerAgent.port(),
                                        Form.post(Form.call(Call.CONFORMANCE, "ping", ""), Form.PATIENT))
                                .status()
                        == 200);
        if (!setup.isGateway()) {
            for (String service : CompatibilityCalls.SERVICES) {
                awaitSeen(service.split(":")[0], consumerAgent.port());
            }
        }
        return calls.verdicts(setup, setup::makes, consumerAgent.port());
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

    private Dubbo provider(Setup setup) throws IOException {
        String name = setup.jvm() + "-" + setup.serialization();
        Dubbo provider = providers.get(name);
        if (provider == null) {
            Map<String, String> settings = new HashMap<>();
            settings.put("conformance", "true");
            settings.put("office", "true");
            settings.put("serialization", setup.serialization());
            settings.put("user.timezone", CompatibilityCalls.TIME_ZONE);
            if (setup.isByTriple()) {
                settings.put("protocol", "tri");
            }
            provider = mesh.provider(setup.jvm(), name, settings);
            providers.put(name, provider);
        }
        return provider;
    }
}
