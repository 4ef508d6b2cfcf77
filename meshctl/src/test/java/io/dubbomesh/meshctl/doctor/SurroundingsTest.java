package io.dubbomesh.meshctl.doctor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SurroundingsTest {
    private static final String ELSEWHERE = "192.0.2.7";
    private static final String NOT_LOOKED_AT = ": not looked at, since 192.0.2.7 is not an address of this machine";

    @TempDir
    Path folder;

    @Test
    void aDirectoryOfThisMachineIsLookedAt() {
        assertThat(Surroundings.checkRegistry("127.0.0.1", "file:" + folder))
                .containsExactly(Finding.ok("registry file:" + folder + ": can be read"));
        assertThat(Surroundings.checkRegistry("127.0.0.1", "file:" + folder.resolve("none")))
                .containsExactly(Finding.fail(
                        "registry file:" + folder.resolve("none") + " is no directory that can be read here",
                        "start a provider agent with this registry, which makes it, or correct its permissions"));
    }

    @Test
    void aDirectoryOfAnotherMachineIsNotLookedForOnThisOne() {
        for (Path each : new Path[] {folder, folder.resolve("none")}) {
            assertThat(Surroundings.checkRegistry(ELSEWHERE, "file:" + each))
                    .containsExactly(Finding.ok("registry file:" + each + NOT_LOOKED_AT));
        }
    }

    @Test
    void aRelativeDirectoryIsNotLookedForInThatOfThisProcess() {
        assertThat(Surroundings.checkRegistry("127.0.0.1", "file:registry"))
                .containsExactly(
                        Finding.ok(
                                "registry file:registry: not looked at, since the agent may have started in another directory"));
    }

    @Test
    void anAddressThatIsAnotherMachinesOwnIsNotTriedOnThisOne() throws Exception {
        try (ServerSocket etcd = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + etcd.getLocalPort();

            assertThat(Surroundings.checkRegistry("127.0.0.1", "etcd://" + address))
                    .containsExactly(Finding.ok("registry " + address + ": can be reached"));
            assertThat(Surroundings.checkRegistry(ELSEWHERE, "etcd://" + address))
                    .containsExactly(Finding.ok("registry " + address + NOT_LOOKED_AT));
        }
    }

    @Test
    void aNameInDnsIsLookedUp() {
        assertThat(Surroundings.checkRegistry("127.0.0.1", "dns://127.0.0.1:20880/a.B"))
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
                    "nacos://" + address + "?namespace=shop",
                    "zookeeper://" + address + "/shop",
                    "zookeeper://" + address + "," + address + ",etcd://" + address)) {
                assertThat(Surroundings.checkRegistry("127.0.0.1", registry))
                        .as(registry)
                        .containsOnly(Finding.ok("registry " + address + ": can be reached"));
            }
        }
        assertThat(Surroundings.checkRegistry("127.0.0.1", "nacos://127.0.0.1:1"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.remedy()).startsWith("start Nacos there"));
    }

    @Test
    void whatOnlyTheAgentAsksForIsSaidToBeSo() {
        assertThat(Surroundings.checkRegistry("127.0.0.1", "dns://_dubbo._tcp.p/a.B"))
                .containsExactly(Finding.ok("registry dns://_dubbo._tcp.p/a.B: asked by the agent only, see what it"
                        + " has found: meshctl ls"));
    }

    @Test
    void aFixedListIsOneRegistry() {
        String list = "static:dubbo://a:20880*5,dubbo://b:20880*5";
        assertThat(Surroundings.checkRegistry("127.0.0.1", list))
                .containsExactly(Finding.ok("registry " + list + ": a fixed list"));
    }
}
