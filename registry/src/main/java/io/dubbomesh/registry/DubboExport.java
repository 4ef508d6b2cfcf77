package io.dubbomesh.registry;

import java.util.Map;

/**
 * A service as a Dubbo provider exports it: what a registry of Dubbo tells beside the address, for whoever calls the
 * provider without an agent.
 *
 * @param variant       its version and group
 * @param application   the provider's name; empty if the registry does not tell it
 * @param revision      of the application's metadata, for registrations by instance; empty for those by interface
 * @param serialization those that the provider takes, by Dubbo's names for them, with commas between them and the
 *     preferred one first; empty for Dubbo's default, hessian2
 * @param token         what each call has to carry; empty for none. Never to be logged or shown
 * @param parameters    the other parameters of the registered URL, by which Dubbo's routing rules choose
 */
public record DubboExport(
        Variant variant,
        String application,
        String revision,
        String serialization,
        String token,
        Map<String, String> parameters) {
    /** In {@link #parameters}: how the provider speaks if that is not Dubbo's own protocol. */
    public static final String PROTOCOL = "protocol";

    public DubboExport {
        parameters = Map.copyOf(parameters);
    }

    /** The protocol, not spoken by the agents, by which alone the provider offers the service; null for Dubbo's own. */
    public String foreignProtocol() {
        return parameters.get(PROTOCOL);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return variant + ", application \"" + application + "\", revision \"" + revision + "\", serialization \""
                + serialization + "\"";
    }
}
