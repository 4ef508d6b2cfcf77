/**
 * Calls of Dubbo providers without a provider agent: links that are no connection between agents, but the Dubbo half of
 * a provider agent within this one. They take the same REQUESTs and give the same RESPONSEs.
 */
package io.dubbomesh.consumer.direct;
