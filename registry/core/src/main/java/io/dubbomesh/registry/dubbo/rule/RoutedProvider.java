package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.runtime.HostPort;

import java.util.Map;
import java.util.Set;

/**
 * A provider as rules see it: the parameters that it registered for one version and group of a service.
 *
 * @param export null of a provider agent, of which nothing but the address is known
 */
public record RoutedProvider(String service, HostPort address, DubboExport export) {
    static final String TAG = "dubbo.tag";
    /** Parameters of a registered URL that the agents do not keep. */
    private static final Set<String> NOT_KEPT = Set.of(
            "anyhost",
            "background",
            "bind.ip",
            "bind.port",
            "category",
            "default.token",
            "deprecated",
            "dynamic",
            "executor-management-mode",
            "file-cache",
            "generic",
            "ipv6",
            "method",
            "methods",
            "pid",
            "qos.accept.foreign.ip",
            "qos.enable",
            "qos.host",
            "qos.port",
            "register-mode",
            "service-name-mapping",
            "token");

    /** Returns whether {@link #value} can tell a parameter that was registered. */
    static boolean isKept(String name) {
        return !NOT_KEPT.contains(name);
    }

    /** Returns the endpoint as a call finds it: with what it registered for the version and group that is asked for. */
    static RoutedProvider of(Endpoint endpoint, RoutedCall call) {
        DubboExport asked = null;
        for (DubboExport export : endpoint.exports()) {
            if (asked == null || export.variant().isAskedForBy(call.version(), call.group())) {
                asked = export;
                if (export.variant().isAskedForBy(call.version(), call.group())) {
                    break;
                }
            }
        }
        return new RoutedProvider(call.service(), addressOf(endpoint), asked);
    }

    /** Returns the address; for a provider agent that of its provider, as far as it is known. */
    private static HostPort addressOf(Endpoint endpoint) {
        return endpoint.provider().isEmpty()
                ? new HostPort(endpoint.host(), endpoint.port())
                : HostPort.parse(endpoint.provider());
    }

    /** Returns a parameter of the registered URL, or a part of the URL; null if it is not there. */
    public String value(String name) {
        switch (name) {
            case "host":
                return address.host();
            case "port":
                return Integer.toString(address.port());
            case "address":
                return address.toString();
            default:
                return export == null ? null : registered(name);
        }
    }

    private String registered(String name) {
        Map<String, String> parameters = export.parameters();
        return switch (name) {
            case "protocol" -> parameters.getOrDefault("protocol", "dubbo");
            case "path" -> parameters.getOrDefault("path", service);
            case "interface" -> service;
            case "side" -> "provider";
            case "application" -> nullIfEmpty(export.application());
            case "version" -> nullIfEmpty(export.variant().version());
            case "group" -> nullIfEmpty(export.variant().group());
            default -> parameters.get(name);
        };
    }

    /** Returns the tag that it registered itself with; empty for none. */
    String tag() {
        String tag = value(TAG);
        return tag == null ? "" : tag;
    }

    static String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
