package io.dubbomesh.registry.etcd.client;

/** A user of etcd. */
public record EtcdUser(String name, String password) {
    @Override
    public String toString() {
        return "EtcdUser";
    }
}
