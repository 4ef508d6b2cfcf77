package io.dubbomesh.meshctl;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SurroundingsTest {
    @Test
    void aNameInDnsIsLookedUp() {
        assertThat(Surroundings.checkRegistry("dns://127.0.0.1:20880/a.B"))
                .containsExactly(Finding.ok("registry dns://127.0.0.1:20880/a.B: 1 addresses"));
    }

    @Test
    void everyServerIsTried() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + server.getLocalPort();
            for (String registry : List.of(
                    "etcd://" + address,
                    "http://" + address + "/,http://" + address + "/",
                    "etcd+dubbo://" + address + "/shop",
                    "nacos://" + address + "?namespace=shop")) {
                assertThat(Surroundings.checkRegistry(registry))
                        .as(registry)
                        .containsOnly(Finding.ok("registry " + address + ": can be reached"));
            }
        }
        assertThat(Surroundings.checkRegistry("nacos://127.0.0.1:1"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.remedy()).startsWith("start Nacos there"));
    }

    @Test
    void whatOnlyTheAgentAsksForIsSaidToBeSo() {
        assertThat(Surroundings.checkRegistry("dns://_dubbo._tcp.p/a.B"))
                .containsExactly(Finding.ok("registry dns://_dubbo._tcp.p/a.B: asked by the agent only, see what it"
                        + " has found: meshctl ls"));
    }
}
