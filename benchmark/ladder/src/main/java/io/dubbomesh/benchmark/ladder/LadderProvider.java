package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.loadbalance.Strategy;
import io.netty.channel.Channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The agent in front of a Dubbo provider: {@code -Dserver.port=}, {@code -Ddubbo.port=} and the {@link Switches}. */
public final class LadderProvider {
    private LadderProvider() {}

    public static void main(String[] args) {
        LadderAgent.run(LadderProvider::start);
    }

    static LadderAgent start(Settings settings) throws IOException {
        int port = settings.port("server.port");
        InetSocketAddress provider = new InetSocketAddress("127.0.0.1", settings.port("dubbo.port"));
        Switches switches = Switches.from(settings);
        return LadderAgent.start(port, switches, front(switches), (connector, loopIndex, waiting) -> {
            List<Callee> connections = new ArrayList<>();
            for (int i = 0; i < switches.dubboConnections(); i++) {
                connections.add(waiting.of(open(connector, provider)));
            }
            if (connections.size() == 1) {
                return connections.get(0);
            }
            int[] weights = new int[connections.size()];
            Arrays.fill(weights, 1);
            return new BalancedCallee(connections, weights, Strategy.WEIGHTED_ROUND_ROBIN, loopIndex);
        });
    }

    private static Callee open(Connector connector, InetSocketAddress provider) throws IOException {
        DubboConnection connection = new DubboConnection(connector, provider);
        try {
            connection.open();
        } catch (IOException e) {
            throw new IOException("dubbo.port: " + provider.getPort() + " (" + e.getMessage() + ')', e);
        }
        return connection;
    }

    private static LadderAgent.Front front(Switches switches) {
        return switch (switches.link()) {
            case HTTP -> NettyHttpServer::addTo;
            case PROTOBUF -> ProtobufServer::addTo;
            case MESH ->
                (Channel channel, Callee callee) ->
                        FrameFormat.MESH.addDecoder(channel, switches.decode(), new MeshServer(channel, callee));
        };
    }
}
