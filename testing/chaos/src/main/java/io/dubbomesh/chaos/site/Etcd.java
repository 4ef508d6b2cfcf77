package io.dubbomesh.chaos.site;

import io.dubbomesh.testsupport.etcd.EtcdGateway;
import io.dubbomesh.testsupport.etcd.EtcdServer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real etcd of one node at home, or of three nodes on hosts of their own. */
public final class Etcd extends EtcdGateway {
    private static final String PREFIX = "/dubbomesh/";

    private final List<Node> nodes = new ArrayList<>();

    private Etcd() {}

    /** A node, reached from home, and the directory with its data. */
    private record Node(Part part, Path data) {
        String url() {
            return Etcd.url(part.host(), part.port());
        }
    }

    static Etcd start(Site site, int count) throws IOException, InterruptedException {
        Etcd etcd = new Etcd();
        List<Host> hosts = new ArrayList<>();
        List<String> peers = new ArrayList<>();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(count == 1 ? Host.HOME : site.network().addHost());
            peers.add(url(hosts.get(i), site.port()));
            members.add("etcd-" + i + "=" + peers.get(i));
        }
        for (int i = 0; i < count; i++) {
            etcd.addNode(site, "etcd-" + i, hosts.get(i), peers.get(i), String.join(",", members));
        }
        for (Node node : etcd.nodes) {
            node.part.start();
        }
        for (Node node : etcd.nodes) {
            node.part.awaitReady();
        }
        return etcd;
    }

    private void addNode(Site site, String name, Host host, String peer, String members) {
        int port = site.port();
        Path data = site.directory().resolve(name);
        // Hosts reach the one at home by several addresses, all within this network namespace.
        String listen = "http://0.0.0.0:" + port;
        List<String> command = EtcdServer.command(name, data, listen, url(host, port), peer, members);
        command.add("--log-level=warn");
        nodes.add(new Node(site.part(name, host, port, command, url(host, port) + "/health"), data));
    }

    private static String url(Host host, int port) {
        return "http://" + host.address() + ":" + port;
    }

    @Override
    protected List<String> urls() {
        return nodes.stream().filter(node -> node.part.isAlive()).map(Node::url).toList();
    }

    /** Returns the setting {@code registry} of an agent on this host. */
    public String uri(Host from) {
        List<String> addresses = new ArrayList<>();
        for (Node node : nodes) {
            Host host = node.part.host();
            addresses.add((host.namespace() == null ? from.home() : host.address()) + ":" + node.part.port());
        }
        return "etcd://" + String.join(",", addresses);
    }

    public Part node(int number) {
        return nodes.get(number).part;
    }

    public int port() {
        return node(0).port();
    }

    public static String key(String service, String address) {
        return PREFIX + service + "/" + address;
    }

    /** Returns the leader of a cluster that has one. */
    public Part leader() throws IOException {
        for (Node node : nodes) {
            if (node.part.isAlive() && isLeader(node.url())) {
                return node.part;
            }
        }
        throw new IOException("no node of etcd is the leader");
    }

    /** Kills every node and deletes what they have stored. */
    public void wipe() throws InterruptedException {
        for (Node node : nodes) {
            node.part.kill();
        }
        for (Node node : nodes) {
            EtcdServer.wipe(node.data);
        }
    }

    /** Returns the keys of all provider agents. */
    public Map<String, KeyValue> entries() {
        return keyValues(PREFIX);
    }
}
