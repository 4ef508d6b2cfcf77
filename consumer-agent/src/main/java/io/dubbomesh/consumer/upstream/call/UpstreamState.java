package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.link.EndpointState;
import io.dubbomesh.consumer.upstream.pool.ServiceState;

import java.util.List;

/**
 * The endpoints and services as one event loop sees them at one moment, for operators; immutable.
 *
 * @param waiting   calls in the queue
 * @param inFlight  calls on their way to endpoints
 * @param services  those that the loop has called, in each variant
 */
public record UpstreamState(int waiting, int inFlight, List<EndpointState> endpoints, List<ServiceState> services) {}
