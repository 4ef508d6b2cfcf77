package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.RunningProcess;
import io.dubbomesh.testsupport.process.Signal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The processes of one test class, on free ports. {@link #end} ends them as an operator would and then checks each
 * agent: exit code 0, no leak, no error, no stack trace in its output.
 */
public final class Mesh {
    /** The longest grace by default, and the time a slow machine needs around it. */
    private static final Duration TO_END = Duration.ofSeconds(15);

    private static final Pattern FAULT = Pattern.compile(
            "LEAK:|\\bERROR\\b|^\\s+at [\\w.$/<>@-]+\\(|^Caused by:|AssertionError|IllegalReferenceCount");

    private final Path directory;
    private final List<EtcdServer> etcds = new ArrayList<>();
    private final List<Dubbo> providers = new ArrayList<>();
    private final List<Agent> providerAgents = new ArrayList<>();
    private final List<Agent> consumerAgents = new ArrayList<>();

    private Mesh(Path directory) {
        this.directory = directory;
    }

    /** With its logs and files in target/logs/{@code name}, where those of an earlier run are deleted. */
    public static Mesh named(String name) throws IOException {
        Path directory = Path.of("target", "logs", name).toAbsolutePath();
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(directory);
        return new Mesh(directory);
    }

    public Path directory() {
        return directory;
    }

    public EtcdServer etcd() throws Exception {
        EtcdServer etcd = EtcdServer.start(directory);
        etcds.add(etcd);
        return etcd;
    }

    /** Starts a provider of the demo's service; it listens some time later. */
    public Dubbo provider(Program kind, String name, Map<String, String> settings) throws IOException {
        return provider(kind, name, Ports.free(), settings);
    }

    /** Starts a provider at a port, as one that comes back. */
    public Dubbo provider(Program kind, String name, int port, Map<String, String> settings) throws IOException {
        Path callsFile = directory.resolve(name + ".calls");
        Map<String, String> all = new HashMap<>(settings);
        all.put("name", name);
        all.put("port", Integer.toString(port));
        all.put("calls.file", callsFile.toString());
        Dubbo provider = new Dubbo(port, callsFile, kind.start(directory.resolve(name + ".log"), all));
        providers.add(provider);
        return provider;
    }

    /** Starts a provider agent of the demo's service, or of another if the settings say so. */
    public Agent providerAgent(String name, int dubboPort, String registry, Map<String, String> settings)
            throws IOException {
        Map<String, String> all = new HashMap<>();
        all.put("dubbo.services", Form.SERVICE);
        all.put("dubbo.protocol.port", Integer.toString(dubboPort));
        all.put("server.host", "127.0.0.1");
        all.putAll(settings);
        all.put("registry", registry);
        return providerAgent(Jvm.PROVIDER_AGENT, name, all);
    }

    public Agent providerAgent(Program kind, String name, Map<String, String> settings) throws IOException {
        Agent agent = agent(kind, name, settings);
        providerAgents.add(agent);
        return agent;
    }

    public Agent consumerAgent(String name, String registry, Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("registry", registry);
        return consumerAgent(Jvm.CONSUMER_AGENT, name, all);
    }

    public Agent consumerAgent(Program kind, String name, Map<String, String> settings) throws IOException {
        Agent agent = agent(kind, name, settings);
        consumerAgents.add(agent);
        return agent;
    }

    /** Starts an agent. Ports that the settings do not name are free ones. */
    private Agent agent(Program kind, String name, Map<String, String> settings) throws IOException {
        int port = Ports.free();
        int adminPort = Ports.free();
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("server.port", Integer.toString(port));
        all.put("admin.port", Integer.toString(adminPort));
        return new Agent(
                Integer.parseInt(all.get("server.port")), adminPort, kind.start(directory.resolve(name + ".log"), all));
    }

    public void end() throws Exception {
        List<String> faults = new ArrayList<>();
        findLeaks(faults);
        end(consumerAgents, faults);
        end(providerAgents, faults);
        for (Dubbo provider : providers) {
            provider.kill();
        }
        for (EtcdServer etcd : etcds) {
            etcd.close();
        }
        for (List<Agent> agents : List.of(consumerAgents, providerAgents)) {
            for (Agent agent : agents) {
                readLog(agent.process().log(), faults);
            }
        }
        assertThat(faults).as("faults of the agents").isEmpty();
    }

    /**
     * Leaks are reported when a buffer is allocated after a collection: the last request does that, and the GOAWAY on
     * each link.
     */
    private void findLeaks(List<String> faults) throws InterruptedException {
        for (List<Agent> agents : List.of(consumerAgents, providerAgents)) {
            for (Agent agent : agents) {
                ifAlive(agent, faults, () -> agent.process().collectGarbage());
            }
        }
        // The JVMs hand over what they collected by a thread of their own.
        Thread.sleep(100);
        for (Agent agent : consumerAgents) {
            ifAlive(
                    agent,
                    faults,
                    () -> HttpSocket.once(agent.port(), "PUT / HTTP/1.1\r\nHost: mesh\r\n\r\n")
                            .assertProblem(405, "METHOD_NOT_ALLOWED"));
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    /** Adds the failure of an action to the faults, unless the agent has ended: the others are still to be ended. */
    private static void ifAlive(Agent agent, List<String> faults, Action action) throws InterruptedException {
        if (!agent.process().isAlive()) {
            return;
        }
        try {
            action.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | AssertionError e) {
            if (agent.process().isAlive()) {
                faults.add(agent.process() + ": " + e);
            }
        }
    }

    private static void end(List<Agent> agents, List<String> faults) throws Exception {
        List<RunningProcess> ending = agents.stream()
                .map(Agent::process)
                .filter(process -> process.isAlive() || !process.wasKilled())
                .toList();
        for (RunningProcess process : ending) {
            if (process.isAlive()) {
                process.send(Signal.TERM);
            }
        }
        for (RunningProcess process : ending) {
            try {
                int code = process.awaitExit(TO_END);
                if (code != process.expectedExitCode()) {
                    faults.add(process.log().getFileName() + ": exit code " + code);
                }
            } catch (AssertionError e) {
                faults.add(e.getMessage());
                process.kill();
            }
        }
    }

    private static void readLog(Path log, List<String> faults) throws IOException {
        for (String line : Files.readAllLines(log)) {
            if (FAULT.matcher(line).find()) {
                faults.add(log.getFileName() + ": " + line);
            }
        }
    }
}
