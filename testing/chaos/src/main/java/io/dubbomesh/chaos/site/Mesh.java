package io.dubbomesh.chaos.site;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.testsupport.FaultyProxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A registry, providers each with its agent, and a consumer agent that has called each of them. */
public final class Mesh {
    private static final int WARM_UP_SECONDS = 3;

    /** The connections of a warm-up, few enough that a provider of twenty threads is not overloaded. */
    private static final int WARM_UP_CONNECTIONS = 8;

    private final Site site;
    private final Plan plan;
    private final String registry;
    private final Etcd etcd;
    private final List<Part> providers = new ArrayList<>();
    private final List<Part> agents = new ArrayList<>();
    private final List<FaultyProxy> links = new ArrayList<>();
    private final List<FaultyProxy> dubboConnections = new ArrayList<>();
    private Part consumer;

    /** The differences from the usual mesh. */
    public static final class Plan {
        private final Site site;
        private final List<Integer> weights;
        private List<String> provider = List.of();
        private List<String> agent = List.of();
        private List<String> consumer = List.of();
        private int etcdNodes = 1;
        private boolean hosts;
        private boolean proxies;
        private boolean realProviders;
        private int withClock = -1;

        private Plan(Site site, List<Integer> weights) {
            this.site = site;
            this.weights = weights;
        }

        /** Settings of the providers: by default 200 threads, 20 ms a call. */
        public Plan providers(String... settings) {
            provider = List.of(settings);
            return this;
        }

        public Plan realProviders() {
            realProviders = true;
            return this;
        }

        /** Settings and JVM flags of the provider agents. */
        public Plan agents(String... settings) {
            agent = List.of(settings);
            return this;
        }

        /** Settings and JVM flags of the consumer agent. */
        public Plan consumer(String... settings) {
            consumer = List.of(settings);
            return this;
        }

        /** Sets the number of nodes; 0: the consumer agent has a fixed list of the provider agents. */
        public Plan etcd(int nodes) {
            etcdNodes = nodes;
            return this;
        }

        /** Each provider and its agent have a host of their own. */
        public Plan onHosts() {
            hosts = true;
            return this;
        }

        /** There is a {@link FaultyProxy} on each link and on each connection to a provider. */
        public Plan withProxies() {
            proxies = true;
            return this;
        }

        /** The clock of the provider agent with this number can be set. */
        public Plan withClock(int number) {
            withClock = number;
            return this;
        }

        public Mesh start() throws IOException, InterruptedException {
            Mesh mesh = new Mesh(this);
            mesh.startAll();
            return mesh;
        }
    }

    private Mesh(Plan plan) throws IOException, InterruptedException {
        this.site = plan.site;
        this.plan = plan;
        etcd = plan.etcdNodes == 0 ? null : site.etcd(plan.etcdNodes);
        for (int weight : plan.weights) {
            addProvider("-Dlb.weight=" + weight);
        }
        registry = etcd == null ? "static:" + addresses() : etcd.uri(Host.HOME);
        consumer = site.consumerAgent("consumer-agent", registry, plan.consumer);
    }

    public static Plan of(Site site, int providers) {
        return new Plan(site, Collections.nCopies(providers, 1));
    }

    /** Returns a plan with as many providers as weights. */
    public static Plan withWeights(Site site, Integer... weights) {
        return new Plan(site, List.of(weights));
    }

    private String addresses() {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < agents.size(); i++) {
            addresses.add(address(i));
        }
        return String.join(",", addresses);
    }

    private String address(int number) {
        int port = plan.proxies ? links.get(number).port() : agents.get(number).port();
        return agents.get(number).host().address() + ":" + port;
    }

    /** A further provider and its agent, not started. Returns its number. */
    public int addProvider(String... agentSettings) throws IOException, InterruptedException {
        int number = providers.size();
        Host host = plan.hosts ? site.network().addHost() : Host.HOME;
        Part provider = plan.realProviders
                ? site.dubboProvider("provider-" + number, plan.provider)
                : site.stubProvider("provider-" + number, host, plan.provider);
        providers.add(provider);
        int providerPort = provider.port();
        List<String> settings = new ArrayList<>(plan.agent);
        settings.addAll(List.of(agentSettings));
        if (plan.proxies) {
            dubboConnections.add(site.proxy(site.port(), providerPort));
            providerPort = dubboConnections.get(number).port();
        }
        int linkPort = plan.proxies ? site.port() : 0;
        settings.add("-Dadvertise.port=" + linkPort);
        String agentRegistry = etcd == null ? "static:127.0.0.1:1" : etcd.uri(host);
        Part agent = site.providerAgent("provider-agent-" + number, host, providerPort, agentRegistry, settings);
        if (number == plan.withClock) {
            agent.useClock(new ProcessClock(site.directory().resolve("clock-" + agent.name())));
        }
        if (plan.proxies) {
            links.add(site.proxy(linkPort, agent.port()));
        }
        agents.add(agent);
        return number;
    }

    private void startAll() throws IOException, InterruptedException {
        for (Part provider : providers) {
            provider.start();
        }
        for (Part provider : providers) {
            provider.awaitReady();
        }
        for (Part agent : agents) {
            agent.start();
        }
        for (Part agent : agents) {
            agent.awaitReady();
        }
        consumer.restart();
        warmUp();
    }

    /** Calls until the agents' code is compiled, and each provider has executed calls. */
    private void warmUp() throws IOException, InterruptedException {
        int rounds = 10;
        for (int i = 0; i < rounds; i++) {
            site.call(Workload.closed(WARM_UP_CONNECTIONS * providers.size()), WARM_UP_SECONDS, consumer);
            if (isEachProviderCalled()) {
                return;
            }
        }
        throw new IllegalStateException("after " + rounds * WARM_UP_SECONDS + " s not every provider is called");
    }

    private boolean isEachProviderCalled() throws IOException {
        for (Part provider : providers) {
            if (provider.executions().count() == 0) {
                return false;
            }
        }
        return true;
    }

    /** Starts the provider with this number and its agent. */
    public void start(int number) throws IOException, InterruptedException {
        providers.get(number).restart();
        agents.get(number).restart();
    }

    public Etcd etcd() {
        return etcd;
    }

    /** Returns the registry as the setting of a further consumer agent. */
    public String registry() {
        return registry;
    }

    public Part consumer() {
        return consumer;
    }

    public Part provider(int number) {
        return providers.get(number);
    }

    public List<Part> providers() {
        return providers;
    }

    public Part agent(int number) {
        return agents.get(number);
    }

    public List<Part> agents() {
        return agents;
    }

    /** Returns the proxy between the consumer agent and this provider's agent. */
    public FaultyProxy link(int number) {
        return links.get(number);
    }

    /** Returns the proxy between this provider and its agent. */
    public FaultyProxy dubboConnection(int number) {
        return dubboConnections.get(number);
    }

    /** The registry's key of this provider's agent. */
    public String key(int number) {
        return Etcd.key(Workload.SERVICE, address(number));
    }

    public Load load(Workload workload) {
        return site.load(workload, consumer);
    }

    public Calls call(Workload workload, double seconds) throws InterruptedException {
        return site.call(workload, seconds, consumer);
    }

    /** Returns the number of the calls that each provider has executed. */
    public List<Integer> shares(Calls calls) throws IOException {
        List<Integer> shares = new ArrayList<>();
        for (Part provider : providers) {
            Executions executions = provider.executions();
            shares.add(calls.where(call -> executions.has(call.hash())).count());
        }
        return shares;
    }
}
