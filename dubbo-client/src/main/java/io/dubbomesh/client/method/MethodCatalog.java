package io.dubbomesh.client.method;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.transport.metrics.CallMetrics;

/** The methods of a provider and how they are called, as far as it is known now. Owned by one event loop. */
public interface MethodCatalog {
    /** Returns another number than before if methods are to be prepared again. */
    int revision();

    /**
     * Returns the method in the version and group that its calls go to, where several are asked for.
     *
     * @throws CallException if calls of it are refused; says why
     */
    MethodName resolve(MethodName name) throws CallException;

    /**
     * Prepares the request of a method's calls.
     *
     * @param name resolved
     */
    DubboRequest prepare(MethodName name) throws CallException;

    /**
     * Returns the methods and types of a service; null if they are not known.
     *
     * @param name resolved
     */
    ServiceDefinition definition(MethodName name);

    /**
     * Returns whether the types of a service are being looked for, so that its calls wait; there is another {@linkplain
     * #revision revision} when they wait no more. To be asked before {@link #prepare}, which uses what is known then.
     *
     * @param name resolved
     */
    default boolean awaitsTypes(MethodName name) {
        return false;
    }

    /**
     * Returns whether arguments that surely violate constraints of a method are refused before the provider is asked.
     *
     * @param name resolved
     */
    default boolean validates(MethodName name) {
        return false;
    }

    /** Returns where calls count. */
    CallMetrics metrics();
}
