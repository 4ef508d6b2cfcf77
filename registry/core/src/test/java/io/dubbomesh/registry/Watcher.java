package io.dubbomesh.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Records every directory it is called with; tests wait for one. */
public final class Watcher implements Consumer<Directory> {
    private final List<Directory> directories = new ArrayList<>();

    @Override
    public synchronized void accept(Directory directory) {
        directories.add(directory);
        notifyAll();
    }

    public synchronized List<Directory> all() {
        return List.copyOf(directories);
    }

    /** Waits until the newest directory is as expected. */
    public synchronized Directory await(Duration limit, Predicate<Directory> expected) throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (directories.isEmpty() || !expected.test(newest())) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                throw new AssertionError("within " + limit + " only " + directories);
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
        return newest();
    }

    /** Returns the directory that was delivered last. */
    public synchronized Directory newest() {
        return directories.get(directories.size() - 1);
    }

    /** Waits until the service has exactly these, each as {@code host:port*weight}. */
    public void awaitEndpoints(Duration limit, String service, String... endpoints) throws InterruptedException {
        await(limit, directory -> List.of(endpoints).equals(texts(directory, service)));
    }

    public static List<String> texts(Directory directory, String service) {
        List<Endpoint> endpoints = directory.endpoints(service);
        return endpoints == null
                ? null
                : endpoints.stream()
                        .map(endpoint -> endpoint.address() + '*' + endpoint.weight())
                        .toList();
    }
}
