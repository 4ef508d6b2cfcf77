package io.dubbomesh.registry;

import java.util.Map;

/**
 * A call as {@link RoutingRules} see it.
 *
 * @param attachments of those that the rules ask for
 */
public record RoutedCall(
        String service,
        String version,
        String group,
        String method,
        Map<String, String> attachments,
        RoutedConsumer consumer) {
    public RoutedCall {
        attachments = Map.copyOf(attachments);
    }

    public RoutedCall withAttachments(Map<String, String> others) {
        return new RoutedCall(service, version, group, method, others, consumer);
    }
}
