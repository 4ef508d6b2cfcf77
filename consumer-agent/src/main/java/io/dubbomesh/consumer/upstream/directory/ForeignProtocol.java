package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.PrintableText;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The messages about providers that speak only protocols that the agents do not. Calls of their services are refused.
 */
public final class ForeignProtocol {
    private static final String TRIPLE = "tri";
    private static final int MAX_NAMED = 3;

    private ForeignProtocol() {}

    /** Returns the state of a provider that offers this protocol only. */
    public static String state(String protocol) {
        return (protocol.equals(TRIPLE) ? "Triple" : PrintableText.brief(protocol)) + " only, cannot be called yet";
    }

    /** Returns the address, the application where the registry tells it, and the state. */
    static String described(Endpoint foreign) {
        String application = foreign.exports().get(0).application();
        return foreign.address()
                + (application.isEmpty() ? "" : " (application " + PrintableText.brief(application) + ')') + ": "
                + state(foreign.foreignProtocol());
    }

    /** Ends a sentence about a service that is not found: it may be one of those that no agent can ask. */
    public static String ofUnknown(Directory directory) {
        Collection<Endpoint> instances = directory.foreignInstances();
        if (instances.isEmpty()) {
            return "";
        }
        int more = instances.size() - MAX_NAMED;
        String of = instances.size() == 1 ? "the provider " : "one of the providers ";
        return instances.stream()
                .sorted(Comparator.comparing(Endpoint::address))
                .limit(MAX_NAMED)
                .map(ForeignProtocol::described)
                .collect(Collectors.joining(
                        "; ", "; it may be a service of " + of, more > 0 ? "; and " + more + " more" : ""));
    }

    /** @throws CallException if all that serve this version and group are such providers, and there is one */
    public static void refuseIfOnly(List<Endpoint> endpoints, MethodName name) throws CallException {
        Endpoint foreign = null;
        for (Endpoint endpoint : endpoints) {
            if (endpoint.serves(name.version(), name.group())) {
                if (endpoint.foreignProtocol(name.version(), name.group()) == null) {
                    return;
                }
                foreign = endpoint;
            }
        }
        if (foreign != null) {
            throw refusal(foreign.address(), name.service(), foreign.foreignProtocol(name.version(), name.group()));
        }
    }

    private static CallException refusal(String provider, String service, String protocol) {
        return new CallException(
                Outcome.PROVIDER_ERROR,
                "service " + service + " of provider " + provider + ": " + state(protocol)
                        + "; this agent speaks dubbo, so let the provider register the protocol dubbo too");
    }
}
