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
    static final long FRESH_NS = TimeUnit.SECONDS.toNanos(5);

    static final int MAX_FRESH = 8;

    private record Fresh(String revision, long madeNs) {}

    private final long maxBytes;
    /** The documents by their revisions, the one that was asked for longest ago first. */
    private final Map<String, Document> documents = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<DocumentKey, Fresh> fresh = new LinkedHashMap<>();
    private long bytes;

    /** @param maxBytes of all documents as they are kept */
    KeptDocuments(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the document of this revision; null if it is not kept. */
    synchronized Document find(String revision) {
        return documents.get(revision);
    }

    synchronized void keep(String revision, Document document) {
        if (document.bytes().length > maxBytes || documents.putIfAbsent(revision, document) != null) {
            return;
        }
        bytes += document.bytes().length;
        for (Iterator<Document> eldest = documents.values().iterator(); bytes > maxBytes; ) {
            bytes -= eldest.next().bytes().length;
            eldest.remove();
        }
    }

    /** Returns the document that was made for such a request a short while ago; null if there is none. */
    synchronized Document findFresh(DocumentKey key, long nowNs) {
        Fresh made = fresh.get(key);
        return made == null || nowNs - made.madeNs > FRESH_NS ? null : documents.get(made.revision);
    }

    /** Called when all services have described themselves, and the document of that is this one. */
    synchronized void refresh(DocumentKey key, String revision, long nowNs) {
        fresh.values().removeIf(made -> nowNs - made.madeNs > FRESH_NS);
        if (fresh.size() < MAX_FRESH || fresh.containsKey(key)) {
            fresh.put(key, new Fresh(revision, nowNs));
        }
    }
}
