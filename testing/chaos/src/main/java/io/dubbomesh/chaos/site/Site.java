package io.dubbomesh.chaos.site;

import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.tls.TlsFiles;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The site of a row: starts processes, hosts, proxies and loads, and ends all of them when it is closed. */
public final class Site {
    /**
     * Below the ports that the kernel gives to outgoing connections. No other process has ports in this network
     * namespace.
     */
    private static final int FIRST_PORT = 20_000;

    public static final String TOKEN = "the-token-of-this-site";

    private static final List<String> STUB_FLAGS =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xms32m", "-Xmx256m");
    private static final List<String> DUBBO_FLAGS = List.of("-XX:+UseSerialGC", "-Xms128m", "-Xmx256m");

    private final Installation installation;
    private final Path directory;
    private final boolean brief;
    private final ProviderProtocol protocol;
    private final Programs programs;
    private final List<Part> parts = new ArrayList<>();
    private final List<Closeable> others = new ArrayList<>();
    private int nextPort = FIRST_PORT;
    private int loads;
    private Network network;
    private Certificates certificates;

    /**
     * @param brief    whether phases of load are shorter, which is enough to see whether a row works
     * @param protocol of the providers whose settings name none
     */
    public Site(Installation installation, Path directory, boolean brief, ProviderProtocol protocol)
            throws IOException {
        this.installation = installation;
        this.directory = Files.createDirectories(directory);
        this.brief = brief;
        this.protocol = protocol;
        programs = new Programs(directory);
    }

    public Installation installation() {
        return installation;
    }

    /** Returns the length of a phase whose length is not part of what is tested. */
    public int seconds(int full) {
        return brief ? Math.max(2, full / 4) : full;
    }

    /** A number of repetitions, likewise. */
    public int times(int full) {
        return brief ? Math.max(1, full / 10) : full;
    }

    public static void pause(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1000));
    }

    public int port() {
        return nextPort++;
    }

    public Network network() throws IOException, InterruptedException {
        if (network == null) {
            network = new Network();
        }
        return network;
    }

    /** The network in front of a port of the loopback address. */
    public FaultyProxy proxy(int port, int targetPort) throws IOException {
        return closed(new FaultyProxy(port, targetPort));
    }

    /** Closes it with the site. */
    public <T extends Closeable> T closed(T other) {
        others.add(other);
        return other;
    }

    /** One node, or three. */
    public Etcd etcd(int nodes) throws IOException, InterruptedException {
        return Etcd.start(this, nodes);
    }

    /** One node. */
    public ZooKeeper zooKeeper() throws IOException, InterruptedException {
        return ZooKeeper.start(this);
    }

    Part part(String name, Host host, int port, List<String> command, String ready) {
        Path calls = directory.resolve("calls-" + name);
        Part part = new Part(programs, name, host, port, command, ready, calls);
        parts.add(part);
        return part;
    }

    /** Returns the directory for the files of the row. */
    public Path directory() {
        return directory;
    }

    /** An {@link io.dubbomesh.chaos.provider.AdjustableProvider} with these settings, not started. */
    public Part stubProvider(String name, Host host, List<String> settings) {
        int port = port();
        List<String> arguments = new ArrayList<>(STUB_FLAGS);
        arguments.addAll(providerSettings(name, host, port, settings));
        arguments.addAll(
                List.of("-cp", installation.jar("testing/chaos"), "io.dubbomesh.chaos.provider.AdjustableProvider"));
        return part(name, host, port, Programs.java(arguments), "listening");
    }

    /** A real Dubbo provider with these settings, not started. */
    public Part dubboProvider(String name, List<String> settings) {
        int port = port();
        List<String> arguments = new ArrayList<>(DUBBO_FLAGS);
        arguments.addAll(providerSettings(name, Host.HOME, port, settings));
        arguments.addAll(List.of("-Dname=" + name, "-jar", installation.demoJar()));
        return part(name, Host.HOME, port, Programs.java(arguments), "listening");
    }

    /**
     * A real Dubbo provider on a host of its own, since Dubbo registers no loopback address, that registers itself in
     * this ZooKeeper; not started. The jar of this program has the client of ZooKeeper, which that of the provider
     * lacks.
     */
    public Part registeringProvider(String name, ZooKeeper zooKeeper, String... settings)
            throws IOException, InterruptedException {
        return registeringProvider(name, zooKeeper, network().addHost(), port(), settings);
    }

    /** The same at the host and port of another one, which does not run at the same time. */
    public Part registeringProvider(String name, ZooKeeper zooKeeper, Part other, String... settings) {
        return registeringProvider(name, zooKeeper, other.host(), other.port(), settings);
    }

    private Part registeringProvider(String name, ZooKeeper zooKeeper, Host host, int port, String... settings) {
        List<String> arguments = new ArrayList<>(DUBBO_FLAGS);
        arguments.addAll(providerSettings(name, host, port, List.of("-Dhost=" + host.address(), "-Dname=" + name)));
        arguments.addAll(List.of(settings));
        arguments.addAll(List.of(
                "-Ddubbo.registry.address=" + zooKeeper.uri(host),
                "-cp",
                installation.demoJar() + ":" + installation.jar("testing/chaos"),
                "io.dubbomesh.demo.dubbo3.DemoProvider"));
        return part(name, host, port, Programs.java(arguments), "listening");
    }

    private List<String> providerSettings(String name, Host host, int port, List<String> more) {
        List<String> settings = new ArrayList<>(List.of(
                "-Dhost=" + (host.namespace() == null ? host.address() : "0.0.0.0"),
                "-Dport=" + port,
                "-Dcalls.file=" + directory.resolve("calls-" + name)));
        settings.addAll(protocol.providerSettings());
        settings.addAll(more);
        return settings;
    }

    /** An agent of the provider that listens on {@code providerPort} of its host, not started. */
    public Part providerAgent(String name, Host host, int providerPort, String registry, List<String> settings) {
        List<String> own = new ArrayList<>(List.of(
                "-Dserver.host=" + host.address(),
                "-Dadvertise.host=" + host.address(),
                "-Ddubbo.inquiry=false",
                "-Ddubbo.protocol.port=" + providerPort,
                "-Ddubbo.services=" + Workload.SERVICE));
        if (host.namespace() != null) {
            own.add("-Dmesh.open=true");
        }
        own.addAll(protocol.agentSettings());
        own.addAll(settings);
        return agent("provider-agent", name, host, registry, own);
    }

    /** A consumer agent at home that calls Dubbo providers without provider agents, not started. */
    public Part gateway(String name, String registry, List<String> settings) {
        List<String> all = new ArrayList<>(List.of("-Dtype=gateway", "-Ddubbo.inquiry=false"));
        all.addAll(settings);
        return consumerAgent(name, registry, all);
    }

    /** A consumer agent at home, not started. */
    public Part consumerAgent(String name, String registry, List<String> settings) {
        return agent("consumer-agent", name, Host.HOME, registry, settings);
    }

    private Part agent(String module, String name, Host host, String registry, List<String> settings) {
        int port = port();
        int adminPort = port();
        List<String> arguments = new ArrayList<>(installation.agentFlags());
        arguments.addAll(List.of(
                "-Dregistry=" + registry,
                "-Dserver.port=" + port,
                "-Dadmin.port=" + adminPort,
                "-Dadmin.host=" + host.address(),
                installation.archiveFlag(module)));
        // Those that start with -X are for the JVM, and the last of them counts.
        arguments.addAll(settings);
        arguments.addAll(List.of("-jar", installation.jar(module)));
        String ready = "http://" + host.address() + ":" + adminPort + "/readyz";
        return part(name, host, port, Programs.java(arguments), ready);
    }

    /**
     * An agent on a host of its own, with its default ports and addresses; not started, and ready when it says so in
     * its log.
     */
    public Part defaultAgent(String module, String name, Host host, List<String> settings) {
        List<String> arguments = new ArrayList<>(installation.agentFlags());
        arguments.add(installation.archiveFlag(module));
        arguments.addAll(settings);
        arguments.addAll(List.of("-jar", installation.jar(module)));
        int port = module.equals("provider-agent") ? 30_000 : 20_000;
        return part(name, host, port, Programs.java(arguments), "listening on ");
    }

    /** The setting of agents that share {@link #TOKEN}. */
    public String[] token() throws IOException {
        return new String[] {"-Dmesh.token-file=" + Files.writeString(directory.resolve("token"), TOKEN)};
    }

    public Certificates certificates() throws Exception {
        if (certificates == null) {
            certificates = new Certificates(directory);
        }
        return certificates;
    }

    /** The settings of agents that use TLS between them, all with one certificate. */
    public String[] tls() throws Exception {
        return certificates().good().linkSettings(Certificates.NAME).entrySet().stream()
                .map(setting -> "-D" + setting)
                .toArray(String[]::new);
    }

    /** Returns the settings of a consumer agent that takes HTTPS from clients with a certificate. */
    public String[] https() throws Exception {
        TlsFiles own = certificates().good();
        return new String[] {
            "-Dhttp.tls.cert=" + own.certificate(),
            "-Dhttp.tls.key=" + own.key(),
            "-Dhttp.tls.client-auth=required",
            "-Dhttp.tls.client-ca=" + own.authorities()
        };
    }

    /** Sends calls to these consumer agents in turn, until it is stopped. */
    public Load load(Workload workload, Part... consumers) {
        return closed(Load.start(
                workload.plan(List.of(consumers).stream().map(Part::address).toList(), loads++)));
    }

    /** Sends calls for so long, and returns them when they have ended. */
    public Calls call(Workload workload, double seconds, Part... consumers) throws InterruptedException {
        Load load = load(workload, consumers);
        pause(seconds);
        return load.stop();
    }

    public void close() throws IOException, InterruptedException {
        try {
            for (Part part : parts) {
                if (part.isAlive()) {
                    part.kill();
                }
            }
            for (Closeable other : others) {
                other.close();
            }
        } finally {
            programs.close();
            if (network != null) {
                network.close();
            }
        }
    }
}
