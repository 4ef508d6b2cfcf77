/**
 * The interface of a registry and what all kinds of it share: endpoints, the directory, keys and values. Knows no kind
 * of registry.
 */
package io.dubbomesh.registry;
