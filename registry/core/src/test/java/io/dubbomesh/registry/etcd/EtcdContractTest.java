package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.RegistrationContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class EtcdContractTest extends RegistrationContract {
    @TempDir
    private static Path folder;

    private static EtcdServer etcd;

    @BeforeAll
    static void startEtcd() {
        etcd = EtcdServer.start(folder);
    }

    @AfterAll
    static void stopEtcd() {
        etcd.close();
    }

    private static String key(int x) {
        return "/dubbomesh/com.example.Greeter/192.0.2." + x + ":30000";
    }

    @Override
    protected Registry open() {
        return RegistryUri.open(etcd.uri());
    }

    @Override
    protected void put(int x) {
        etcd.put(key(x), "");
    }

    @Override
    protected void delete(int x) {
        etcd.delete(key(x));
    }

    @Override
    protected void writeEntry(String value) {
        etcd.put(key(7), value);
    }

    @Override
    protected void stop() {
        etcd.kill();
    }

    @Override
    protected void start() {
        etcd.start();
    }

    @Override
    protected void loseData() {
        etcd.kill();
        etcd.wipe();
        etcd.start();
    }

    @Override
    protected void closeStore() {
        etcd.startIfEnded();
        etcd.deleteAll("/");
    }

    @Override
    protected boolean isBound() {
        return etcd.leases(key(7)).getOrDefault(key(7), 0L) != 0;
    }

    @Override
    protected String name() {
        return "registry " + etcd.uri() + ": ";
    }
}
