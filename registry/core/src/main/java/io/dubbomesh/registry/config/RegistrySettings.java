package io.dubbomesh.registry.config;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.ZoneName;
import io.dubbomesh.runtime.ShownUri;
import io.dubbomesh.runtime.settings.Settings;

/** Reads the settings {@code registry}, {@code etcd.url}, {@code metadata} and {@code zone}, which both agents have. */
public final class RegistrySettings {
    private RegistrySettings() {}

    /**
     * Returns {@code registry}, or {@code etcd.url}, which is another way to write one that is etcd; fit for {@link
     * RegistryUri#open}.
     */
    public static String uri(Settings settings) {
        String registry = settings.text("registry");
        String etcdUrl = settings.text("etcd.url");
        if (etcdUrl.isEmpty()) {
            return checked(settings, "registry");
        }
        if (settings.isSet("registry") && !withoutScheme(registry).equals(withoutScheme(etcdUrl))) {
            return settings.parse(
                    "etcd.url",
                    url -> {
                        throw new IllegalArgumentException(ShownUri.of(url)
                                + " (expected: the same as registry, which is " + ShownUri.of(registry)
                                + ", or one of them alone)");
                    },
                    "");
        }
        return checked(settings, "etcd.url");
    }

    /**
     * {@code metadata}: the registry with metadata reports if that is another one than the {@linkplain #uri registry},
     * fit for {@link RegistryUri#open}; empty for the registry itself, null for none.
     */
    public static String metadata(Settings settings) {
        String key = "metadata";
        if (settings.text(key).isBlank()) {
            return "";
        }
        if (settings.text(key).strip().equalsIgnoreCase("none")) {
            return null;
        }
        return settings.parse(
                key,
                uri -> {
                    try (Registry registry = RegistryUri.openToCheck(uri)) {
                        if (registry.metadataReports().isEmpty()) {
                            throw new IllegalArgumentException(
                                    ShownUri.of(uri)
                                            + " (expected: a registry with Dubbo's metadata reports, as zookeeper://host:2181; or none)");
                        }
                    }
                    return uri;
                },
                "");
    }

    /** Returns {@code zone}: where the agent is; empty for none. */
    public static String zone(Settings settings) {
        return settings.parse("zone", text -> ZoneName.checked(text.strip()), "");
    }

    private static String checked(Settings settings, String key) {
        return settings.parse(
                key,
                uri -> {
                    RegistryUri.openToCheck(uri).close();
                    return uri;
                },
                "");
    }

    private static String withoutScheme(String url) {
        int scheme = url.indexOf("://");
        return scheme < 0 ? url : url.substring(scheme + 3);
    }
}
