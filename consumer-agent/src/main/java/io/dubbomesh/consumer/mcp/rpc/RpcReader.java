package io.dubbomesh.consumer.mcp.rpc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.value.JsonValues;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads a message of JSON-RPC 2.0 (jsonrpc.org/specification), strictly: a member that is given twice would be another
 * one for the next reader. Batches are refused, as MCP has had none since revision 2025-06-18.
 */
public final class RpcReader {
    public static final String VERSION = "io.modelcontextprotocol/protocolVersion";
    public static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    private static final int MAX_SHOWN = 64;

    private final JsonParser json;
    private final ByteBuf in;
    private final int offset;

    private JsonSlice id;
    private String version;
    private String method;
    private boolean hasParams;
    private String toolName;
    private Map<String, JsonSlice> arguments;
    private String cursor;
    private String protocolVersion;
    private String initialVersion;
    private JsonSlice cancelled;
    private boolean hasCapabilities;

    private RpcReader(JsonParser json, ByteBuf in, int offset) {
        this.json = json;
        this.in = in;
        this.offset = offset;
    }

    /**
     * Reads the message {@code in[offset, offset + length)}.
     *
     * @throws RpcException if it is none
     */
    public static RpcRequest read(ByteBuf in, int offset, int length) throws RpcException {
        RpcReader reader = null;
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            reader = new RpcReader(json, in, offset);
            return reader.message();
        } catch (JsonProcessingException e) {
            throw RpcException.of(
                    reader == null ? null : reader.id, RpcException.PARSE_ERROR, "malformed JSON: " + reason(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String reason(JsonProcessingException e) {
        String message = e.getOriginalMessage();
        int detail = message.indexOf(" (");
        return detail < 0 ? message : message.substring(0, detail);
    }

    private RpcRequest message() throws IOException, RpcException {
        if (json.nextToken() == JsonToken.START_ARRAY) {
            throw invalid("a batch (expected: one message)");
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw invalid("not an object (expected: a message of JSON-RPC 2.0)");
        }
        Set<String> members = new HashSet<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            requireOnce(members, name);
            json.nextToken();
            member(name);
        }
        if (json.nextToken() != null) {
            throw invalid("more than one JSON value (expected: one message)");
        }
        if (!"2.0".equals(version)) {
            throw invalid("jsonrpc (expected: \"2.0\")");
        }
        if (method == null) {
            throw invalid("no method (expected: a request or a notification)");
        }
        return new RpcRequest(
                id, method, toolName, arguments, cursor, protocolVersion, initialVersion, cancelled, hasCapabilities);
    }

    private void member(String name) throws IOException, RpcException {
        switch (name) {
            case "jsonrpc" -> version = text("jsonrpc");
            case "id" -> id = id();
            case "method" -> method = text("method");
            case "params" -> params();
            default -> json.skipChildren();
        }
    }

    private JsonSlice id() throws IOException, RpcException {
        if (!isId()) {
            throw invalid("id (expected: a text or a whole number)");
        }
        return value();
    }

    private boolean isId() {
        return json.currentToken() == JsonToken.VALUE_STRING || json.currentToken() == JsonToken.VALUE_NUMBER_INT;
    }

    private JsonSlice skipped() throws IOException {
        json.skipChildren();
        return null;
    }

    private void params() throws IOException, RpcException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw invalid("params (expected: an object)");
        }
        hasParams = true;
        Set<String> members = new HashSet<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            requireOnce(members, name);
            json.nextToken();
            switch (name) {
                case "name" -> toolName = text("params.name");
                case "arguments" -> arguments = arguments();
                case "cursor" -> cursor = text("params.cursor");
                case "protocolVersion" -> initialVersion = text("params.protocolVersion");
                case "requestId" -> cancelled = isId() ? value() : skipped();
                case "_meta" -> meta();
                default -> json.skipChildren();
            }
        }
    }

    private void meta() throws IOException, RpcException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw invalidParams("params._meta (expected: an object)");
        }
        Set<String> members = new HashSet<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            requireOnce(members, name);
            json.nextToken();
            if (name.equals(VERSION)) {
                protocolVersion = text(VERSION);
            } else if (name.equals(CAPABILITIES)) {
                if (json.currentToken() != JsonToken.START_OBJECT) {
                    throw invalidParams(CAPABILITIES + " (expected: an object)");
                }
                hasCapabilities = true;
                json.skipChildren();
            } else {
                json.skipChildren();
            }
        }
    }

    private Map<String, JsonSlice> arguments() throws IOException, RpcException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw invalidParams("params.arguments (expected: an object)");
        }
        Map<String, JsonSlice> read = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            if (read.put(name, value()) != null) {
                throw invalidParams(given(name) + " is given twice");
            }
        }
        return read;
    }

    /** Returns the current value as it stands in the message, and goes to its last token. */
    private JsonSlice value() throws IOException {
        int begin = offset + (int) json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        // The parser reads the text of a value when it is asked for, or has to go on.
        json.finishToken();
        int end = offset + (int) json.currentLocation().getByteOffset();
        return new JsonSlice(in, begin, end - begin);
    }

    private String text(String member) throws IOException, RpcException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw hasParams ? invalidParams(member + " (expected: a text)") : invalid(member + " (expected: a text)");
        }
        return json.getText();
    }

    private void requireOnce(Set<String> members, String name) throws RpcException {
        if (!members.add(name)) {
            throw invalid(given(name) + " is given twice");
        }
    }

    private static String given(String name) {
        return Quoted.plain(name, MAX_SHOWN);
    }

    private RpcException invalid(String detail) {
        return RpcException.of(id, RpcException.INVALID_REQUEST, "Invalid Request: " + detail);
    }

    private RpcException invalidParams(String detail) {
        return RpcException.of(id, RpcException.INVALID_PARAMS, "Invalid params: " + detail);
    }
}
