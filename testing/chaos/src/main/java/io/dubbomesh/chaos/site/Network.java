package io.dubbomesh.chaos.site;

import io.dubbomesh.benchmark.process.Programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts, each a network namespace with a cable (a veth pair) to home, and what is lost on the cables (nftables). Hosts
 * reach each other by way of home. The addresses are those that RFC 2544 sets aside for measurements.
 */
public final class Network {
    private static final String TABLE = "inet chaos";
    private static final List<String> HOOKS = List.of("input", "forward", "output");
    private static final Path FORWARDING = Path.of("/proc/sys/net/ipv4/ip_forward");

    private final List<Host> hosts = new ArrayList<>();
    private final List<Host> plugged = new ArrayList<>();

    /** The direction of packets between home and a host. */
    public enum Way {
        TO_HOST,
        FROM_HOST,
        BOTH
    }

    Network() throws IOException, InterruptedException {
        run("nft add table " + TABLE);
        for (String hook : HOOKS) {
            run("nft add chain " + TABLE + " " + hook + " { type filter hook " + hook + " priority 0 ; }");
        }
        run("nft add set " + TABLE + " refused { type inet_service ; }");
        run("nft add chain " + TABLE + " refusals { type filter hook input priority 1 ; }");
        run("nft add rule " + TABLE
                + " refusals tcp dport @refused tcp flags & (syn|ack) == syn reject with tcp reset");
        Files.writeString(FORWARDING, "1");
    }

    /** A host with nothing running on it. */
    public Host addHost() throws IOException, InterruptedException {
        int number = hosts.size() + 1;
        String name = "host" + number;
        Host host = new Host(name, "198.18." + number + ".2", "198.18." + number + ".1");
        run("ip netns add " + name);
        hosts.add(host);
        run("ip link add " + cable(host) + " type veth peer name eth0 netns " + name);
        plugged.add(host);
        run("ip addr add " + host.home() + "/30 dev " + cable(host));
        run("ip link set " + cable(host) + " up");
        run("ip -n " + name + " addr add " + host.address() + "/30 dev eth0");
        run("ip -n " + name + " link set lo up");
        run("ip -n " + name + " link set eth0 up");
        run("ip -n " + name + " route add default via " + host.home());
        return host;
    }

    private static String cable(Host host) {
        return "to-" + host.namespace();
    }

    /** Drops packets without a word. */
    public void drop(Host host, Way way) throws IOException, InterruptedException {
        lose(host, way, "");
    }

    /** Loses so many packets of a hundred, in both directions. */
    public void lose(Host host, int percent) throws IOException, InterruptedException {
        lose(host, Way.BOTH, "numgen random mod 100 < " + percent + " ");
    }

    private void lose(Host host, Way way, String condition) throws IOException, InterruptedException {
        for (String hook : HOOKS) {
            if (way != Way.TO_HOST && !hook.equals("output")) {
                rule(hook, "ip saddr " + host.address() + " " + condition);
            }
            if (way != Way.FROM_HOST && !hook.equals("input")) {
                rule(hook, "ip daddr " + host.address() + " " + condition);
            }
        }
    }

    /** Drops what one host sends to another; what comes back passes. */
    public void drop(Host from, Host to) throws IOException, InterruptedException {
        rule("forward", "ip saddr " + from.address() + " ip daddr " + to.address() + " ");
    }

    /** Drops what a host sends to this port at home, and what the port sends back. */
    public void drop(Host host, int homePort) throws IOException, InterruptedException {
        rule("input", "ip saddr " + host.address() + " tcp dport " + homePort + " ");
        rule("output", "ip daddr " + host.address() + " tcp sport " + homePort + " ");
    }

    /** Drops what is sent from home to these addresses, such as {@code 127.9.0.0/16}. */
    public void drop(String addresses) throws IOException, InterruptedException {
        rule("output", "ip daddr " + addresses + " ");
    }

    private static void rule(String chain, String condition) throws IOException, InterruptedException {
        run("nft add rule " + TABLE + " " + chain + " " + condition + "drop");
    }

    /** Nothing is lost any more. */
    public void heal() throws IOException, InterruptedException {
        for (String hook : HOOKS) {
            run("nft flush chain " + TABLE + " " + hook);
        }
    }

    /**
     * New connections to this port at home are refused, present ones go on: as a load balancer does with a server that
     * is not ready.
     */
    public void refuse(int port) throws IOException, InterruptedException {
        run("nft add element " + TABLE + " refused { " + port + " }");
    }

    public void accept(int port) throws IOException, InterruptedException {
        run("nft delete element " + TABLE + " refused { " + port + " }");
    }

    /**
     * Sends so many beginnings of connections to this port at home, each under another address, which does not answer;
     * returns when all are sent.
     */
    public void floodWithSyn(Host from, int homePort, int perSecond, int count)
            throws IOException, InterruptedException {
        int pauseUs = 1_000_000 / perSecond;
        List<String> command = from.enter(List.of(
                "bash",
                "-c",
                // It calls a missing answer a failure.
                "hping3 -q -S --rand-source -p " + homePort + " -i u" + pauseUs + " -c " + count + " " + from.home()
                        + " 2>&1 || true"));
        String output = Programs.outputOf(command.toArray(String[]::new));
        if (!output.contains(count + " packets transmitted")) {
            throw new IOException("hping3: " + output);
        }
    }

    /** Takes the cable away: no packet, no FIN and no RST passes any more. */
    public void unplug(Host host) throws IOException, InterruptedException {
        run("ip link del " + cable(host));
        plugged.remove(host);
    }

    /** TCP connections from home to this process that were established and are not closed. */
    public static long connectionsTo(Part part) throws IOException, InterruptedException {
        return connections("dst " + part.host().address() + " dport = :" + part.port());
    }

    /** The same, to this port of any address. */
    public static long connectionsTo(int port) throws IOException, InterruptedException {
        return connections("dport = :" + port);
    }

    private static long connections(String filter) throws IOException, InterruptedException {
        String command = "ss -Htn state established state fin-wait-1 state close-wait state last-ack " + filter;
        return Programs.outputOf(command.split(" "))
                .lines()
                .filter(line -> !line.isBlank())
                .count();
    }

    /**
     * Returns the addresses that are listened on, and the ports of UDP, each as {@code tcp 127.0.0.1:20000}, sorted;
     * {@code *} stands for all addresses.
     */
    public static List<String> listeners(Host host) throws IOException, InterruptedException {
        return Programs.outputOf(("ip netns exec " + host.namespace() + " ss -Hlntu").split(" "))
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .map(columns -> columns[0] + " " + address(columns[4]))
                .sorted()
                .toList();
    }

    /** Returns an address without the brackets and prefixes of sockets that take IPv6 too. */
    private static String address(String local) {
        return local.replaceFirst("^\\[?(::ffff:)?([^\\]]*)\\]?:(\\d+)$", "$2:$3")
                .replaceFirst("^(0[.]0[.]0[.]0|::):", "*:");
    }

    private static void run(String command) throws IOException, InterruptedException {
        Programs.outputOf(command.split(" "));
    }

    void close() throws IOException, InterruptedException {
        // The kernel takes a moment to end a namespace, and its cables with it: the next row needs the names now.
        for (Host host : List.copyOf(plugged)) {
            unplug(host);
        }
        for (Host host : hosts) {
            run("ip netns del " + host.namespace());
        }
        run("nft delete table " + TABLE);
    }
}
