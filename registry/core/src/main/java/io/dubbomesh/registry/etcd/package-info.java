/**
 * The registry in etcd. Every watch and registration has a thread and a connection of its own.
 */
package io.dubbomesh.registry.etcd;
