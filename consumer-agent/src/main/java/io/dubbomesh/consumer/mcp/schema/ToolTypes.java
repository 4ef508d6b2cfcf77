package io.dubbomesh.consumer.mcp.schema;

import io.dubbomesh.client.method.ServiceDescription;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.mcp.tool.ToolSet;
import io.dubbomesh.consumer.openapi.Described;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.runtime.json.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What is known of the types of the tools of one file, as the documents that describe them. A description that has not
 * changed makes no other documents; one that cannot be had leaves those that there are. One thread at a time takes
 * descriptions, any thread reads.
 */
public final class ToolTypes {
    private static final Logger LOG = LoggerFactory.getLogger(ToolTypes.class);
    /** The time for which a service is not asked again, whether it was described or not. */
    static final long FRESH_MS = 10_000;

    /** The bytes of all documents: providers decide how long their types are. */
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 32;

    private final ToolSet tools;
    private final Map<MethodName, List<Tool>> byService = new LinkedHashMap<>();
    private final Map<MethodName, Known> known = new ConcurrentHashMap<>();
    private final Map<String, byte[]> documents = new ConcurrentHashMap<>();
    private long bytes;

    /** @param revision of the description; null if there was none */
    private record Known(byte[] revision, long askedNs) {}

    public ToolTypes(ToolSet tools) {
        this.tools = tools;
        for (Tool tool : tools.tools()) {
            byService
                    .computeIfAbsent(serviceOf(tool), service -> new ArrayList<>())
                    .add(tool);
            put(tool, null);
        }
    }

    public ToolSet tools() {
        return tools;
    }

    private static MethodName serviceOf(Tool tool) {
        MethodName method = tool.method();
        return new MethodName(method.service(), MethodName.DESCRIBE, "", method.version(), method.group());
    }

    /**
     * Returns the services of which a description should be asked for now. Those of which none has been asked for come
     * first: there may not be time for all.
     */
    public List<MethodName> stale(long nowNs) {
        List<MethodName> stale = new ArrayList<>();
        List<MethodName> asked = new ArrayList<>();
        for (MethodName service : byService.keySet()) {
            Known before = known.get(service);
            if (before == null) {
                stale.add(service);
            } else if (nowNs - before.askedNs() > TimeUnit.MILLISECONDS.toNanos(FRESH_MS)) {
                asked.add(service);
            }
        }
        stale.addAll(asked);
        return stale;
    }

    /** Takes what services have answered. */
    public void take(List<Described> answers, long nowNs) {
        for (Described answer : answers) {
            Known before = known.get(answer.name());
            byte[] revision = before == null ? null : before.revision();
            byte[] now = answer.document() == null ? revision : digest(answer.document());
            if (!Arrays.equals(now, revision)) {
                describe(answer);
            }
            known.put(answer.name(), new Known(now, nowNs));
        }
    }

    private static byte[] digest(byte[] description) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(description);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    private void describe(Described answer) {
        try {
            ServiceDefinition service =
                    ServiceDescription.read(answer.document()).definition();
            byService.getOrDefault(answer.name(), List.of()).forEach(tool -> describe(tool, service));
        } catch (IOException | RuntimeException | StackOverflowError e) {
            LOG.warn("no schemas for the tools of {}: its description cannot be understood", answer.name(), e);
        }
    }

    private void describe(Tool tool, ServiceDefinition service) {
        try {
            put(tool, service);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.warn("no schemas for the tool {}: its types cannot be described", tool.name(), e);
        }
    }

    /** @param service null if nothing is known of it */
    private void put(Tool tool, ServiceDefinition service) {
        byte[] document;
        try {
            document = Json.write(ToolDocument.of(tool, service)).getBytes(UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] before = documents.get(tool.name());
        int more = document.length - (before == null ? 0 : before.length);
        if (before != null && bytes + more > MOST_BYTES) {
            LOG.info("no schemas for the tool {}: those of all would have more than {} bytes", tool.name(), MOST_BYTES);
            return;
        }
        bytes += more;
        documents.put(tool.name(), document);
    }

    /** Returns the document of a tool: JSON. */
    public byte[] document(Tool tool) {
        return documents.get(tool.name());
    }
}
