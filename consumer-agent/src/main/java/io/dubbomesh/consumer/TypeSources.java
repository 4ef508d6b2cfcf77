package io.dubbomesh.consumer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBufInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Where the types of services are known from, as the last description of each has told. Used by all event loops.
 */
final class TypeSources {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_SERVICES = 10_000;

    private final Map<String, String> sources = new ConcurrentHashMap<>();
    private final AtomicInteger revision = new AtomicInteger();

    /** Returns another number than before if a source has changed. */
    int revision() {
        return revision.get();
    }

    /** Returns null if the service was not described yet. */
    String of(String service) {
        return sources.get(service);
    }

    /** Called when a request for the description of a service was answered. */
    void described(String service, Response response) {
        if (response.outcome() != Outcome.OK || sources.size() >= MAX_SERVICES) {
            return;
        }
        String source = source(response);
        if (source != null && !source.equals(sources.put(service, source))) {
            revision.incrementAndGet();
        }
    }

    /** Forgets the services that are not registered any more. */
    void retain(Predicate<String> isRegistered) {
        if (sources.keySet().removeIf(service -> !isRegistered.test(service))) {
            revision.incrementAndGet();
        }
    }

    /** Returns the member that is one of the first of a description; null if there is none. */
    private static String source(Response response) {
        try (InputStream bytes = new ByteBufInputStream(response.in().slice(response.offset(), response.length()));
                JsonParser json = JSON.createParser(bytes)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                String value = json.nextTextValue();
                if (name.equals("source") || value == null) {
                    return value;
                }
            }
            return null;
        } catch (IOException e) {
            return null;
        }
    }
}
