package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.ExportHints;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;
import io.netty.util.NetUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The services for which the registry lists the provider itself, or an agent of it: where Dubbo's providers register
 * too. The registry is read from the first question on, since most providers tell by themselves what they export.
 */
final class RegistryHints implements ExportHints {
    private static final long FIRST_DIRECTORY_MS = 3_000;

    private static final Logger LOG = LoggerFactory.getLogger(RegistryHints.class);

    private final String source;
    private final Registry registry;
    private final HostPort provider;
    private final String advertisedHost;
    private final CompletableFuture<Directory> first = new CompletableFuture<>();
    private volatile Directory newest;
    private boolean watched;

    /**
     * @param source         which registry it is, for operators
     * @param advertisedHost null if none is set
     */
    RegistryHints(String source, Registry registry, HostPort provider, String advertisedHost) {
        this.source = source;
        this.registry = registry;
        this.provider = provider;
        this.advertisedHost = advertisedHost;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public synchronized Set<ServiceKey> services() {
        if (!watched) {
            watched = true;
            registry.watch(directory -> {
                newest = directory;
                first.complete(directory);
            });
        }
        try {
            first.get(FIRST_DIRECTORY_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return Set.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Set.of();
        }
        return services(newest);
    }

    private Set<ServiceKey> services(Directory directory) {
        Set<ServiceKey> services = new LinkedHashSet<>();
        for (String service : directory.services()) {
            for (Endpoint endpoint : directory.endpoints(service)) {
                if (isProvider(endpoint)) {
                    endpoint.variants()
                            .forEach(variant ->
                                    services.add(new ServiceKey(service, variant.version(), variant.group())));
                }
            }
        }
        return services;
    }

    private boolean isProvider(Endpoint endpoint) {
        if (endpoint.isDirect()) {
            return endpoint.port() == provider.port() && isItsHost(endpoint.host());
        }
        if (endpoint.provider().isEmpty()) {
            return false;
        }
        HostPort named = HostPort.parse(endpoint.provider());
        return named.port() == provider.port() && isItsHost(named.host());
    }

    private boolean isItsHost(String host) {
        if (host.equals(provider.host()) || host.equals(advertisedHost)) {
            return true;
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            InetAddress registered = bytes == null ? null : InetAddress.getByAddress(bytes);
            for (InetAddress address : InetAddress.getAllByName(provider.host())) {
                boolean isHere = address.isLoopbackAddress();
                if (registered != null && (isHere ? isOfThisMachine(registered) : address.equals(registered))) {
                    return true;
                }
            }
        } catch (SocketException | UnknownHostException e) {
            LOG.debug("provider {}: {}", provider, e.getMessage());
        }
        return false;
    }

    private static boolean isOfThisMachine(InetAddress address) throws SocketException {
        return NetworkInterface.getByInetAddress(address) != null;
    }
}
