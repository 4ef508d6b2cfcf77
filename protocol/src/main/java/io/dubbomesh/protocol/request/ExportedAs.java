package io.dubbomesh.protocol.request;

/**
 * The names under which a provider exports a service, as far as its callers must know them.
 *
 * @param path the name by which the provider finds the service; null for that of its interface. Dubbo's
 *     {@code ServiceConfig.path}, behind the protocol's {@code contextpath}
 * @param token that each call has to carry; null for none. Never to be logged or shown
 * @param validates whether the provider refuses arguments that violate constraints
 */
public record ExportedAs(String path, String token, boolean validates) {
    /** An export under the name of the interface, without a token and validation. */
    public static final ExportedAs INTERFACE = new ExportedAs(null, null);

    /** Makes an export whose provider does not validate arguments. */
    public ExportedAs(String path, String token) {
        this(path, token, false);
    }

    /** Returns the name by which the provider finds the service. */
    public String pathOr(String interfaceName) {
        return path == null ? interfaceName : path;
    }

    /** Returns the text without the token. */
    @Override
    public String toString() {
        return path == null ? "interface" : "path " + path;
    }
}
