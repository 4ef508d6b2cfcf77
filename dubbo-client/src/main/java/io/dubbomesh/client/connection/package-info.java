/**
 * Towards the provider: the connection of each event loop, its heartbeats and events, and reconnecting.
 */
package io.dubbomesh.client.connection;
