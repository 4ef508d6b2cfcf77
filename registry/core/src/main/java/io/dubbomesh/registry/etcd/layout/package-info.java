/** The meaning of the keys in etcd: those of agents, and those of Dubbo. */
package io.dubbomesh.registry.etcd.layout;
