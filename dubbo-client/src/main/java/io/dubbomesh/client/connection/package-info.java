/**
 * Towards the provider: the connection of each event loop, its heartbeats and events, and reconnecting. Uses no other
 * package of the module.
 */
package io.dubbomesh.client.connection;
