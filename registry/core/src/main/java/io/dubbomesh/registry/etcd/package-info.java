/**
 * The registry in etcd; the only package that uses jetcd. Every watch and registration has a thread and a connection
 * of its own.
 */
package io.dubbomesh.registry.etcd;
