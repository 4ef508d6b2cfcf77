package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.loadbalance.Strategy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The agent in front of the program that calls: {@code -Dserver.port=}, {@code -Dproviders=host:port:weight,...} and the
 * {@link Switches}.
 */
public final class LadderConsumer {
    private static final String PROVIDERS = "providers";
    private static final String PROVIDERS_FORM = "host:port:weight,...";

    private LadderConsumer() {}

    private record Provider(InetSocketAddress address, int weight) {}

    public static void main(String[] args) {
        LadderAgent.run(LadderConsumer::start);
    }

    static LadderAgent start(Settings settings) throws IOException {
        int port = settings.port("server.port");
        List<Provider> providers = providers(settings.text(PROVIDERS, PROVIDERS_FORM));
        Switches switches = Switches.from(settings);
        LadderAgent.Front front =
                switches.http() == Switches.Http.NETTY ? NettyHttpServer::addTo : OwnHttpServer::addTo;
        return LadderAgent.start(port, switches, front, (connector, loopIndex, waiting) -> {
            List<Callee> links = new ArrayList<>();
            for (Provider provider : providers) {
                links.add(waiting.of(open(connector, provider.address)));
            }
            return balanced(links, providers, switches.balance(), loopIndex);
        });
    }

    private static List<Provider> providers(String text) {
        List<Provider> providers = new ArrayList<>();
        for (String provider : text.split(",", -1)) {
            String[] parts = provider.split(":", -1);
            if (parts.length != 3) {
                throw Settings.wrong(PROVIDERS, provider, PROVIDERS_FORM);
            }
            int port = Settings.number(PROVIDERS + ", port", parts[1], 1, 65_535);
            int weight = Settings.number(PROVIDERS + ", weight", parts[2], 1, 1000);
            providers.add(new Provider(new InetSocketAddress(parts[0], port), weight));
        }
        return providers;
    }

    private static Callee open(Connector connector, InetSocketAddress address) throws IOException {
        if (connector.switches().link() == Switches.Link.HTTP) {
            return new HttpLink(connector, address);
        }
        Connection link = connector.switches().link() == Switches.Link.MESH
                ? new MeshLink(connector, address)
                : new ProtobufLink(connector, address);
        try {
            link.open();
        } catch (IOException e) {
            throw new IOException(PROVIDERS + ": " + address + " (" + e.getMessage() + ')', e);
        }
        return link;
    }

    private static Callee balanced(
            List<Callee> links, List<Provider> providers, Switches.Balance balance, int loopIndex) {
        int[] weights = providers.stream().mapToInt(Provider::weight).toArray();
        return switch (balance) {
            case RANDOM -> {
                Arrays.fill(weights, 1);
                yield new BalancedCallee(links, weights, Strategy.WEIGHTED_RANDOM, loopIndex);
            }
            case WEIGHTED -> new BalancedCallee(links, weights, Strategy.WEIGHTED_ROUND_ROBIN, loopIndex);
        };
    }
}
