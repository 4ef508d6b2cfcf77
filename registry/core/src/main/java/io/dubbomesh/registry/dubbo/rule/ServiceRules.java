package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutingRules;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rules that concern one service, applied in the order of Dubbo 3: tags, conditions of the service, of the
 * providers' application, of the consumer's application, and those of Dubbo 2.6. A rule that leaves no provider ends
 * it.
 *
 * @param tag           of the providers' application; null for none
 * @param tags          with which providers registered themselves
 * @param ofService     by the version and group of calls that they are for
 * @param ofProviders   of the providers' application; null for none
 * @param ofConsumers   by the application of the caller
 * @param legacy        as {@code ofService}, where a variant may be several
 * @param attachments   that any of them goes by
 */
public record ServiceRules(
        TagRule tag,
        Set<String> tags,
        Map<Variant, ConditionRule> ofService,
        ConditionRule ofProviders,
        Map<String, ConditionRule> ofConsumers,
        List<ForVariant> legacy,
        Set<String> attachments)
        implements RoutingRules {
    private static final String FORCE_TAG = "dubbo.force.tag";

    /** A rule for calls of a version and group, or of several; see {@link Variant#isAskedForBy}. */
    public record ForVariant(Variant variant, ConditionRule rule) {}

    public ServiceRules {
        tags = Set.copyOf(tags);
        ofService = Map.copyOf(ofService);
        ofConsumers = Map.copyOf(ofConsumers);
        legacy = List.copyOf(legacy);
        attachments = Set.copyOf(attachments);
    }

    /** Makes rules without {@code attachments}, which follow from the rest. */
    public static ServiceRules of(
            TagRule tag,
            Set<String> tags,
            Map<Variant, ConditionRule> ofService,
            ConditionRule ofProviders,
            Map<String, ConditionRule> ofConsumers,
            List<ForVariant> legacy) {
        Set<String> names = new HashSet<>(Set.of(RoutedProvider.TAG, FORCE_TAG));
        List<ConditionRule> rules = new ArrayList<>(ofService.values());
        rules.addAll(ofConsumers.values());
        legacy.forEach(each -> rules.add(each.rule()));
        add(rules, ofProviders);
        rules.forEach(rule -> rule.conditions().forEach(condition -> names.addAll(condition.attachments())));
        return new ServiceRules(tag, tags, ofService, ofProviders, ofConsumers, legacy, names);
    }

    @Override
    public String selection(RoutedCall call) {
        StringBuilder selection = new StringBuilder();
        conditionRules(call).forEach(rule -> rule.select(call, selection));
        String wanted = tagOf(call);
        if (wanted.isEmpty()) {
            return selection.toString();
        }
        boolean forced = isForced(call);
        Set<String> known = knownTags();
        // Clients may invent tags, which must not be told apart.
        return selection
                .append(forced ? '!' : '=')
                .append(known.contains(wanted) ? '=' + wanted : knownPart(known, wanted))
                .toString();
    }

    private Set<String> knownTags() {
        Set<String> known = new HashSet<>(tags);
        if (tag != null) {
            known.addAll(tag.tags().keySet());
        }
        return known;
    }

    private static String knownPart(Set<String> known, String wanted) {
        StringBuilder levels = new StringBuilder();
        TagRule.parts(known, wanted).forEach(part -> levels.append('|').append(part));
        return levels.toString();
    }

    @Override
    public Routed route(List<Endpoint> serving, RoutedCall call) {
        List<RoutedProvider> all = new ArrayList<>();
        serving.forEach(endpoint -> all.add(RoutedProvider.of(endpoint, call)));
        StringBuilder emptiedBy = new StringBuilder();
        List<RoutedProvider> left = byTag(all, call, emptiedBy);
        for (ConditionRule rule : conditionRules(call)) {
            if (left.isEmpty()) {
                break;
            }
            left = rule.route(left, call, emptiedBy);
        }
        if (left.isEmpty()) {
            return new Routed(List.of(), serving.isEmpty() ? null : PrintableText.of(emptiedBy.toString()));
        }
        Set<RoutedProvider> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        kept.addAll(left);
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (kept.contains(all.get(i))) {
                endpoints.add(serving.get(i));
            }
        }
        return new Routed(endpoints, null);
    }

    private List<ConditionRule> conditionRules(RoutedCall call) {
        List<ConditionRule> rules = new ArrayList<>();
        add(rules, ofService.get(new Variant(call.version(), call.group())));
        add(rules, ofProviders);
        add(rules, ofConsumers.get(call.consumer().application()));
        for (ForVariant each : legacy) {
            if (new Variant(call.version(), call.group())
                    .isAskedForBy(each.variant().version(), each.variant().group())) {
                rules.add(each.rule());
            }
        }
        return rules;
    }

    private static void add(List<ConditionRule> rules, ConditionRule rule) {
        if (rule != null) {
            rules.add(rule);
        }
    }

    private static String tagOf(RoutedCall call) {
        String own = call.attachments().getOrDefault(RoutedProvider.TAG, "");
        return own.isEmpty() ? call.consumer().tag() : own;
    }

    private static boolean isForced(RoutedCall call) {
        String own = call.attachments().get(FORCE_TAG);
        return own == null ? call.consumer().forceTag() : Boolean.parseBoolean(own);
    }

    private List<RoutedProvider> byTag(List<RoutedProvider> all, RoutedCall call, StringBuilder emptiedBy) {
        String wanted = tagOf(call);
        boolean ruled = tag != null && tag.isInForce();
        Map<String, Set<String>> addresses = ruled ? tag.addresses(all) : Map.of();
        Set<String> tagged = new HashSet<>();
        addresses.values().forEach(tagged::addAll);
        if (!wanted.isEmpty()) {
            boolean forced = isForced(call);
            Set<String> ofTag = TagRule.addressesOf(addresses, wanted, forced);
            Predicate<HostPort> isOfTag = ofTag == null ? null : TagRule.anyOf(ofTag);
            List<RoutedProvider> left = all.stream()
                    .filter(provider ->
                            ofTag == null ? provider.tag().equals(wanted) : isOfTag.test(provider.address()))
                    .toList();
            boolean decided = !left.isEmpty() || forced || ofTag != null && tag.force();
            if (decided) {
                explain(left, emptiedBy, named(wanted), ruled);
                return left;
            }
        }
        Predicate<HostPort> isTagged = TagRule.anyOf(tagged);
        List<RoutedProvider> untagged = all.stream()
                .filter(provider -> provider.tag().isEmpty() && !isTagged.test(provider.address()))
                .toList();
        explain(
                untagged,
                emptiedBy,
                wanted.isEmpty() ? "no tag" : named(wanted) + ", and none is without a tag",
                ruled);
        return untagged;
    }

    /** A tag that a client has invented is not named: clients that invent another one get the text too. */
    private String named(String wanted) {
        return knownTags().contains(wanted) ? "the tag \"" + wanted + '"' : "the tag of the call";
    }

    private void explain(List<RoutedProvider> left, StringBuilder emptiedBy, String wanted, boolean ruled) {
        if (left.isEmpty()) {
            emptiedBy.append("no provider has ").append(wanted).append(ruled ? " by " + tag.key() : "");
        }
    }
}
