package io.dubbomesh.registry.dns;

import io.dubbomesh.registry.DirectoryContract;
import io.dubbomesh.registry.Registry;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

class DnsContractTest extends DirectoryContract {
    private final NameServer server = new NameServer();
    private final Set<Integer> hosts = new TreeSet<>();

    DnsContractTest() throws IOException {}

    @Override
    protected Registry open() {
        return new DnsRegistry(
                DnsUri.parse("dns://p.test:30000/" + GREETER + "?kind=mesh&server=" + server.address()),
                DnsRegistryTest.QUICK);
    }

    @Override
    protected void put(int x) {
        hosts.add(x);
        publish();
    }

    @Override
    protected void delete(int x) {
        hosts.remove(x);
        publish();
    }

    private void publish() {
        server.answer(
                "p.test",
                NameServer.A,
                hosts.stream()
                        .map(x -> NameServer.address("p.test", 0, "192.0.2." + x))
                        .toArray(NameServer.Resource[]::new));
    }

    @Override
    protected void stop() {
        server.silence(true);
    }

    @Override
    protected void start() {
        server.silence(false);
    }

    @Override
    protected void closeStore() {
        server.close();
    }
}
