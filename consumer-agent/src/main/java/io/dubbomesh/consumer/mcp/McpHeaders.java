package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.http.HeaderTable;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.netty.buffer.ByteBuf;

import java.util.Base64;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The header fields in which a client repeats what stands in the body, for what is between them (revision 2026-07-28,
 * Streamable HTTP, "Request Metadata"). Belongs to a parser, and is reused from request to request.
 */
final class McpHeaders implements RequestFields {
    private static final String BASE64_BEGIN = "=?base64?";
    private static final String BASE64_END = "?=";
    /** The value of a field that is given twice: nothing equals it. */
    private static final String TWICE = "\0";

    private String version;
    private String method;
    private String name;
    private String session;

    /** Returns the fields of the request that this parser has read. */
    static McpHeaders of(HttpRequestParser request) {
        return (McpHeaders) CallReader.others(request);
    }

    @Override
    public void register(HeaderTable table) {
        table.add("mcp-protocol-version", (in, at, end) -> version = once(version, in, at, end));
        table.add("mcp-method", (in, at, end) -> method = once(method, in, at, end));
        table.add("mcp-session-id", (in, at, end) -> session = once(session, in, at, end));
        table.add("mcp-name", (in, at, end) -> name = once(name, in, at, end));
    }

    private static String once(String earlier, ByteBuf in, int at, int end) {
        return earlier != null ? TWICE : in.toString(at, end - at, US_ASCII);
    }

    @Override
    public void reset() {
        version = null;
        method = null;
        name = null;
        session = null;
    }

    /** Returns the session that the client says it has; null if it names none. */
    String session() {
        return session;
    }

    /** Returns the protocol version; null if the field is absent. */
    String version() {
        return version;
    }

    /** Returns the method of the message; null if the field is absent. */
    String method() {
        return method;
    }

    /** Returns the name of the tool, decoded; null if the field is absent. */
    String name() {
        boolean isEncoded = name != null
                && name.length() >= BASE64_BEGIN.length() + BASE64_END.length()
                && name.startsWith(BASE64_BEGIN)
                && name.endsWith(BASE64_END);
        if (!isEncoded) {
            return name;
        }
        try {
            String digits = name.substring(BASE64_BEGIN.length(), name.length() - BASE64_END.length());
            return new String(Base64.getDecoder().decode(digits), UTF_8);
        } catch (IllegalArgumentException e) {
            return TWICE;
        }
    }
}
