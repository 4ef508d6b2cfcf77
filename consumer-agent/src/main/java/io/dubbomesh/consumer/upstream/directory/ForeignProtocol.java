package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.PrintableText;

import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Collectors;

/** The messages about instances that register only protocols that the agents do not speak. */
public final class ForeignProtocol {
    private static final int MAX_NAMED = 3;

    private ForeignProtocol() {}

    /** Returns the state of a provider that offers this protocol only. */
    public static String state(String protocol) {
        return PrintableText.brief(protocol) + " only, cannot be called yet";
    }

    /** Returns the protocol that it registers. */
    public static String protocol(Endpoint foreign) {
        return foreign.exports().get(0).parameters().get(DubboExport.PROTOCOL);
    }

    /** Returns the address, the application where the registry tells it, and the state. */
    static String described(Endpoint foreign) {
        String application = foreign.exports().get(0).application();
        return foreign.address()
                + (application.isEmpty() ? "" : " (application " + PrintableText.brief(application) + ')') + ": "
                + state(protocol(foreign));
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
}
