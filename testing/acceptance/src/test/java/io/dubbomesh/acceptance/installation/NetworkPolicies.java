package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Yaml;

import java.util.List;
import java.util.Map;

/**
 * Kubernetes' NetworkPolicy, as far as our manifests use it, between pods of one namespace: a pod that no policy of a
 * direction selects may connect everywhere in that direction; any other pod only where one of them allows it.
 */
record NetworkPolicies(List<Yaml> policies) {
    boolean allow(Yaml from, Yaml to, int port) {
        return allows("Egress", "egress", "to", from, to, port) && allows("Ingress", "ingress", "from", to, from, port);
    }

    /** Whether a pod of another namespace, which restricts nothing itself, may connect to one of this namespace. */
    boolean allowFrom(Map<String, String> namespace, Map<String, String> from, Yaml to, int port) {
        Yaml ofNamespace = new Yaml("namespace", namespace);
        Yaml labels = new Yaml("labels", from);
        return selecting("Ingress", to).stream()
                .flatMap(policy -> policy.at("spec", "ingress").items().stream())
                .filter(rule -> opens(rule.at("ports"), port))
                .flatMap(rule -> rule.at("from").items().stream())
                .filter(peer -> peer.at("namespaceSelector").isThere())
                .anyMatch(peer ->
                        selects(peer.at("namespaceSelector"), ofNamespace) && selects(peer.at("podSelector"), labels));
    }

    private boolean allows(String type, String rules, String peers, Yaml subject, Yaml peer, int port) {
        List<Yaml> selecting = selecting(type, subject);
        return selecting.isEmpty()
                || selecting.stream()
                        .flatMap(policy -> policy.at("spec", rules).items().stream())
                        .anyMatch(rule -> names(rule.at(peers), peer) && opens(rule.at("ports"), port));
    }

    private List<Yaml> selecting(String type, Yaml subject) {
        return policies.stream()
                .filter(policy ->
                        policy.at("spec", "policyTypes").items().stream().anyMatch(each -> each.is(type)))
                .filter(policy -> selects(policy.at("spec", "podSelector"), subject))
                .toList();
    }

    private static boolean names(Yaml peers, Yaml labels) {
        return peers.items().stream()
                .filter(peer -> !peer.at("namespaceSelector").isThere())
                .anyMatch(peer -> selects(peer.at("podSelector"), labels));
    }

    private static boolean opens(Yaml ports, int port) {
        return ports.items().stream().anyMatch(each -> each.at("port").is(port));
    }

    /** Whether a label selector is for something with these labels. */
    static boolean selects(Yaml selector, Yaml labels) {
        return hasLabels(selector.at("matchLabels"), labels)
                && selector.at("matchExpressions").items().stream().allMatch(expression -> fits(expression, labels));
    }

    static boolean hasLabels(Yaml wanted, Yaml labels) {
        return labels.map().entrySet().containsAll(wanted.map().entrySet());
    }

    private static boolean fits(Yaml expression, Yaml labels) {
        if (!expression.at("operator").is("Exists")) {
            throw new AssertionError(expression + " (expected: Exists)");
        }
        return labels.map().containsKey(expression.at("key").value());
    }
}
