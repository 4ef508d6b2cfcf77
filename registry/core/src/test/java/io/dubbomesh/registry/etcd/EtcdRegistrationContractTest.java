package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.RegistrationContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class EtcdRegistrationContractTest extends RegistrationContract {
    private static final String KEY = "/dubbomesh/com.example.Greeter/192.0.2.7:30000";

    @TempDir
    private static Path folder;

    private static EtcdServer etcd;

    @BeforeAll
    static void start() {
        etcd = EtcdServer.start(folder);
    }

    @AfterAll
    static void stop() {
        etcd.close();
    }

    @Override
    protected Registry open() {
        return RegistryUri.open(etcd.uri());
    }

    @Override
    protected void deleteEntry() {
        etcd.delete(KEY);
    }

    @Override
    protected void writeEntry(String value) {
        etcd.put(KEY, value);
    }

    @Override
    protected void loseData() {
        etcd.kill();
        etcd.wipe();
        etcd.start();
    }
}
