package io.dubbomesh.registry;

import io.dubbomesh.registry.address.EndpointProtocol;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A service as a Dubbo provider exports it: what a registry of Dubbo tells beside the address, for callers of the
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
    /** The key in {@link #parameters} of the provider's protocol, if that is not Dubbo's own. */
    public static final String PROTOCOL = "protocol";

    /**
     * The key in {@link #parameters} of the other addresses at which the same process offers the service by a protocol
     * that is not used, as {@code host:port} with commas between them: an agent of the provider may name one of them.
     */
    public static final String ALSO_AT = "dubbomesh.also-at";

    /** The key in {@link #parameters} of the timeout of the service's calls, in milliseconds. */
    public static final String TIMEOUT = "timeout";
    /** The same of all services of the provider, in Dubbo 2. */
    public static final String DEFAULT_TIMEOUT = "default.timeout";
    /** The same of one method, whose name is in front. */
    public static final String METHOD_TIMEOUT = ".timeout";

    /** The key in {@link #parameters} of whether the provider is called with TLS. */
    public static final String TLS = "ssl-enabled";

    public DubboExport {
        parameters = Map.copyOf(parameters);
    }

    /** Returns whether a parameter is a time-out of calls. */
    public static boolean isTimeout(String parameter) {
        return parameter.equals(TIMEOUT) || parameter.endsWith(METHOD_TIMEOUT);
    }

    /** Returns those of the {@link #parameters} that are timeouts of calls. */
    public Map<String, String> timeouts() {
        Map<String, String> timeouts = Map.of();
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            if (isTimeout(parameter.getKey())) {
                timeouts = timeouts.isEmpty() ? new HashMap<>() : timeouts;
                timeouts.put(parameter.getKey(), parameter.getValue());
            }
        }
        return timeouts;
    }

    /** Returns the same with other time-outs, for those of these names. */
    public DubboExport withTimeouts(Map<String, String> changed) {
        if (parameters.entrySet().containsAll(changed.entrySet())) {
            return this;
        }
        Map<String, String> all = new HashMap<>(parameters);
        all.putAll(changed);
        return new DubboExport(variant, application, revision, serialization, token, all);
    }

    /** Returns whether the provider registers that it is called with TLS. */
    public boolean registersTls() {
        return Boolean.parseBoolean(parameters.get(TLS));
    }

    /** Returns the same with the other {@link #ALSO_AT addresses}. */
    public DubboExport withOtherAddresses(String addresses) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put(ALSO_AT, addresses);
        return new DubboExport(variant, application, revision, serialization, token, all);
    }

    /** Returns whether the process of the provider listens at other addresses as well. */
    public boolean hasOtherAddresses() {
        return parameters.containsKey(ALSO_AT);
    }

    /** Returns whether the process of the provider listens at another address, {@code host:port}, as well. */
    public boolean isAlsoAt(String address) {
        return hasOtherAddresses()
                && List.of(parameters.get(ALSO_AT).split(",")).contains(address);
    }

    /** Returns the protocol by which the provider is called. */
    public EndpointProtocol protocol() {
        return EndpointProtocol.of(parameters.get(PROTOCOL));
    }

    /** Returns the text without the token. */
    @Override
    public String toString() {
        return variant + ", application \"" + application + "\", revision \"" + revision + "\", serialization \""
                + serialization + "\"";
    }
}
