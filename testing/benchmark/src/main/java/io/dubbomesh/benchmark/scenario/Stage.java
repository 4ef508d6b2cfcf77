package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Side;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.testsupport.etcd.EtcdServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts the parts of a scenario on fixed ports, and waits until they are ready. */
final class Stage {
    private static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> SIZES = List.of("small", "medium", "large");

    private static final int CONSUMER_PORT = 20_000;
    private static final int DUBBO_PORT = 20_880;
    private static final int TRIPLE_PORT = 20_980;
    private static final int PROVIDER_AGENT_PORT = 30_000;
    private static final int PORTS_OF_A_MESH = 100;
    private static final int BASELINE_CONSUMER_PORT = 25_000;
    private static final int BASELINE_PROVIDER_PORT = 32_000;

    /** Not etcd's default 2379, which the system's own etcd may use. */
    private static final int ETCD_PORT = 12_379;

    private static final int ETCD_PEER_PORT = 12_380;

    private static final int PROVIDER_SECONDS = 60;
    private static final int START_SECONDS = 30;
    private static final int CALL_POLL_MS = 100;

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

    /** Real ones, which sleep 50 ms, or stubs with this delay, as the options say. */
    void startProviders(int count, int delayMs) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            startProvider("-Ddelay.ms=" + (options.realProviders() ? 50 : delayMs));
        }
        awaitProviders();
    }

    /** Starts another provider with these settings, a real one or a stub as the options say. */
    Program startProvider(String... settings) throws IOException {
        int index = providers.size();
        Program provider = startProvider(name(index), dubboPort(index), settings);
        providers.add(provider);
        return provider;
    }

    private Program startProvider(String name, int port, String... settings) throws IOException {
        requireFree(port, "a provider");
        boolean real = options.realProviders();
        List<String> arguments = new ArrayList<>(real ? installation.providerFlags() : installation.stubFlags());
        arguments.addAll(List.of("-Dname=" + name, "-Dport=" + port));
        arguments.addAll(List.of(settings));
        arguments.addAll(List.of("-jar", real ? installation.demoJar() : installation.jar("testing/benchmark")));
        return programs.start("provider-" + name, Programs.java(arguments));
    }

    void awaitProviders() throws IOException, InterruptedException {
        awaitProviders(providers);
    }

    private void awaitProviders(List<Program> started) throws IOException, InterruptedException {
        for (Program provider : started) {
            programs.awaitOutput(provider, "listening", PROVIDER_SECONDS);
        }
    }

    private static String name(int index) {
        return index < SIZES.size() ? SIZES.get(index) : Integer.toString(index + 1);
    }

    String statement(int delayMs) {
        String kind = options.realProviders()
                ? "real Dubbo providers of 50 ms, 200 threads each, " + String.join(" ", installation.providerFlags())
                : "stub providers of " + delayMs + " ms";
        return providers.size() + " " + kind + "; agents with " + String.join(" ", agentFlags(installation));
    }

    /** A consumer agent, the first of the side's programs, and an agent for each provider. */
    Side startMesh(String name, MeshSettings settings) throws IOException, InterruptedException {
        String registry = registry(settings.index());
        List<Program> agents = startProviderAgents(settings, registry);
        agents.add(0, startConsumerAgent(settings, registry));
        awaitAnswer(settings, agents.get(0));
        Map<String, String> environment = settings.token() == null ? Map.of() : Map.of("TOKEN", settings.token());
        return new Side(name, url(consumerPort(settings)), environment, agents, shared());
    }

    /** Starts an agent for each provider, and waits until they are ready. */
    List<Program> startProviderAgents(MeshSettings settings, String registry) throws IOException, InterruptedException {
        List<Program> agents = new ArrayList<>();
        for (int i = 0; i < providers.size(); i++) {
            agents.add(startProviderAgent(settings, registry, i));
        }
        for (int i = 0; i < providers.size(); i++) {
            programs.awaitHttp(agents.get(i), readiness(providerAgentPort(settings, i)), START_SECONDS);
        }
        return agents;
    }

    /** A consumer agent that calls the providers without provider agents. */
    Side startDirect(String name, MeshSettings settings) throws IOException, InterruptedException {
        return startDirect(name, settings, "dubbo", DUBBO_PORT, shared());
    }

    /** A consumer agent that calls providers of its own by Triple, one for each weight, with this delay if stubs. */
    Side startDirectTriple(String name, MeshSettings settings, int delayMs) throws IOException, InterruptedException {
        List<Program> triple = new ArrayList<>();
        for (int i = 0; i < options.weights.size(); i++) {
            String delay = "-Ddelay.ms=" + (options.realProviders() ? 50 : delayMs);
            triple.add(startProvider("tri-" + name(i), TRIPLE_PORT + i, "-Dprotocol=tri", delay));
        }
        awaitProviders(triple);
        return startDirect(name, settings, "tri", TRIPLE_PORT, triple);
    }

    private Side startDirect(String name, MeshSettings settings, String protocol, int firstPort, List<Program> shared)
            throws IOException, InterruptedException {
        List<String> endpoints = new ArrayList<>();
        for (int i = 0; i < options.weights.size(); i++) {
            endpoints.add(protocol + "://" + LOOPBACK + ":" + (firstPort + i) + "*" + options.weights.get(i));
        }
        Program agent = startConsumerAgent(settings, "static:" + String.join(",", endpoints));
        awaitAnswer(settings, agent);
        return new Side(name, url(consumerPort(settings)), Map.of(), List.of(agent), shared);
    }

    /** The consumer agent may be ready before it knows the endpoints. */
    void awaitAnswer(MeshSettings settings, Program consumerAgent) throws IOException, InterruptedException {
        programs.awaitHttp(consumerAgent, readiness(consumerPort(settings)), START_SECONDS);
        HttpRequest.Builder call = HttpRequest.newBuilder(URI.create(url(consumerPort(settings))))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("interface=" + SERVICE
                        + "&method=hash&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=hello"));
        if (settings.token() != null) {
            call.header("Authorization", "Bearer " + settings.token());
        }
        programs.awaitHttp(consumerAgent, call, START_SECONDS, CALL_POLL_MS);
    }

    /** The providers and the registry. */
    private List<Program> shared() {
        List<Program> shared = new ArrayList<>(providers);
        if (etcd != null) {
            shared.add(etcd);
        }
        return shared;
    }

    Program startProviderAgent(MeshSettings settings, String registry, int index) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-Dserver.host=" + LOOPBACK,
                "-Dadvertise.host=" + LOOPBACK,
                "-Dlb.weight=" + options.weights.get(index),
                "-Ddubbo.protocol.port=" + dubboPort(index),
                "-Ddubbo.services=" + SERVICE));
        arguments.addAll(settings.provider());
        int port = providerAgentPort(settings, index);
        return startAgent(settings, "provider-agent", "provider-agent-" + name(index), registry, port, arguments);
    }

    Program startConsumerAgent(MeshSettings settings, String registry) throws IOException {
        int port = consumerPort(settings);
        return startAgent(settings, "consumer-agent", "consumer-agent", registry, port, settings.consumer());
    }

    private Program startAgent(
            MeshSettings settings, String module, String name, String registry, int port, List<String> more)
            throws IOException {
        requireFree(port, name);
        requireFree(adminPort(port), name + "'s admin server");
        Installation agents = settings.agentsOf() == null ? installation : installation.at(settings.agentsOf());
        List<String> arguments = new ArrayList<>(agentFlags(agents));
        arguments.addAll(settings.jvmFlags());
        arguments.addAll(List.of("-Dregistry=" + registry, "-Dserver.port=" + port, "-Dadmin.port=" + adminPort(port)));
        arguments.addAll(more);
        arguments.addAll(List.of(agents.archiveFlag(module), "-jar", agents.jar(module)));
        return programs.startJava(name, arguments);
    }

    private List<String> agentFlags(Installation agents) {
        List<String> flags = new ArrayList<>(agents.agentFlags());
        if (options.xmx != null) {
            flags.addAll(List.of("-Xms" + options.xmx, "-Xmx" + options.xmx));
        }
        return flags;
    }

    /** An authority and certificates of these names, signed by it, in a new directory. */
    Path certificates(String... names) throws IOException, InterruptedException {
        Path directory = programs.directory().resolve("certificates");
        Path script = installation.root().resolve("scripts/certificates.sh");
        List<String> command = new ArrayList<>(List.of(script.toString(), directory.toString()));
        command.addAll(List.of(names));
        programs.finish(programs.start("certificates", command), START_SECONDS);
        return directory;
    }

    /** Writes a file and returns its path. */
    Path write(String name, String text) throws IOException {
        return Files.writeString(programs.directory().resolve(name), text);
    }

    /** The registry of the mesh with this index. The first mesh starts etcd. */
    String registry(int index) throws IOException, InterruptedException {
        if (index == 0 && Installation.has("etcd")) {
            if (etcd == null) {
                startEtcd();
            }
            return "etcd://" + LOOPBACK + ":" + ETCD_PORT;
        }
        Path directory = programs.directory().resolve("registry-" + index);
        Files.createDirectories(directory);
        return "file:" + directory;
    }

    private void startEtcd() throws IOException, InterruptedException {
        requireFree(ETCD_PORT, "etcd");
        requireFree(ETCD_PEER_PORT, "etcd's peers");
        String client = url(ETCD_PORT);
        String peer = url(ETCD_PEER_PORT);
        Path data = programs.directory().resolve("etcd");
        List<String> command = EtcdServer.command("etcd", data, client, client, peer, "etcd=" + peer);
        command.add("--log-level=warn");
        etcd = programs.start("etcd", command);
        programs.awaitHttp(etcd, client + "/health", START_SECONDS);
    }

    /**
     * The pair that does as little work as possible for the same providers. It calls them in turn and ignores their
     * weights.
     */
    Side startBaseline() throws IOException, InterruptedException {
        Path binaries = programs.directory().resolve("baseline");
        Path source = installation.root().resolve("testing/benchmark/baseline");
        Program make = programs.start("make", Programs.command("make -C", source.toString(), "BIN=" + binaries));
        programs.finish(make, PROVIDER_SECONDS);
        List<Program> pair = new ArrayList<>();
        List<String> ports = new ArrayList<>(List.of(Integer.toString(BASELINE_CONSUMER_PORT)));
        for (int i = 0; i < providers.size(); i++) {
            int port = BASELINE_PROVIDER_PORT + i;
            ports.add(Integer.toString(port));
            List<String> arguments = List.of(ports.get(i + 1), Integer.toString(dubboPort(i)));
            pair.add(startBaseline(binaries, "baseline-provider", "-" + SIZES.get(i), port, arguments));
        }
        pair.add(0, startBaseline(binaries, "baseline-consumer", "", BASELINE_CONSUMER_PORT, ports));
        return new Side("baseline", url(BASELINE_CONSUMER_PORT), Map.of(), pair, shared());
    }

    private Program startBaseline(Path binaries, String binary, String suffix, int port, List<String> arguments)
            throws IOException, InterruptedException {
        requireFree(port, binary);
        List<String> command = new ArrayList<>(List.of(binaries.resolve(binary).toString()));
        command.addAll(arguments);
        Program program = programs.start(binary + suffix, command);
        programs.awaitOutput(program, "listening", START_SECONDS);
        return program;
    }

    void stopAll() throws InterruptedException {
        programs.stopAll();
        providers.clear();
        etcd = null;
    }

    static void requireFree(int port, String purpose) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(LOOPBACK, port), 1000);
        } catch (IOException refused) {
            return;
        }
        throw new BenchException("port " + port + " for " + purpose + " is in use");
    }

    private static int dubboPort(int index) {
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

    /** Returns the URL that tells whether the agent that serves this port is ready. */
    static String readiness(int port) {
        return url(adminPort(port)) + "/readyz";
    }
}
