package io.dubbomesh.provider.mesh;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.provider.discovery.ServedServices;
import io.dubbomesh.provider.discovery.ServiceDefinitions;

/** What is needed to prepare a method: the served services, and what is known of their types. Owned by one event loop. */
public final class MethodCatalog {
    private final ServedServices services;
    private final Serialization serialization;
    private ServiceDefinitions definitions = ServiceDefinitions.NONE;

    public MethodCatalog(ServedServices services, Serialization serialization) {
        this.services = services;
        this.serialization = serialization;
    }

    /** Takes the result of a discovery. Methods that were prepared before are prepared again with their next call. */
    public void define(ServiceDefinitions discovered) {
        definitions = discovered;
    }

    ServiceDefinitions definitions() {
        return definitions;
    }

    /** See {@link ServedServices#resolve}. */
    MethodName resolve(MethodName name) throws CallException {
        return services.resolve(name);
    }

    /** @param name resolved */
    DubboRequest prepare(MethodName name) throws CallException {
        return DubboRequest.prepare(name, serialization, definitions.definition(name));
    }
}
