package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts what scenarios are made of, on fixed ports, and waits until it is ready. */
final class Stage {
    private static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> SIZES = List.of("small", "medium", "large");

    private static final int CONSUMER_PORT = 20_000;
    private static final int DUBBO_PORT = 20_880;
    private static final int PROVIDER_AGENT_PORT = 30_000;
    private static final int PORTS_OF_A_MESH = 100;
    private static final int FLOOR_CONSUMER_PORT = 25_000;
    private static final int FLOOR_PROVIDER_PORT = 32_000;

    /** Not etcd's own 2379: there the system's may run, which is no place for these keys. */
    private static final int ETCD_PORT = 12_379;

    private static final int ETCD_PEER_PORT = 12_380;
    private static final int PROVIDER_SECONDS = 60;
    private static final int START_SECONDS = 30;

    private final Installation installation;
    private final Options options;
    private final Programs programs;
    private final List<Program> providers = new ArrayList<>();
    private Program etcd;

    Stage(Installation installation, Options options, Programs programs) {
        this.installation = installation;
        this.options = options;
        this.programs = programs;
    }

    /** Real ones or stubs, as the options say. Stubs have the delay; real ones sleep 50 ms. */
    void startProviders(int count, int delayMs) throws IOException, InterruptedException, BenchException {
        for (int i = 0; i < count; i++) {
            requireFree(dubboPort(i), "a provider");
            String name = "provider-" + SIZES.get(i);
            providers.add(
                    options.realProviders()
                            ? programs.start(name, realProvider(i))
                            : programs.start(name, stub(i, delayMs)));
        }
        for (Program provider : providers) {
            programs.awaitOutput(provider, "listening", PROVIDER_SECONDS);
        }
    }

    private List<String> realProvider(int index) throws BenchException {
        return Installation.java(
                installation.providerFlags(),
                List.of(
                        "-Dname=" + SIZES.get(index),
                        "-Dport=" + dubboPort(index),
                        "-Ddelay.ms=50",
                        "-jar",
                        installation.demoJar().toString()));
    }

    private List<String> stub(int index, int delayMs) throws BenchException {
        return Installation.java(
                installation.stubFlags(),
                List.of(
                        "-Dport=" + dubboPort(index),
                        "-Ddelay.ms=" + delayMs,
                        "-jar",
                        installation.jar("benchmark").toString()));
    }

    List<Program> providers() {
        return providers;
    }

    /** The providers and the registry. */
    List<Program> shared() {
        List<Program> shared = new ArrayList<>(providers);
        if (etcd != null) {
            shared.add(etcd);
        }
        return shared;
    }

    String statement(int delayMs) {
        String kind = options.realProviders()
                ? "real Dubbo providers of 50 ms, 200 threads each, " + String.join(" ", installation.providerFlags())
                : "stub providers of " + delayMs + " ms";
        return providers.size() + " " + kind + "; agents with " + String.join(" ", agentFlags());
    }

    /** Before the providers that were started. */
    Mesh startMesh(MeshSettings settings) throws IOException, InterruptedException, BenchException {
        String registry = registry(settings.index());
        List<Program> agents = new ArrayList<>();
        for (int i = 0; i < providers.size(); i++) {
            agents.add(startProviderAgent(settings, registry, i));
        }
        Program consumer = startConsumerAgent(settings, registry);
        for (int i = 0; i < agents.size(); i++) {
            programs.awaitHttp(agents.get(i), readiness(providerAgentPort(settings, i)), START_SECONDS);
        }
        programs.awaitHttp(consumer, readiness(consumerPort(settings)), START_SECONDS);
        return new Mesh(url(consumerPort(settings)), consumer, List.copyOf(agents));
    }

    Program startProviderAgent(MeshSettings settings, String registry, int index) throws IOException, BenchException {
        int port = providerAgentPort(settings, index);
        List<String> arguments = agentArguments(settings, registry, port, "a provider agent");
        arguments.addAll(List.of(
                "-Dserver.host=" + LOOPBACK,
                "-Dadvertise.host=" + LOOPBACK,
                "-Dlb.weight=" + weight(settings, index),
                "-Ddubbo.protocol.port=" + dubboPort(index),
                "-Ddubbo.services=" + SERVICE));
        arguments.addAll(settings.providerOptions());
        return startAgent(settings, "provider-agent", "provider-agent-" + SIZES.get(index), arguments);
    }

    private int weight(MeshSettings settings, int index) {
        return (settings.weights().isEmpty() ? options.weights() : settings.weights()).get(index);
    }

    Program startConsumerAgent(MeshSettings settings, String registry) throws IOException, BenchException {
        List<String> arguments = agentArguments(settings, registry, consumerPort(settings), "a consumer agent");
        arguments.addAll(settings.consumerOptions());
        return startAgent(settings, "consumer-agent", "consumer-agent", arguments);
    }

    private List<String> agentArguments(MeshSettings settings, String registry, int port, String purpose)
            throws BenchException {
        requireFree(port, purpose);
        requireFree(adminPort(port), purpose + "'s admin server");
        List<String> arguments = new ArrayList<>(settings.jvmFlags());
        arguments.addAll(List.of("-Dregistry=" + registry, "-Dserver.port=" + port, "-Dadmin.port=" + adminPort(port)));
        return arguments;
    }

    private Program startAgent(MeshSettings settings, String module, String name, List<String> arguments)
            throws IOException, BenchException {
        Installation agents = settings.agentsOf() == null ? installation : installation.at(settings.agentsOf());
        arguments.addAll(
                List.of(agents.archiveFlag(module), "-jar", agents.jar(module).toString()));
        return programs.startJava(name, Installation.java(agentFlags(), arguments));
    }

    List<String> agentFlags() {
        List<String> flags = new ArrayList<>(installation.agentFlags());
        if (!options.xmx().isEmpty()) {
            flags.addAll(List.of("-Xms" + options.xmx(), "-Xmx" + options.xmx()));
        }
        return flags;
    }

    /** What the agents of the mesh with this index are given as their registry; etcd is started when it is first needed. */
    String registry(int index) throws IOException, InterruptedException, BenchException {
        if (index == 0 && Installation.has("etcd")) {
            if (etcd == null) {
                etcd = startEtcd();
            }
            return "etcd://" + LOOPBACK + ":" + ETCD_PORT;
        }
        Path directory = programs.directory().resolve("registry-" + index);
        Files.createDirectories(directory);
        return "file:" + directory;
    }

    private Program startEtcd() throws IOException, InterruptedException, BenchException {
        requireFree(ETCD_PORT, "etcd");
        requireFree(ETCD_PEER_PORT, "etcd's peers");
        Program started = programs.start(
                "etcd",
                List.of(
                        "etcd",
                        "--data-dir",
                        programs.directory().resolve("etcd").toString(),
                        "--log-level",
                        "warn",
                        "--listen-client-urls",
                        url(ETCD_PORT),
                        "--advertise-client-urls",
                        url(ETCD_PORT),
                        "--listen-peer-urls",
                        url(ETCD_PEER_PORT),
                        "--initial-advertise-peer-urls",
                        url(ETCD_PEER_PORT),
                        "--initial-cluster",
                        "default=" + url(ETCD_PEER_PORT)));
        programs.awaitHttp(started, url(ETCD_PORT) + "/health", START_SECONDS);
        return started;
    }

    /** The pair that does the least work possible before the same providers; it calls them in turn, whatever their weights. */
    Side startFloor() throws IOException, InterruptedException, BenchException {
        Path binaries = programs.directory().resolve("floor");
        Program make = programs.start(
                "make",
                List.of(
                        "make",
                        "-C",
                        installation.root().resolve("benchmark/floor").toString(),
                        "BIN=" + binaries));
        programs.finish(make, PROVIDER_SECONDS);
        List<Program> pair = new ArrayList<>();
        List<String> consumer = new ArrayList<>(
                List.of(binaries.resolve("floor-consumer").toString(), Integer.toString(FLOOR_CONSUMER_PORT)));
        for (int i = 0; i < providers.size(); i++) {
            String port = Integer.toString(FLOOR_PROVIDER_PORT + i);
            pair.add(startListening(
                    "floor-provider-" + SIZES.get(i),
                    FLOOR_PROVIDER_PORT + i,
                    List.of(binaries.resolve("floor-provider").toString(), port, Integer.toString(dubboPort(i)))));
            consumer.add(port);
        }
        pair.add(0, startListening("floor-consumer", FLOOR_CONSUMER_PORT, consumer));
        return new Side("floor", url(FLOOR_CONSUMER_PORT), installation.script("form.lua"), Map.of(), pair, shared());
    }

    /** A program that says "listening" when it does. */
    Program startListening(String name, int port, List<String> command)
            throws IOException, InterruptedException, BenchException {
        requireFree(port, name);
        Program program = programs.start(name, command);
        programs.awaitOutput(program, "listening", START_SECONDS);
        return program;
    }

    /** Likewise, with the agents' JVM. */
    Program startListeningJava(String name, int port, List<String> arguments)
            throws IOException, InterruptedException, BenchException {
        requireFree(port, name);
        Program program = programs.startJava(name, Installation.java(agentFlags(), arguments));
        programs.awaitOutput(program, "listening", START_SECONDS);
        return program;
    }

    void stopAll() throws InterruptedException {
        programs.stopAll();
        providers.clear();
        etcd = null;
    }

    static void requireFree(int port, String purpose) throws BenchException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(LOOPBACK, port), 1000);
        } catch (IOException refused) {
            return;
        }
        throw new BenchException("port " + port + ", wanted for " + purpose + ", is in use");
    }

    static int dubboPort(int index) {
        return DUBBO_PORT + index;
    }

    static int consumerPort(MeshSettings settings) {
        return CONSUMER_PORT + PORTS_OF_A_MESH * settings.index();
    }

    static int providerAgentPort(MeshSettings settings, int index) {
        return PROVIDER_AGENT_PORT + PORTS_OF_A_MESH * settings.index() + 10 * index;
    }

    private static int adminPort(int port) {
        return port + 1;
    }

    static String url(int port) {
        return "http://" + LOOPBACK + ":" + port;
    }

    /** Of the agent that serves this port. */
    static String readiness(int port) {
        return url(adminPort(port)) + "/readyz";
    }
}
