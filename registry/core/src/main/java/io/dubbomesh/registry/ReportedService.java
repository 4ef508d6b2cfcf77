package io.dubbomesh.registry;

import java.net.URLEncoder;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A service under which an application of Dubbo reports its definition, and the names that Dubbo gives such an entry.
 *
 * @param application that exports it; empty if it is not known
 */
public record ReportedService(String service, Variant variant, String application) {
    private static final String SIDE = "provider";

    /**
     * Returns the path of the applications' entries, in registries whose keys are paths, below the root: {@code
     * metadata/a.Greeter/1.0/group/provider}, without the version or the group that is empty. An entry has the
     * application's name, {@code .../provider/APPLICATION}.
     */
    public String folder() {
        StringBuilder path = new StringBuilder("metadata/").append(URLEncoder.encode(service, UTF_8));
        for (String part : new String[] {variant.version(), variant.group(), SIDE}) {
            if (!part.isEmpty()) {
                path.append('/').append(part);
            }
        }
        return path.toString();
    }

    /**
     * Returns the key in registries whose keys are flat, such as Nacos: {@code
     * a.Greeter:1.0:group:provider:APPLICATION}.
     */
    public String key() {
        return String.join(":", service, variant.version(), variant.group(), SIDE, application);
    }
}
