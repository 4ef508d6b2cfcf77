package io.dubbomesh.registry.config;

import io.dubbomesh.runtime.settings.Settings;

/** Reads the settings {@code registry} and {@code etcd.url}, which both agents have. */
public final class RegistrySettings {
    private RegistrySettings() {}

    /** {@code registry}, or {@code etcd.url}, which is another way to write one that is etcd; fit for {@link RegistryUri#open}. */
    public static String uri(Settings settings) {
        String registry = settings.text("registry");
        String etcdUrl = settings.text("etcd.url");
        if (etcdUrl.isEmpty()) {
            return checked(settings, "registry");
        }
        if (settings.isSet("registry") && !withoutScheme(registry).equals(withoutScheme(etcdUrl))) {
            settings.reject("etcd.url", "the same as registry, which is " + registry + ", or one of them alone");
        }
        return checked(settings, "etcd.url");
    }

    private static String checked(Settings settings, String key) {
        return settings.parse(
                key,
                uri -> {
                    RegistryUri.open(uri).close();
                    return uri;
                },
                "");
    }

    private static String withoutScheme(String url) {
        int scheme = url.indexOf("://");
        return scheme < 0 ? url : url.substring(scheme + 3);
    }
}
