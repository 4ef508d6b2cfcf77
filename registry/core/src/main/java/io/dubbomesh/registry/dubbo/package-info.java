/**
 * The data that all registries of Dubbo hold: URLs of providers, and the endpoints made of them. Pure: no sockets, no
 * threads, no kind of registry.
 */
package io.dubbomesh.registry.dubbo;
