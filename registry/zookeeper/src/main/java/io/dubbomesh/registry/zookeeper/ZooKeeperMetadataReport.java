package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperSession;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The entries that applications have written of their services below {@code /dubbo/metadata}. Its session is opened by
 * the first question, and another one after a question that was not answered.
 */
final class ZooKeeperMetadataReport implements MetadataReport, AutoCloseable {
    private final Ensemble ensemble;
    private final String root;
    private final ZooKeeperTimes times;
    /** Null as long as nothing has been asked. */
    private ZooKeeper client;

    private boolean closed;

    ZooKeeperMetadataReport(Ensemble ensemble, String root, ZooKeeperTimes times) {
        this.ensemble = ensemble;
        this.root = root;
        this.times = times;
    }

    @Override
    public String definition(ReportedService service, long timeoutMs) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        String folder = root + '/' + service.folder();
        String application = service.application();
        if (application.isEmpty()) {
            List<String> applications = children(folder, deadlineNs);
            if (applications == null || applications.size() != 1) {
                return null;
            }
            application = applications.get(0);
        }
        return text(value(folder + '/' + application, deadlineNs));
    }

    @Override
    public String applicationMetadata(String application, String revision, long timeoutMs) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        return text(value(root + "/metadata/" + application + '/' + revision, deadlineNs));
    }

    private static String text(byte[] value) throws IOException {
        if (value != null && value.length > MAX_BYTES) {
            throw new IOException(value.length + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        return value == null || value.length == 0 ? null : new String(value, UTF_8);
    }

    private List<String> children(String path, long deadlineNs) throws IOException {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        return ask(
                answer,
                zooKeeper -> zooKeeper.getChildren(
                        path, false, (code, where, context, names) -> answered(answer, code, names), null),
                deadlineNs);
    }

    private byte[] value(String path, long deadlineNs) throws IOException {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        return ask(
                answer,
                zooKeeper -> zooKeeper.getData(
                        path, false, (code, where, context, bytes, stat) -> answered(answer, code, bytes), null),
                deadlineNs);
    }

    private static <T> void answered(CompletableFuture<T> answer, int code, T value) {
        KeeperException.Code result = KeeperException.Code.get(code);
        if (result == KeeperException.Code.OK || result == KeeperException.Code.NONODE) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(new IOException("ZooKeeper answered " + result));
        }
    }

    private <T> T ask(CompletableFuture<T> answer, Consumer<ZooKeeper> question, long deadlineNs) throws IOException {
        ZooKeeper asked = client();
        question.accept(asked);
        try {
            return answer.get(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            drop(asked);
            throw new IOException("ZooKeeper " + ensemble + " did not answer", e);
        } catch (ExecutionException e) {
            drop(asked);
            throw new IOException(e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private synchronized ZooKeeper client() throws IOException {
        if (closed) {
            throw new IOException("the registry is closed");
        }
        if (client == null) {
            try {
                client = ensemble.connect(ensemble.user(), times.sessionMs(), event -> {});
            } catch (ZooKeeperFailure e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        return client;
    }

    private synchronized void drop(ZooKeeper asked) {
        if (client == asked) {
            client = null;
        }
        ZooKeeperSession.close(asked);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (client != null) {
            ZooKeeperSession.close(client);
            client = null;
        }
    }
}
