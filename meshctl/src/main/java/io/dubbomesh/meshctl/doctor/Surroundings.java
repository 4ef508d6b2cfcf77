package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Checks what an agent needs around it, as this machine sees it. */
final class Surroundings {
    private static final int CONNECT_TIMEOUT_MS = 3000;
    private static final int ETCD_PORT = 2379;
    private static final int NACOS_PORT = 8848;
    private static final int ZOOKEEPER_PORT = 2181;
    /** The comma between two registries, not one between the servers or services of one. */
    private static final Pattern NEXT_REGISTRY = Pattern.compile(",(?=[a-z][a-z+]*://|file:/)");

    private static final String STATIC = "static:";
    private static final String FILE = "file:";
    private static final String DNS = "dns://";

    private Surroundings() {}

    /**
     * @param adminHost the host at which the agent's admin port was reached
     * @param registry  the URI in the agent's settings
     */
    static List<Finding> checkRegistry(String adminHost, String registry) {
        if (registry.startsWith(STATIC)) {
            // Its addresses may begin as registries do, and it is the only one.
            return List.of(Finding.ok("registry " + registry + ": a fixed list"));
        }
        AgentMachine machine = new AgentMachine(adminHost);
        List<Finding> findings = new ArrayList<>();
        for (String one : NEXT_REGISTRY.split(registry)) {
            findings.addAll(checkOne(machine, one));
        }
        return findings;
    }

    private static List<Finding> checkOne(AgentMachine machine, String registry) {
        if (registry.startsWith(FILE)) {
            return List.of(checkFolder(machine, registry));
        }
        if (registry.startsWith(DNS)) {
            return List.of(checkName(registry));
        }
        String servers = registry.replaceFirst("^[^:]*://([^/?]*).*", "$1");
        if (registry.startsWith("nacos:")) {
            return checkServers(machine, "Nacos", servers, NACOS_PORT);
        }
        if (registry.startsWith("zookeeper:")) {
            return checkServers(machine, "ZooKeeper", servers, ZOOKEEPER_PORT);
        }
        return checkServers(machine, "etcd", servers, ETCD_PORT);
    }

    private static List<Finding> checkServers(AgentMachine machine, String kind, String servers, int defaultPort) {
        List<Finding> findings = new ArrayList<>();
        for (String server : servers.split(",")) {
            HostPort address = HostPort.parse(server, defaultPort);
            String whyNot = machine.unreachableReason(address.host());
            findings.add(
                    whyNot == null ? checkServer(kind, address) : Finding.ok("registry " + address + ": " + whyNot));
        }
        return findings;
    }

    private static Finding checkFolder(AgentMachine machine, String registry) {
        Path folder = Path.of(registry.substring(FILE.length()));
        String whyNot = machine.unreachableReason(folder);
        if (whyNot != null) {
            return Finding.ok("registry " + registry + ": " + whyNot);
        }
        return Files.isDirectory(folder) && Files.isReadable(folder)
                ? Finding.ok("registry " + registry + ": can be read")
                : Finding.fail(
                        "registry " + registry + " is no directory that can be read here",
                        "start a provider agent with this registry, which makes it, or correct its permissions");
    }

    private static Finding checkServer(String kind, HostPort address) {
        String failure = failure(address);
        return failure == null
                ? Finding.ok("registry " + address + ": can be reached")
                : Finding.fail(
                        "registry " + address + " cannot be reached from here: " + failure,
                        "start " + kind + " there, or correct the setting registry; until then agents use the endpoints"
                                + " that they know");
    }

    /**
     * SRV records and the option {@code server} are for the agent alone: Java looks up addresses with what the system
     * has.
     */
    private static Finding checkName(String registry) {
        String authority = registry.substring(DNS.length(), registry.indexOf('/', DNS.length()));
        if (authority.indexOf(':') < 0 || registry.contains("server=")) {
            return Finding.ok("registry " + registry + ": asked by the agent only, see what it has found: meshctl ls");
        }
        String name = HostPort.parse(authority).host();
        try {
            return Finding.ok("registry " + registry + ": " + InetAddress.getAllByName(name).length + " addresses");
        } catch (UnknownHostException e) {
            return Finding.fail(
                    "registry " + registry + ": " + name + " is not known here",
                    "start a provider behind that name, or correct it; until then agents use the endpoints that they know");
        }
    }

    /**
     * @param adminHost the host at which the agent's admin port was reached
     * @param listening the address on which the agent listens
     */
    static Finding checkPort(String adminHost, String listening) {
        HostPort address = HostPort.parse(listening);
        HostPort reached = isWildcard(address.host()) ? new HostPort(adminHost, address.port()) : address;
        String failure = failure(reached);
        return failure == null
                ? Finding.ok("port " + reached + ": can be reached")
                : Finding.warn(
                        "port " + reached + " cannot be reached from here: " + failure,
                        "if its clients are elsewhere, set server.host; look for a firewall");
    }

    private static boolean isWildcard(String host) {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns why no connection can be opened; null if one can. */
    private static String failure(HostPort address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_TIMEOUT_MS);
            return null;
        } catch (UnknownHostException e) {
            return "unknown host";
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}
