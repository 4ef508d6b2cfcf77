package io.dubbomesh.consumer;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.RegistryKind;
import io.dubbomesh.registry.dubbo.DubboInstance;
import io.dubbomesh.registry.dubbo.DubboInstances;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A registry of Dubbo's, {@code scripted://NAME}, that holds what a test puts. */
public final class ScriptedRegistry implements RegistryKind {
    private static final String PREFIX = "scripted://";
    private static final Map<String, Content> OPENED = new ConcurrentHashMap<>();

    /** Made by ServiceLoader. */
    public ScriptedRegistry() {}

    /** The content of the registry. */
    static final class Content {
        /** The tests that have rules of consumers are of this one. */
        private final DubboProviders providers = new DubboProviders("shop");

        private CompletableFuture<String> metadata = new CompletableFuture<>();
        private final DubboInstances instances = new DubboInstances(
                providers,
                (application, revision, service) -> metadata,
                (application, revision, service) -> metadata,
                () -> {});

        private Consumer<Directory> listener = directory -> {};

        synchronized void register(String service, int port, String parameters) {
            String url = "dubbo://127.0.0.1:" + port + '/' + service + "?application=greeter&" + parameters;
            providers.put(service, URLEncoder.encode(url, UTF_8), 0);
            deliver();
        }

        synchronized void unregister(String service, int port, String parameters) {
            String url = "dubbo://127.0.0.1:" + port + '/' + service + "?application=greeter&" + parameters;
            providers.remove(service, URLEncoder.encode(url, UTF_8), 0);
            deliver();
        }

        /** An instance of the application {@code late}, whose exports are not known until they are set. */
        synchronized void registerInstance(int port) {
            instances.put(
                    "late",
                    new DubboInstance("late", "127.0.0.1", port, true, Map.of("dubbo.metadata.revision", "r1")));
            instances.ask(System.nanoTime());
            deliver();
        }

        /** An instance of the application {@code pages} that speaks a protocol that no agent calls. */
        synchronized void registerForeignInstance(int port) {
            instances.put(
                    "pages",
                    new DubboInstance(
                            "pages",
                            "127.0.0.1",
                            port,
                            true,
                            Map.of(
                                    "dubbo.metadata.revision",
                                    "r1",
                                    "dubbo.metadata-service.url-params",
                                    "{\"port\":\"" + port + "\",\"protocol\":\"rest\"}",
                                    "dubbo.endpoints",
                                    "[{\"port\":" + port + ",\"protocol\":\"rest\"}]")));
            instances.ask(System.nanoTime());
            deliver();
        }

        /** @param exports JSON, or why it is not known */
        synchronized void answer(String exports, String failure) {
            if (failure == null) {
                metadata.complete(exports);
            } else {
                metadata.completeExceptionally(new IOException(failure));
            }
            metadata = new CompletableFuture<>();
            instances.ask(System.nanoTime());
            deliver();
        }

        synchronized void put(String key, String text) {
            providers.putDocument(key, text, 0);
            deliver();
        }

        synchronized void remove(String key) {
            providers.removeDocument(key);
            deliver();
        }

        private synchronized void watch(Consumer<Directory> watcher) {
            listener = watcher;
            deliver();
        }

        private void deliver() {
            listener.accept(providers.directory());
        }
    }

    static Content content(String name) {
        return OPENED.computeIfAbsent(name, absent -> new Content());
    }

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public String form() {
        return PREFIX + "NAME";
    }

    @Override
    public Registry open(String uri, Duration lease, MetadataSource metadata) {
        Content content = content(uri.substring(PREFIX.length()));
        return new Registry() {
            @Override
            public void watch(Consumer<Directory> listener) {
                content.watch(listener);
            }

            @Override
            public boolean registers() {
                return false;
            }

            @Override
            public Registration registration(RegistrationRequest request) {
                throw new IllegalArgumentException(uri);
            }

            @Override
            public long ageNs() {
                return 0;
            }

            @Override
            public void changeWeight(Collection<String> services, HostPort endpoint, int weight) {}

            @Override
            public void close() {}
        };
    }
}
