/** Sessions with ZooKeeper: those in which a watch reads, and those in which nodes are written. */
package io.dubbomesh.registry.zookeeper.session;
