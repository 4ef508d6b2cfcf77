package io.dubbomesh.runtime.admin;

import java.util.regex.Pattern;

/** The field Host of a request. */
final class HostField {
    private static final Pattern ADDRESS =
            Pattern.compile("(\\[[0-9a-f:.]+(%[^]]*)?]|[0-9.]+|localhost)(:[0-9]*)?", Pattern.CASE_INSENSITIVE);

    private HostField() {}

    /** Returns whether it is no name that others could have made to point here; null is none. */
    static boolean isAddress(String host) {
        return host != null && ADDRESS.matcher(host.strip()).matches();
    }
}
