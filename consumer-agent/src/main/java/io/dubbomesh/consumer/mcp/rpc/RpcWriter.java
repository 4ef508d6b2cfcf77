package io.dubbomesh.consumer.mcp.rpc;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.runtime.json.Json;
import io.netty.buffer.ByteBuf;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes the answers of JSON-RPC 2.0. */
public final class RpcWriter {
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

    private RpcWriter() {}

    /** Appends an answer up to its result, which is for the caller to write. */
    public static void beginResult(ByteBuf out, JsonSlice id) {
        ascii(out, "{\"jsonrpc\":\"2.0\",\"id\":");
        id.writeTo(out);
        ascii(out, ",\"result\":");
    }

    public static void endResult(ByteBuf out) {
        out.writeByte('}');
    }

    /** Appends a whole answer. */
    public static void error(ByteBuf out, RpcException error) {
        ascii(out, "{\"jsonrpc\":\"2.0\"");
        // MCP has no null here: what has no id leaves it out.
        if (error.id() != null) {
            ascii(out, ",\"id\":");
            error.id().writeTo(out);
        }
        ascii(out, ",\"error\":{\"code\":" + error.code() + ",\"message\":");
        JsonText.writeString(out, error.getMessage());
        if (error.requestedVersion() != null) {
            Map<String, ?> data =
                    Map.of("supported", List.copyOf(Revision.SUPPORTED), "requested", error.requestedVersion());
            ascii(out, ",\"data\":");
            out.writeBytes(Json.write(data).getBytes(UTF_8));
        }
        ascii(out, "}}");
    }

    /** Appends the UTF-8 text {@code in[at, at + length)} as a JSON string. */
    public static void string(ByteBuf out, ByteBuf in, int at, int length) {
        out.writeByte('"');
        int end = at + length;
        int copied = at;
        for (int i = at; i < end; i++) {
            byte b = in.getByte(i);
            if (b == '"' || b == '\\' || b >= 0 && b < ' ') {
                out.writeBytes(in, copied, i - copied);
                copied = i + 1;
                if (b == '"' || b == '\\') {
                    out.writeByte('\\').writeByte(b);
                } else {
                    ascii(out, "\\u00");
                    out.writeByte(HEX[b >> 4]).writeByte(HEX[b & 0xf]);
                }
            }
        }
        out.writeBytes(in, copied, end - copied);
        out.writeByte('"');
    }

    public static void ascii(ByteBuf out, String text) {
        JsonText.writeAscii(out, text);
    }
}
