package io.dubbomesh.runtime.admin;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;

/**
 * A request at the admin port, which has come whole.
 *
 * @param headers the first field of each name, whose case does not count
 * @param body    no more of it than {@link AdminConnection#MAX_BODY} and one byte
 * @param client  who sent it
 */
public record PageRequest(String method, URI uri, Map<String, String> headers, byte[] body, InetSocketAddress client) {
    /** Returns null if there is no such field. */
    public String header(String name) {
        return headers.get(name);
    }
}
