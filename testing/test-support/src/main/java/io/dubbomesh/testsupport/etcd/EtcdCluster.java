package io.dubbomesh.testsupport.etcd;

import io.dubbomesh.testsupport.Await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A real etcd of several nodes. */
public final class EtcdCluster extends EtcdGateway implements AutoCloseable {
    private static final Duration TO_START = Duration.ofSeconds(30);

    private final List<EtcdServer> nodes = new ArrayList<>();

    private EtcdCluster() {}

    /** Starts so many nodes, with data and logs below {@code folder}, and returns when all of them serve. */
    public static EtcdCluster start(Path folder, int size) {
        EtcdCluster cluster = new EtcdCluster();
        for (int i = 1; i <= size; i++) {
            cluster.nodes.add(new EtcdServer(folder, "node" + i, false, List.of()));
        }
        String members = cluster.nodes.stream().map(EtcdServer::member).collect(Collectors.joining(","));
        try {
            cluster.nodes.forEach(node -> node.joinCluster(members));
            cluster.nodes.forEach(EtcdServer::launch);
            cluster.nodes.forEach(EtcdServer::awaitServing);
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    public List<EtcdServer> nodes() {
        return List.copyOf(nodes);
    }

    /** Returns its URI as the setting {@code registry} has it. */
    public String uri() {
        return nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(",", "etcd://", ""));
    }

    @Override
    protected List<String> urls() {
        return nodes.stream().filter(EtcdServer::isRunning).map(EtcdServer::url).toList();
    }

    /** Returns the leader, once there is one. */
    public EtcdServer leader() throws Exception {
        List<EtcdServer> found = new ArrayList<>();
        Await.until(TO_START, "etcd has a leader", () -> {
            nodes.stream()
                    .filter(node -> node.isRunning() && isLeader(node.url()))
                    .findFirst()
                    .ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    /** Returns when all nodes that run serve. */
    public void awaitHealthy() throws Exception {
        for (EtcdServer node : nodes) {
            if (node.isRunning()) {
                node.awaitHealthy();
            }
        }
    }

    /** Ends all nodes. */
    @Override
    public void close() {
        nodes.forEach(EtcdServer::close);
    }
}
