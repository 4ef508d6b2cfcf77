package io.dubbomesh.registry.dns;

import io.dubbomesh.registry.address.ReachableAddress;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.resolver.HostsFileEntriesProvider;
import io.netty.util.NetUtil;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the addresses behind the name of a {@link DnsUri}: of its SRV records if it has no port, otherwise of its A
 * records, or of its AAAA records if there are none of A. A name or target with both is one machine reached in two
 * ways, which must not get twice its share.
 */
final class DnsLookup {
    private static final long HOSTS_FILE_SECONDS = 5;

    private final DnsUri uri;
    private final DnsClient client;

    /**
     * The result of a look-up, ordered by address and each once.
     *
     * @param ttlSeconds how long it holds; 0 if nothing was found
     */
    record Found(List<DnsAddress> addresses, long ttlSeconds) {}

    DnsLookup(DnsUri uri, DnsClient client) {
        this.uri = uri;
        this.client = client;
    }

    /** Fails as {@link DnsClient#ask} does. */
    CompletableFuture<Found> run() {
        if (NetUtil.createByteArrayFromIpAddressString(uri.name()) != null) {
            return CompletableFuture.completedFuture(found(List.of(uri.name()), Long.MAX_VALUE));
        }
        if (uri.port() == 0) {
            return client.ask(uri.name(), DnsRecordType.SRV).thenCompose(this::targets);
        }
        List<String> hosts = uri.server() == null ? hostsFile() : List.of();
        return hosts.isEmpty()
                ? addresses(uri.name()).thenApply(answer -> found(answer.addresses(), answer.ttlSeconds()))
                : CompletableFuture.completedFuture(found(hosts, HOSTS_FILE_SECONDS));
    }

    private List<String> hostsFile() {
        HostsFileEntriesProvider entries = HostsFileEntriesProvider.parser().parseSilently();
        String name = uri.name().toLowerCase(Locale.ROOT);
        List<InetAddress> addresses =
                entries.ipv4Entries().getOrDefault(name, entries.ipv6Entries().getOrDefault(name, List.of()));
        return addresses.stream().map(NetUtil::toAddressString).toList();
    }

    private CompletableFuture<DnsAnswer> addresses(String name) {
        return client.ask(name, DnsRecordType.A)
                .thenCompose(answer -> answer.isEmpty()
                        ? client.ask(name, DnsRecordType.AAAA)
                        : CompletableFuture.completedFuture(answer));
    }

    private Found found(List<String> hosts, long ttlSeconds) {
        List<DnsAddress> addresses = new ArrayList<>();
        hosts.forEach(host -> addresses.add(new DnsAddress(host, uri.port(), -1)));
        return new Found(usable(addresses), ttlSeconds);
    }

    private CompletableFuture<Found> targets(DnsAnswer answer) {
        int priority = answer.services().stream()
                .mapToInt(DnsAnswer.Service::priority)
                .min()
                .orElse(0);
        List<DnsAnswer.Service> services = answer.services().stream()
                .filter(service -> service.priority() == priority
                        && service.port() > 0
                        && !service.target().equals("."))
                .toList();
        boolean weighted =
                services.stream().mapToInt(DnsAnswer.Service::weight).distinct().count() > 1;
        return new Targets(answer, services, weighted).next(0, answer.ttlSeconds());
    }

    /** One target after the other, of those whose addresses did not come with the SRV records. */
    private final class Targets {
        private final DnsAnswer answer;
        private final List<DnsAnswer.Service> services;
        private final boolean weighted;
        private final List<DnsAddress> addresses = new ArrayList<>();

        Targets(DnsAnswer answer, List<DnsAnswer.Service> services, boolean weighted) {
            this.answer = answer;
            this.services = services;
            this.weighted = weighted;
        }

        CompletableFuture<Found> next(int from, long ttlSeconds) {
            for (int i = from; i < services.size(); i++) {
                DnsAnswer.Service service = services.get(i);
                List<String> hosts = answer.additional().get(service.target());
                if (hosts == null) {
                    int following = i + 1;
                    return addresses(service.target()).thenCompose(found -> {
                        add(service, found.addresses());
                        return next(following, found.isEmpty() ? ttlSeconds : Math.min(ttlSeconds, found.ttlSeconds()));
                    });
                }
                add(service, hosts);
            }
            return CompletableFuture.completedFuture(new Found(usable(addresses), ttlSeconds));
        }

        private void add(DnsAnswer.Service service, List<String> hosts) {
            int weight = weighted ? Math.max(1, service.weight()) : -1;
            hosts.forEach(host -> addresses.add(new DnsAddress(host, service.port(), weight)));
        }
    }

    private static List<DnsAddress> usable(List<DnsAddress> addresses) {
        Map<String, DnsAddress> usable = new TreeMap<>();
        addresses.stream()
                .filter(address -> isReachable(address.host()))
                .forEach(address -> usable.putIfAbsent(address.text(), address));
        return List.copyOf(usable.values());
    }

    private static boolean isReachable(String host) {
        try {
            ReachableAddress.checkedHost(host);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
