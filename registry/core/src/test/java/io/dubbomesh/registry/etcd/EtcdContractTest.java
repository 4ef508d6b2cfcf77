package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.RegistrationContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

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
        return key(GREETER, x);
    }

    private static String key(String service, int x) {
        return "/dubbomesh/" + service + "/192.0.2." + x + ":30000";
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
    protected long owner(String service) {
        String key = key(service, 7);
        return etcd.leases(key).getOrDefault(key, 0L);
    }

    @Override
    protected Duration answerLimit() {
        return Duration.ofSeconds(1);
    }

    @Override
    protected String name() {
        return "registry " + etcd.uri() + ": ";
    }

    @Override
    protected String noEntry(HostPort address) {
        return etcd.uri() + " has no key of " + address;
    }
}
