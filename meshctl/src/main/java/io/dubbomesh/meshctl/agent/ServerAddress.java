package io.dubbomesh.meshctl.agent;

import io.dubbomesh.runtime.HostPort;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** An address as an operator types it: a URL, or host and port, which mean HTTP. */
public final class ServerAddress {
    private static final String HTTP = "http";
    private static final String AFTER_SCHEME = "://";
    private static final int MAX_PORT = 65_535;

    private ServerAddress() {}

    /**
     * Reads the admin ports of agents, by comma.
     *
     * @throws IllegalArgumentException naming the text that is none, and what was expected
     */
    public static List<URI> admins(String text) {
        List<URI> admins = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            admins.add(parse(each.strip(), Set.of(HTTP), "host:port or http://host:port, as 127.0.0.1:20001"));
        }
        return admins;
    }

    /** Reads where a consumer agent takes requests; throws as {@link #admins}. */
    public static URI front(String text) {
        return parse(
                text.strip(),
                Set.of(HTTP, "https"),
                "host:port, http://host:port or https://host:port, as 127.0.0.1:20000");
    }

    private static URI parse(String text, Set<String> schemes, String expected) {
        try {
            URI uri = new URI(text.contains(AFTER_SCHEME) ? text : HTTP + AFTER_SCHEME + HostPort.parse(text));
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            boolean isPort = uri.getPort() == -1 || uri.getPort() > 0 && uri.getPort() <= MAX_PORT;
            if (uri.getHost() != null && schemes.contains(scheme) && isPort) {
                // Without a path: what is asked for has its own.
                return new URI(scheme + AFTER_SCHEME + uri.getRawAuthority());
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // It has another form, as those that are refused below.
        }
        throw new IllegalArgumentException(
                (text.isEmpty() ? "an empty address" : text) + " (expected: " + expected + ")");
    }
}
