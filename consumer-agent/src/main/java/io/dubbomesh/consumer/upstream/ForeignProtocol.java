package io.dubbomesh.consumer.upstream;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Endpoint;

import java.util.List;

/** Refuses calls of services whose providers speak protocols only that the agents do not. */
public final class ForeignProtocol {
    private static final String TRIPLE = "tri";

    private ForeignProtocol() {}

    /** @throws CallException if all that serve this version and group are such providers, and there is one */
    static void refuseIfOnly(List<Endpoint> endpoints, MethodName name) throws CallException {
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

    public static CallException refusal(String provider, String service, String protocol) {
        return new CallException(
                Outcome.PROVIDER_ERROR,
                "provider " + provider + " registers service " + service + " for the protocol " + protocol
                        + (protocol.equals(TRIPLE) ? " (Triple)" : "")
                        + " only, and this agent speaks dubbo; let it register the protocol dubbo too");
    }
}
