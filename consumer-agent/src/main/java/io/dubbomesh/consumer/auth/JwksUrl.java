package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.ShownUri;
import io.dubbomesh.runtime.SocketFailure;
import io.netty.util.concurrent.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A JWK set at a URL, fetched now and then, and soon when a key is missing. What was fetched last holds until something
 * better comes. Fetches on one thread, which may block.
 */
final class JwksUrl {
    private static final Logger LOG = LoggerFactory.getLogger(JwksUrl.class);
    private static final long REFRESH_NS = TimeUnit.MINUTES.toNanos(5);
    private static final int CONNECT_MS = 3000;
    private static final int READ_MS = 3000;
    private static final int CHUNK = 8 << 10;

    private final URI uri;
    private final Consumer<String> taker;
    private final long pauseNs;
    private final long limitNs;
    private final Ticker ticker;
    private long triedNs;
    private long fetchedNs;
    private String text = "";
    private String problem = "";
    private volatile boolean loaded;
    private volatile boolean wanted = true;

    /**
     * @param taker   takes what has changed; throws IllegalArgumentException for a text that is no JWK set
     * @param pauseMs between two attempts, however many keys are missing
     * @param limitMs of an attempt, from the connect to the last byte
     * @param ticker  the time between attempts
     */
    JwksUrl(URI uri, Consumer<String> taker, long pauseMs, long limitMs, Ticker ticker) {
        this.uri = uri;
        this.taker = taker;
        limitNs = TimeUnit.MILLISECONDS.toNanos(limitMs);
        pauseNs = TimeUnit.MILLISECONDS.toNanos(pauseMs);
        this.ticker = ticker;
        triedNs = ticker.nanoTime() - pauseNs;
    }

    /**
     * Called when a key is missing. For any thread; costs nothing but a write.
     */
    void want() {
        wanted = true;
    }

    /** Returns whether there are keys. */
    boolean isLoaded() {
        return loaded;
    }

    /** Fetches it, if it is time to. */
    void fetchIfDue() {
        long nowNs = ticker.nanoTime();
        boolean due = wanted || !loaded || !problem.isEmpty() || nowNs - fetchedNs > REFRESH_NS;
        if (!due || nowNs - triedNs < pauseNs) {
            return;
        }
        wanted = false;
        try {
            String fetched = fetch();
            if (!fetched.equals(text)) {
                taker.accept(fetched);
                text = fetched;
                LOG.info("{}: fetched", JwtSettings.JWKS);
            }
            loaded = true;
            problem = "";
            fetchedNs = ticker.nanoTime();
        } catch (IOException | RuntimeException e) {
            String found = JwtSettings.JWKS + ": " + ShownUri.of(uri.toString()) + ": " + SocketFailure.reason(e);
            if (!found.equals(problem)) {
                problem = found;
                if (loaded) {
                    LOG.warn("{}; what was read before holds", problem);
                } else {
                    LOG.warn("{}; no JWT can be verified yet", problem);
                }
            }
        }
        triedNs = ticker.nanoTime();
    }

    private String fetch() throws IOException {
        long startNs = System.nanoTime();
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(READ_MS);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        try {
            int status = status(connection);
            if (status != HttpURLConnection.HTTP_OK) {
                throw new IllegalArgumentException("status " + status + " (expected: 200)");
            }
            try (InputStream in = connection.getInputStream()) {
                return read(in, startNs);
            }
        } catch (IOException e) {
            checkTime(startNs);
            throw e;
        } finally {
            connection.disconnect();
        }
    }

    /** Returns the status. The timeouts of the connection are for each byte of the head; this ends it as a whole. */
    private int status(HttpURLConnection connection) throws IOException {
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                connection::disconnect, CompletableFuture.delayedExecutor(limitNs, TimeUnit.NANOSECONDS));
        try {
            return connection.getResponseCode();
        } finally {
            end.cancel(false);
        }
    }

    private String read(InputStream in, long startNs) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK];
        int count;
        while ((count = in.read(chunk)) >= 0) {
            all.write(chunk, 0, count);
            if (all.size() > SigningKeys.MAX_BYTES) {
                throw new IllegalArgumentException("larger than " + (SigningKeys.MAX_BYTES >> 10) + " KiB");
            }
            checkTime(startNs);
        }
        return all.toString(UTF_8);
    }

    private void checkTime(long startNs) {
        if (System.nanoTime() - startNs >= limitNs) {
            throw new IllegalArgumentException("not there after " + TimeUnit.NANOSECONDS.toMillis(limitNs) + " ms");
        }
    }
}
