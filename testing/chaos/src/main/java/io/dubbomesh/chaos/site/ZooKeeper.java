package io.dubbomesh.chaos.site;

import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A real ZooKeeper of one node at home. It keeps its data when it is killed. */
public final class ZooKeeper {
    /** Sessions live for 2 to 20 ticks, even if a client asks for another time. */
    private static final int TICK_MS = 500;

    private static final List<String> FLAGS =
            List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Xmx256m");

    private final Part node;

    private ZooKeeper(Part node) {
        this.node = node;
    }

    static ZooKeeper start(Site site) throws IOException, InterruptedException {
        int port = site.port();
        List<String> arguments = new ArrayList<>(FLAGS);
        arguments.addAll(List.of(
                "-Dport=" + port,
                "-Ddata=" + site.directory().resolve("zookeeper"),
                "-Dtick.ms=" + TICK_MS,
                "-cp",
                site.installation().jar("testing/chaos"),
                LocalZooKeeper.class.getName()));
        Part node = site.part("zookeeper", Host.HOME, port, nice(Programs.java(arguments)), "listening");
        node.restart();
        return new ZooKeeper(node);
    }

    /** Makes the command share the processors with what is measured, as it would not in a system. */
    private static List<String> nice(List<String> command) {
        return Stream.concat(Stream.of("nice", "-n", "19"), command.stream()).toList();
    }

    public Part node() {
        return node;
    }

    /** Returns the setting {@code registry} for an agent on this host. */
    public String uri(Host from) {
        return "zookeeper://" + from.home() + ":" + node.port();
    }

    public Client connect() throws IOException, InterruptedException {
        return new Client(new ZooKeeperOperator("127.0.0.1:" + node.port(), 20 * TICK_MS));
    }

    /** Lists providers as Dubbo does, by nodes that stay. */
    public static final class Client implements Closeable {
        private final ZooKeeperOperator operator;

        private Client(ZooKeeperOperator operator) {
            this.operator = operator;
        }

        /** Under this root, such as {@code /dubbo}. */
        public void add(String root, String service, List<String> urls) throws KeeperException, InterruptedException {
            List<Op> above = new ArrayList<>();
            if (operator.raw().exists(root, false) == null) {
                above.add(create(root));
            }
            above.add(create(root + "/" + service));
            above.add(create(providers(root, service)));
            operator.raw()
                    .multi(Stream.concat(above.stream(), urls.stream().map(url -> create(node(root, service, url))))
                            .toList());
        }

        /** Replaces these URLs by others, without waiting. The latch is counted down when it is done. */
        public void replace(String root, String service, List<String> urls, List<String> by, CountDownLatch done) {
            Stream<Op> added = by.stream().map(url -> create(node(root, service, url)));
            Stream<Op> removed = urls.stream().map(url -> Op.delete(node(root, service, url), -1));
            operator.raw()
                    .multi(
                            Stream.concat(added, removed).toList(),
                            (code, path, context, results) -> done.countDown(),
                            null);
        }

        private static Op create(String path) {
            return Op.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }

        private static String providers(String root, String service) {
            return root + "/" + service + "/providers";
        }

        private static String node(String root, String service, String url) {
            return ZooKeeperOperator.providerNode(root, service, url);
        }

        @Override
        public void close() {
            operator.close();
        }
    }
}
