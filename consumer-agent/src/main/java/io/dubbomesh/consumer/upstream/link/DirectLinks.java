package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.Endpoint;

/** Makes the links of one event loop to endpoints that are Dubbo providers. */
public interface DirectLinks {
    /** @param listed as in any service */
    LinkConnector newConnector(Endpoint listed, LinkListener listener);
}
