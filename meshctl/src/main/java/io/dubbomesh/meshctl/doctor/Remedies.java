package io.dubbomesh.meshctl.doctor;

import java.util.Locale;

/** Remedies that several checks name. */
final class Remedies {
    static final String FULL =
            "the provider is slow or too small: see its threads, add providers, or raise lb.limit together with its threads";
    static final String PROVIDER_BEHIND =
            "look at the provider behind it and at its agent: meshctl --admin http://HOST:30001 doctor";
    static final String PROVIDER_THERE = "look at the provider there: its threads, its garbage collector, its log";
    static final String FOREIGN_PROTOCOL = "let the provider register the protocol dubbo or tri too";

    private Remedies() {}

    /** Returns what to do about a Dubbo provider without an agent that cannot be connected to, by the reason. */
    static String providerConnection(String reason) {
        String text = reason.toLowerCase(Locale.ROOT);
        if (text.contains("tls")) {
            return "compare dubbo.tls.ca and dubbo.tls.peer-names with the provider's certificate, and dubbo.tls.mode with"
                    + " whether it has TLS";
        }
        if (text.contains("refused")) {
            return "nothing listens there: start the provider, or take its entry out of the registry";
        }
        if (text.contains("timed out") || text.contains("unreachable") || text.contains("no route")) {
            return "look for a firewall, or correct the address that the provider registers (DUBBO_IP_TO_REGISTRY)";
        }
        if (isUnknownHost(text)) {
            return "correct the address that the provider registers (DUBBO_IP_TO_REGISTRY), or the name service";
        }
        return "see whether the port is one of the protocol dubbo or tri, the log of the provider, and whether it demands TLS"
                + " (dubbo.tls.mode)";
    }

    /** Returns what to do about a provider agent that cannot be connected to, by the reason. */
    static String agentConnection(String reason) {
        String text = reason.toLowerCase(Locale.ROOT);
        if (text.contains("token")) {
            return "set mesh.token-file of this agent to a file whose first line is a token of the provider agent's"
                    + " mesh.token-file";
        }
        if (text.contains("tls")
                || text.contains("certificate")
                || text.contains("ssl")
                || text.contains("handshake")) {
            return "set mesh.tls.cert, mesh.tls.key, mesh.tls.ca and mesh.tls.peer-names on both agents, or on none, and"
                    + " compare them";
        }
        if (text.contains("refused")) {
            return "no agent listens there: start the provider agent, or correct its advertise.host and advertise.port";
        }
        if (text.contains("timed out") || text.contains("unreachable") || text.contains("no route")) {
            return "look for a firewall, or correct the provider agent's advertise.host";
        }
        if (isUnknownHost(text)) {
            return "correct the provider agent's advertise.host, or the name service";
        }
        return "see the log of the provider agent there";
    }

    private static boolean isUnknownHost(String text) {
        return text.contains("unknown host") || text.contains("resolve");
    }
}
