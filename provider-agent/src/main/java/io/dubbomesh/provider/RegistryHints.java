package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.ExportHints;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;
import io.netty.util.NetUtil;

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
 * The services for which the registry lists the provider itself, or an agent of it: where Dubbo's providers register too. The registry is read from the first
 * question on, since most providers tell by themselves what they export.
 */
final class RegistryHints implements ExportHints {
    private static final long FIRST_DIRECTORY_MS = 3_000;

    private final Registry registry;
    private final HostPort provider;
    private final String advertisedHost;
    private final CompletableFuture<Directory> first = new CompletableFuture<>();
    private volatile Directory newest;
    private boolean watched;

    /** @param advertisedHost null if none is set */
    RegistryHints(Registry registry, HostPort provider, String advertisedHost) {
        this.registry = registry;
        this.provider = provider;
        this.advertisedHost = advertisedHost;
    }

    @Override
    public String source() {
        return "the registry";
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
        return isHere(provider.host()) && isHere(host);
    }

    private static boolean isHere(String host) {
        byte[] bytes =
                host.equals("localhost") ? new byte[] {127, 0, 0, 1} : NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return bytes != null && NetworkInterface.getByInetAddress(InetAddress.getByAddress(bytes)) != null;
        } catch (SocketException | UnknownHostException e) {
            return false;
        }
    }
}
