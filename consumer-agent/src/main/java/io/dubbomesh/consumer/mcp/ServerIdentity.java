package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.mcp.rpc.Revision;
import io.dubbomesh.runtime.json.Json;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Makes the results in which the server says what it is, and the members that all results of a revision have. */
final class ServerIdentity {
    private static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    private static final Map<String, ?> CAPABILITIES = Map.of("tools", Map.of());
    /** The file of tools is looked at every second; a client need not ask as often. */
    private static final long TTL_MS = 10_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<String, Object> server = new LinkedHashMap<>();

    ServerIdentity() {
        String version = ServerIdentity.class.getPackage().getImplementationVersion();
        server.put("name", "dubbo-mesh");
        server.put("version", version == null ? "development" : version);
    }

    /** Returns a result without members of its own. */
    Map<String, Object> result(boolean isModern) {
        Map<String, Object> result = new LinkedHashMap<>();
        if (isModern) {
            result.put("resultType", "complete");
            result.put("_meta", Map.of(SERVER_INFO, server));
        }
        return result;
    }

    /** Returns the members of {@link #result} as JSON, with a comma behind them. */
    String members(boolean isModern) {
        String result = Json.write(result(isModern));
        return isModern ? result.substring(1, result.length() - 1) + ',' : "";
    }

    /** @param instructions for the model; empty for none */
    Map<String, Object> discovered(String instructions, String scope) {
        Map<String, Object> result = result(true);
        result.put("supportedVersions", Revision.SUPPORTED);
        result.put("capabilities", CAPABILITIES);
        addInstructions(result, instructions);
        cacheFor(result, scope);
        return result;
    }

    /** Adds how long the result of a modern client may be used, and for whom. */
    static void cacheFor(Map<String, Object> result, String scope) {
        result.put("ttlMs", TTL_MS);
        result.put("cacheScope", scope);
    }

    /** @param requested the version that the client would like; null if it names none */
    Map<String, Object> initialized(String requested, String instructions) {
        Map<String, Object> result = result(false);
        result.put("protocolVersion", Revision.agreed(requested));
        result.put("capabilities", CAPABILITIES);
        result.put("serverInfo", server);
        addInstructions(result, instructions);
        return result;
    }

    /** Returns the header field that names a new session. Nothing is kept of it: it is hard to guess, as it is long. */
    static byte[] newSession() {
        byte[] name = new byte[16];
        RANDOM.nextBytes(name);
        return ("\r\nMcp-Session-Id: " + HexFormat.of().formatHex(name)).getBytes(US_ASCII);
    }

    private static void addInstructions(Map<String, Object> result, String instructions) {
        if (!instructions.isEmpty()) {
            result.put("instructions", instructions);
        }
    }
}
