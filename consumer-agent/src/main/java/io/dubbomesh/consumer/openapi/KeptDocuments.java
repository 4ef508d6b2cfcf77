package io.dubbomesh.consumer.openapi;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The documents that were asked for lately, by all that they are made of, and which of them were made so lately that
 * the services need not be asked again. Used by all threads.
 */
final class KeptDocuments {
    /** The time in which services are not asked again. */
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(5);

    private static final int MAX_FRESH = 8;

    private record Fresh(String revision, long madeNs) {}

    private final long maxBytes;
    /** The documents by their revisions, the one that was asked for longest ago first. */
    private final Map<String, byte[]> documents = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<DocumentKey, Fresh> fresh = new LinkedHashMap<>();
    private long bytes;

    /** @param maxBytes of all documents that are kept */
    KeptDocuments(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the document of this revision; null if it is not kept. */
    synchronized byte[] find(String revision) {
        return documents.get(revision);
    }

    synchronized void keep(String revision, byte[] document) {
        if (document.length > maxBytes || documents.put(revision, document) != null) {
            return;
        }
        bytes += document.length;
        for (Iterator<byte[]> eldest = documents.values().iterator(); bytes > maxBytes; ) {
            bytes -= eldest.next().length;
            eldest.remove();
        }
    }

    /** Returns the document that was made for such a request a short while ago; null if there is none. */
    synchronized byte[] findFresh(DocumentKey key, long nowNs) {
        Fresh made = fresh.get(key);
        return made == null || nowNs - made.madeNs > FRESH_NS ? null : documents.get(made.revision);
    }

    /** Called when all services have described themselves, and the document of that is this one. */
    synchronized void refresh(DocumentKey key, String revision, long nowNs) {
        fresh.values().removeIf(made -> nowNs - made.madeNs > FRESH_NS);
        if (fresh.size() < MAX_FRESH) {
            fresh.put(key, new Fresh(revision, nowNs));
        }
    }
}
