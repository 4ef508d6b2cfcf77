package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Ascii;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The origins whose pages may call the agent from a browser (CORS, in the Fetch standard), with the header fields that
 * say so. What a client sends is compared with them and never sent back.
 */
public final class AllowedOrigins {
    private static final String ANY = "*";
    private static final Pattern ORIGIN =
            Pattern.compile("[a-z][a-z0-9+.-]*://([a-z0-9_.-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");
    private static final Pattern DEFAULT_PORT = Pattern.compile("https://.*:443|http://.*:80");
    /**
     * All that calls take, which AllowedOriginsTest checks, for browsers that do not know the *; that does not stand
     * for authorization.
     */
    private static final String REQUEST_FIELDS =
            "accept, authorization, content-type, user-agent, x-request-timeout, x-dubbo-version, x-dubbo-group,"
                    + " x-dubbo-parameter-types, x-dubbo-attachments, x-dubbo-oneway, x-dubbo-class-names,"
                    + " x-mesh-timing, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, traceparent,"
                    + " tracestate, baggage, *";

    /**
     * @param name       null for any
     * @param answer     header fields of an answer to a request of this origin
     * @param preflight  those of an answer to the question whether there may be such a request
     */
    record Origin(ByteBuf name, byte[] answer, byte[] preflight) {
        static Origin of(String name) {
            // Attachments of results have names of their own.
            String allowed = "\r\nAccess-Control-Allow-Origin: " + name + "\r\nVary: Origin";
            return new Origin(
                    name.equals(ANY) ? null : Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(name, US_ASCII)),
                    Ascii.bytes(allowed + "\r\nAccess-Control-Expose-Headers: *"),
                    Ascii.bytes(allowed + "\r\nAccess-Control-Allow-Methods: GET, HEAD, POST"
                            + "\r\nAccess-Control-Allow-Headers: " + REQUEST_FIELDS
                            + "\r\nAccess-Control-Max-Age: 600"));
        }
    }

    private final List<Origin> origins;
    private final boolean refusesOthers;

    private AllowedOrigins(List<Origin> origins, boolean refusesOthers) {
        this.origins = origins;
        this.refusesOthers = refusesOthers;
    }

    /**
     * Reads a list with commas between origins, or {@code *} for any.
     *
     * @return null for an empty list: browsers' questions are not answered
     * @throws IllegalArgumentException if one is not an origin
     */
    public static AllowedOrigins parse(String list) {
        List<Origin> allowed = new ArrayList<>();
        for (String origin : list.split(",")) {
            String name = origin.strip();
            if (!name.isEmpty()) {
                if (!ORIGIN.matcher(name).matches() && !list.strip().equals(ANY)) {
                    throw new IllegalArgumentException(
                            list + " (expected: * alone, or origins such as https://app.example:8443, in lower case)");
                }
                if (DEFAULT_PORT.matcher(name).matches()) {
                    throw new IllegalArgumentException(
                            list + " (expected: no :443 behind https and no :80 behind http, as browsers send none)");
                }
                allowed.add(Origin.of(name));
            }
        }
        return allowed.isEmpty() ? null : new AllowedOrigins(allowed, false);
    }

    /**
     * Returns the same, with requests of all other pages refused.
     *
     * @param allowed null for none
     */
    public static AllowedOrigins alone(AllowedOrigins allowed) {
        return new AllowedOrigins(allowed == null ? List.of() : allowed.origins, true);
    }

    /** Returns whether a request of another page is refused; else it is only not to be read by the page. */
    boolean refusesOthers() {
        return refusesOthers;
    }

    /** Returns null if this is none of them. */
    Origin find(ByteBuf in, int at, int end) {
        for (Origin origin : origins) {
            if (origin.name == null
                    || origin.name.readableBytes() == end - at
                            && ByteBufUtil.equals(origin.name, 0, in, at, end - at)) {
                return origin;
            }
        }
        return null;
    }
}
