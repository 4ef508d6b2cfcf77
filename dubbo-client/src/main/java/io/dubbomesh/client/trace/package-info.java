/**
 * The two spans of a call at the agent that sends it to the provider: that of its request, and that of the Dubbo
 * request that it becomes.
 */
package io.dubbomesh.client.trace;
