/** What the keys in etcd mean: those of agents, and those of Dubbo. */
package io.dubbomesh.registry.etcd.layout;
