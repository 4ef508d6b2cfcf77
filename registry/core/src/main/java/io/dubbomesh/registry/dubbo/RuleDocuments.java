package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.RuleReport;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.dubbo.rule.ConditionRule;
import io.dubbomesh.registry.dubbo.rule.RuleDocument;
import io.dubbomesh.registry.dubbo.rule.ServiceRules;
import io.dubbomesh.registry.dubbo.rule.TagRule;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.registry.thread.Surplus;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The rules that stand in Dubbo's configuration centre, by their keys. One that is not understood is logged once, and
 * the last good one of its key stays in force. Belongs to one thread.
 */
final class RuleDocuments {
    static final int MAX_DOCUMENTS = 4096;
    /** The most characters of all that are in force. */
    static final int MAX_CHARACTERS = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final String consumer;
    private final LogLimit logLimit;
    private final Map<String, Document> documents = new TreeMap<>();
    private final Surplus surplus = new Surplus();
    private int characters;

    /** The document under one key. */
    private static final class Document {
        final RuleKey key;
        /** A digest of the text that stands there: what is refused may be long. */
        UUID digest;
        /** The number of characters of the last good one. */
        int length;
        /** The last good one; each null for none. */
        TagRule tag;

        ConditionRule condition;
        List<ConfiguredOverride> overrides;
        /** Null if nothing is wrong with what stands there now. */
        String problem;

        Document(RuleKey key) {
            this.key = key;
        }

        boolean isInForce() {
            return tag != null || condition != null || overrides != null;
        }
    }

    /**
     * @param consumer whose calls rules of consumers concern; empty for none of that name
     * @param logLimit for the lines about what is not understood
     */
    RuleDocuments(String consumer, LogLimit logLimit) {
        this.consumer = consumer;
        this.logLimit = logLimit;
    }

    /** Puts what stands under a key; returns whether something is different now. What is no rule is passed over. */
    boolean put(String key, String text, long nowNs) {
        Document document = documents.get(key);
        if (text.isBlank()) {
            return remove(key);
        }
        UUID digest = UUID.nameUUIDFromBytes(text.getBytes(UTF_8));
        if (document != null && digest.equals(document.digest)) {
            return false;
        }
        if (document == null) {
            RuleKey parsed = RuleKey.parse(key);
            if (parsed == null || isTooMany(nowNs)) {
                return false;
            }
            document = new Document(parsed);
            documents.put(key, document);
        }
        document.digest = digest;
        try {
            document.problem = null;
            if (text.length() > MAX_CHARACTERS - characters + document.length) {
                // Another time there may be room for it.
                document.digest = null;
                surplus.markIgnored();
                throw new IllegalArgumentException(
                        text.length() + " characters (expected: of all rules at most " + MAX_CHARACTERS + ")");
            }
            read(document, key, text);
            characters += text.length() - document.length;
            if (text.length() < document.length) {
                surplus.freed();
            }
            document.length = text.length();
        } catch (RuntimeException e) {
            document.problem = e instanceof IllegalArgumentException ? e.getMessage() : e.toString();
        }
        if (document.problem != null) {
            document.problem = PrintableText.of(document.problem);
        }
        if (document.problem != null && logLimit.tryLog(nowNs)) {
            LOG.warn(
                    "rule {} is not obeyed: {}; {}",
                    PrintableText.brief(key),
                    document.problem,
                    document.isInForce() ? "what was understood of it stays in force" : "nothing of it is in force");
        }
        return true;
    }

    private boolean isTooMany(long nowNs) {
        boolean tooMany = documents.size() >= MAX_DOCUMENTS;
        if (tooMany && surplus.markIgnored() && logLimit.tryLog(nowNs)) {
            LOG.warn("more than {} rules of Dubbo, the rest is ignored", MAX_DOCUMENTS);
        }
        return tooMany;
    }

    private static void read(Document document, String key, String text) {
        boolean ofService = document.key.service() != null;
        switch (document.key.kind()) {
            case TAG -> document.tag = TagRule.parse(key, text);
            case CONDITION -> {
                if (!ofService && RuleDocument.parse(text).text("scope").equals("service")) {
                    throw new IllegalArgumentException("a rule of a service under the key of an application (expected: "
                            + document.key.application() + "::.condition-router)");
                }
                document.condition = ConditionRule.parse(key, text);
            }
            case OVERRIDES -> {
                ConfiguredOverride.Parsed parsed =
                        ConfiguredOverride.parse(text, ofService ? null : document.key.application());
                document.overrides = parsed.overrides();
                document.problem = parsed.ignored().isEmpty() ? null : String.join("; ", parsed.ignored());
            }
            case SCRIPT -> throw new IllegalArgumentException("scripts are not run");
            case MESH -> throw new IllegalArgumentException("rules of this kind are not supported");
        }
    }

    /** Returns whether something is different now. */
    boolean remove(String key) {
        Document removed = documents.remove(key);
        if (removed != null) {
            characters -= removed.length;
            surplus.freed();
        }
        return removed != null;
    }

    /** Returns what {@link Surplus#pollRoom} returns. */
    boolean pollRoom() {
        return surplus.pollRoom();
    }

    Set<String> keys() {
        return Set.copyOf(documents.keySet());
    }

    /**
     * Returns whether what stands under a key may concern a service.
     *
     * @param hasApplication whether an application provides it
     */
    boolean isConcerned(String key, String service, Predicate<String> hasApplication) {
        RuleKey parsed = RuleKey.parse(key);
        if (parsed == null || parsed.service() != null) {
            return parsed != null && parsed.service().equals(service);
        }
        return parsed.kind() == RuleKey.Kind.CONDITION && parsed.application().equals(consumer)
                || hasApplication.test(parsed.application());
    }

    List<RuleReport> reports() {
        List<RuleReport> reports = new ArrayList<>();
        documents.forEach((key, document) -> reports.add(new RuleReport(key, document.isInForce(), document.problem)));
        return reports;
    }

    /**
     * Returns the overrides in the order in which they are applied.
     *
     * @param applications of the providers of the service: those for others change nothing
     */
    List<OfVariant> overridesOf(String service, Set<String> applications) {
        List<OfVariant> found = new ArrayList<>();
        for (boolean ofService : new boolean[] {false, true}) {
            for (Document document : documents.values()) {
                boolean concerns = ofService
                        ? service.equals(document.key.service())
                        : document.key.service() == null && applications.contains(document.key.application());
                if (concerns && document.overrides != null) {
                    document.overrides.forEach(
                            override -> found.add(new OfVariant(ofService ? document.key.variant() : null, override)));
                }
            }
        }
        return found;
    }

    /** @param variant of the service; null for any */
    record OfVariant(Variant variant, ConfiguredOverride override) {
        DubboProvider applied(String service, DubboProvider provider) {
            return variant == null || variant.equals(provider.export().variant())
                    ? override.applied(service, provider)
                    : provider;
        }
    }

    /**
     * Returns the rules for calls of a service; null if none concerns it.
     *
     * @param tagged whether a provider of it has ever registered itself with a tag
     * @param legacy of Dubbo 2.6
     */
    ServiceRules rulesOf(
            String service, List<Endpoint> endpoints, boolean tagged, List<ServiceRules.ForVariant> legacy) {
        Set<String> applications = new LinkedHashSet<>();
        Set<String> tags = new LinkedHashSet<>();
        for (Endpoint endpoint : endpoints) {
            for (DubboExport export : endpoint.exports()) {
                applications.add(export.application());
                tags.add(export.parameters().getOrDefault(DubboProvider.TAG, ""));
            }
        }
        tags.remove("");
        TagRule tag = null;
        ConditionRule ofProviders = null;
        for (String application : applications) {
            Document tagDocument = documents.get(application + ".tag-router");
            tag = tag == null && tagDocument != null ? tagDocument.tag : tag;
            Document conditions = documents.get(application + ".condition-router");
            ofProviders = ofProviders == null && conditions != null ? conditions.condition : ofProviders;
        }
        Map<Variant, ConditionRule> ofService = new HashMap<>();
        Map<String, ConditionRule> ofConsumers = new HashMap<>();
        for (Document document : documents.values()) {
            if (document.condition != null && service.equals(document.key.service())) {
                ofService.put(document.key.variant(), document.condition);
            }
        }
        // Only this agent's rules can be applied: those of all consumers for each service would be too many.
        Document own = consumer.isEmpty() ? null : documents.get(consumer + ".condition-router");
        if (own != null && own.condition != null && own.condition != ofProviders) {
            ofConsumers.put(consumer, own.condition);
        }
        boolean none = tag == null && !tagged && tags.isEmpty() && ofService.isEmpty();
        return none && ofProviders == null && ofConsumers.isEmpty() && legacy.isEmpty()
                ? null
                : ServiceRules.of(tag, tags, ofService, ofProviders, ofConsumers, legacy);
    }
}
