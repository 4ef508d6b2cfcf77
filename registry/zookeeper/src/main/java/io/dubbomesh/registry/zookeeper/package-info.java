/**
 * ZooKeeper as Dubbo uses it: sessions, watches, and the nodes that providers register. Uses ZooKeeper's own client, by
 * NIO.
 */
package io.dubbomesh.registry.zookeeper;
