package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutingRules;
import io.netty.buffer.ByteBuf;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The calls of a service variant that a pool is for, where the registry's rules tell calls apart: those that the rules
 * treat like the first one. Belongs to one event loop.
 */
final class PoolRouting {
    private final RoutedCall example;
    /** Null if the service has none. */
    private RoutingRules rules;
    /** Null without rules. */
    private String selection;

    private boolean asksForAttachments;
    /** Null if the rules leave an endpoint. */
    private String emptiedBy;

    /** @param example the first call */
    PoolRouting(RoutedCall example) {
        this.example = example;
    }

    /** Takes other rules. Returns whether they are others than before. */
    boolean update(RoutingRules now) {
        if (rules == now) {
            return false;
        }
        rules = now;
        selection = now == null ? null : now.selection(example);
        asksForAttachments = now != null && !now.attachments().isEmpty();
        return true;
    }

    boolean isBy(RoutingRules others) {
        return rules == others;
    }

    /** @param selected null without rules */
    boolean isFor(String selected) {
        return Objects.equals(selection, selected);
    }

    boolean isLike(PoolRouting other) {
        return rules == other.rules && isFor(other.selection);
    }

    /** Returns whether a call with attachments may belong to another pool of the variant. */
    boolean asksForAttachments() {
        return asksForAttachments;
    }

    /** Returns whether a call with these attachments may belong to another pool. */
    boolean dependsOnAny(ByteBuf attachments) {
        return rules != null && !select(attachments, rules.attachments()).isEmpty();
    }

    /**
     * Returns those of the serving endpoints to which calls may go. Those without a weight do not count where others
     * have one.
     */
    List<Endpoint> route(List<Endpoint> serving) {
        emptiedBy = null;
        if (rules == null) {
            return serving;
        }
        List<Endpoint> used =
                serving.stream().filter(endpoint -> endpoint.weight() > 0).toList();
        RoutingRules.Routed routed = rules.route(used.isEmpty() ? serving : used, example);
        emptiedBy = routed.emptiedBy();
        return routed.endpoints();
    }

    /** Returns the rule that left no endpoint; null if there are some, or none was there before. */
    String emptiedBy() {
        return emptiedBy;
    }

    /** Returns the attachments with these names. */
    static Map<String, String> select(ByteBuf attachments, Set<String> names) {
        if (!attachments.isReadable() || names.isEmpty()) {
            return Map.of();
        }
        Map<String, String> selected = new HashMap<>();
        try {
            Attachments.forEach(
                    attachments,
                    attachments.readerIndex(),
                    attachments.readableBytes(),
                    (block, keyOffset, keyLength, valueOffset, valueLength) -> {
                        String name = block.toString(keyOffset, keyLength, UTF_8);
                        if (names.contains(name)) {
                            selected.put(name, block.toString(valueOffset, valueLength, UTF_8));
                        }
                    });
        } catch (CallException e) {
            throw new AssertionError("a block that was written here", e);
        }
        return selected;
    }
}
