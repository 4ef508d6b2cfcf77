package io.dubbomesh.registry;

/** A version and group of a service; empty for none, and {@code 0.0.0} means no version, as in Dubbo. */
public record Variant(String version, String group) {
    public static final Variant NONE = new Variant("", "");

    private static final String NO_VERSION = "0.0.0";

    public Variant {
        if (version.equals(NO_VERSION)) {
            version = "";
        }
    }
}
