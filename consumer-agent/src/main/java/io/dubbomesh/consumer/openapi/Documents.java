package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.schema.SchemaForms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes OpenAPI documents on a thread of its own, which ends when there is nothing to do, and keeps those that were
 * asked for lately. Their key is all that they are made of, so that a changed description makes another document.
 */
public final class Documents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Documents.class);
    private static final int WAITING = 64;
    private static final int IDLE_S = 10;
    private static final long MAX_KEPT = Runtime.getRuntime().maxMemory() / 16;
    /** A larger document is compressed. */
    private static final int MAX_PLAIN = (int) Math.min(1 << 20, MAX_KEPT / 16);

    private final OpenApiSettings settings;
    private final ThreadPoolExecutor thread;
    private final KeptDocuments kept = new KeptDocuments(MAX_KEPT);

    public Documents(OpenApiSettings settings) {
        this.settings = settings;
        thread = new ThreadPoolExecutor(1, 1, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), task -> {
            Thread made = new Thread(task, "openapi");
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /** Returns the document that was made for such a request a short while ago; null if there is none. */
    Document findFresh(DocumentKey key, long nowNs) {
        return kept.findFresh(key, nowNs);
    }

    private boolean execute(Runnable task) {
        try {
            thread.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /**
     * Makes the document of services.
     *
     * @param services as they have described themselves now
     * @param made gets the document on another thread; null if it cannot be made
     * @return false if too many are to be made
     */
    boolean make(DocumentKey key, Collection<Described> services, Consumer<Document> made) {
        List<Described> sorted = new ArrayList<>(services);
        sorted.sort(Comparator.comparing(service -> service.name().service()));
        return execute(() -> made.accept(document(key, sorted)));
    }

    /** An error, as for want of memory, must not leave those without an answer who wait for the document. */
    private Document document(DocumentKey key, List<Described> services) {
        try {
            ServiceTexts texts = settings.texts();
            String revision = revision(services, key.forms(), texts);
            Document document = kept.find(revision);
            if (document == null) {
                document = write(key, services, texts, revision);
                kept.keep(revision, document);
            }
            if (services.stream().allMatch(service -> service.document() != null)) {
                kept.refresh(key, revision, System.nanoTime());
            }
            return document;
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("the OpenAPI document of {} services could not be made", services.size(), e);
            return null;
        }
    }

    private Document write(DocumentKey key, List<Described> services, ServiceTexts texts, String revision)
            throws IOException {
        try (Document.Output out = new Document.Output(MAX_PLAIN)) {
            new OpenApiDocument(settings, key.forms(), texts).write(services, revision, out);
            return out.document();
        }
    }

    private static String revision(List<Described> services, SchemaForms forms, ServiceTexts texts) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
        digest.update((byte) forms.ordinal());
        digest.update(texts.revision().getBytes(UTF_8));
        for (Described service : services) {
            digest.update((service.name() + "\n" + service.reason() + "\n").getBytes(UTF_8));
            if (service.document() != null) {
                digest.update(service.document());
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        settings.file().close();
    }
}
