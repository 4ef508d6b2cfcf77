package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The time-outs that the providers of a pool have registered for the methods of their service, as Dubbo's own consumers
 * take them: of the method, else of the service, else of the provider. Where providers differ, the longest counts, as
 * the deadline is set before one of them is chosen. Immutable.
 */
public final class ProviderTimeouts {
    public static final ProviderTimeouts NONE = new ProviderTimeouts(0, Map.of());

    private final long serviceMs;
    private final Map<String, Long> methodsMs;

    private ProviderTimeouts(long serviceMs, Map<String, Long> methodsMs) {
        this.serviceMs = serviceMs;
        this.methodsMs = methodsMs;
    }

    /** Returns the timeouts of the endpoints that have any. */
    public static ProviderTimeouts of(List<Endpoint> endpoints, String version, String group) {
        Set<Map<String, String>> distinct = new HashSet<>();
        for (Endpoint endpoint : endpoints) {
            for (DubboExport export : endpoint.exports()) {
                if (export.variant().isAskedForBy(version, group)
                        && !export.timeouts().isEmpty()) {
                    distinct.add(export.timeouts());
                }
            }
            endpoint.timeouts().forEach((variant, timeouts) -> {
                if (variant.isAskedForBy(version, group)) {
                    distinct.add(timeouts);
                }
            });
        }
        if (distinct.isEmpty()) {
            return NONE;
        }
        long longestMs = 0;
        Map<String, Long> methodsMs = new HashMap<>();
        for (Map<String, String> each : distinct) {
            long ofServiceMs = serviceMs(each);
            longestMs = Math.max(longestMs, ofServiceMs);
            for (String name : each.keySet()) {
                if (name.endsWith(DubboExport.METHOD_TIMEOUT) && !name.equals(DubboExport.DEFAULT_TIMEOUT)) {
                    methodsMs.put(name.substring(0, name.length() - DubboExport.METHOD_TIMEOUT.length()), 0L);
                }
            }
        }
        for (Map<String, String> each : distinct) {
            long ofServiceMs = serviceMs(each);
            methodsMs.replaceAll((method, ms) -> {
                long ofMethodMs = millis(each.get(method + DubboExport.METHOD_TIMEOUT));
                return Math.max(ms, ofMethodMs > 0 ? ofMethodMs : ofServiceMs);
            });
        }
        return new ProviderTimeouts(longestMs, Map.copyOf(methodsMs));
    }

    private static long serviceMs(Map<String, String> timeouts) {
        long ofServiceMs = millis(timeouts.get(DubboExport.TIMEOUT));
        return ofServiceMs > 0 ? ofServiceMs : millis(timeouts.get(DubboExport.DEFAULT_TIMEOUT));
    }

    /** Returns 0 if it is none. */
    private static long millis(String text) {
        try {
            return text == null ? 0 : Math.max(0, Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Returns 0 if no provider has one for this method. */
    public long timeoutMs(String method) {
        if (methodsMs.isEmpty()) {
            return serviceMs;
        }
        Long ofMethodMs = methodsMs.get(method);
        return ofMethodMs == null ? serviceMs : ofMethodMs;
    }
}
