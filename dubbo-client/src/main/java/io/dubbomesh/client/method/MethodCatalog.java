package io.dubbomesh.client.method;

import io.dubbomesh.client.connection.ServiceTokens;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.discovery.ServiceDefinitions;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.transport.metrics.CallMetrics;

/** What is needed to prepare a method: the served services, what is known of their types, and their tokens. Owned by one event loop. */
public final class MethodCatalog {
    private final Serialization serialization;
    private final CallMetrics metrics;
    private ServedServices services;
    private ServiceDefinitions definitions = ServiceDefinitions.NONE;
    private ServiceTokens tokens = ServiceTokens.NONE;
    /** Counts up with each change. */
    private int revision;

    /** @param metrics where calls count */
    public MethodCatalog(ServedServices services, Serialization serialization, CallMetrics metrics) {
        this.services = services;
        this.metrics = metrics;
        this.serialization = serialization;
    }

    /**
     * Takes the result of a discovery. Methods that were prepared before are prepared again with their next call.
     *
     * @param nowServed of the services those first that the provider exports
     */
    public void define(ServiceDefinitions discovered, ServedServices nowServed) {
        definitions = discovered;
        services = nowServed;
        revision++;
    }

    /** Takes the tokens of the services, likewise. */
    public void use(ServiceTokens changed) {
        tokens = changed;
        revision++;
    }

    public CallMetrics metrics() {
        return metrics;
    }

    /** Another one than before if methods are to be prepared again. */
    int revision() {
        return revision;
    }

    /**
     * The methods and types of a service; null if they are not known.
     *
     * @param name resolved
     */
    public ServiceDefinition definition(MethodName name) {
        return definitions.definition(name);
    }

    /** See {@link ServedServices#resolve}. */
    MethodName resolve(MethodName name) throws CallException {
        return services.resolve(name);
    }

    /** @param name resolved */
    DubboRequest prepare(MethodName name) throws CallException {
        String token = tokens.token(name.service(), name.version(), name.group());
        return DubboRequest.prepare(name, serialization, definition(name), token);
    }
}
