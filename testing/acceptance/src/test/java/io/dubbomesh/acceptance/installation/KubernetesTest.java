package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Yaml;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what a schema cannot check in the manifests in docker/k8s: that references between them are right. */
class KubernetesTest {
    @Test
    void everyManifestIsBuilt() {
        Yaml base = Yaml.documents(Manifests.DIRECTORY.resolve("base/kustomization.yaml"))
                .get(0);
        assertThat(base.at("resources").items().stream().map(Yaml::text))
                .containsExactlyInAnyOrder(
                        "namespace.yaml", "network-policies.yaml", "etcd.yaml", "provider.yaml", "consumer.yaml");
        Yaml gateway = Yaml.documents(Manifests.DIRECTORY.resolve("gateway/kustomization.yaml"))
                .get(0);
        assertThat(gateway.at("resources").items().stream().map(Yaml::text))
                .containsExactlyInAnyOrder("namespace.yaml", "network-policies.yaml", "gateway.yaml");
        assertThat(Manifests.PODS).extracting(Pod::name).containsExactly("etcd", "demo-provider", "demo-consumer");
    }

    @Test
    void everySelectorSelectsAPod() {
        for (Yaml object : Manifests.ALL_OBJECTS) {
            // Those of other namespaces, such as the cluster's DNS.
            Set<String> elsewhere = object.all()
                    .filter(peer -> peer.at("namespaceSelector").isThere())
                    .map(peer -> peer.at("podSelector").place())
                    .collect(Collectors.toSet());
            object.all()
                    .filter(part -> part.at("matchLabels").isThere()
                            || part.at("matchExpressions").isThere())
                    .filter(part -> !part.place().endsWith("namespaceSelector"))
                    .filter(part -> !elsewhere.contains(part.place()))
                    .forEach(selector -> assertThat(Manifests.ALL_PODS)
                            .as(selector.toString())
                            .anyMatch(pod -> NetworkPolicies.selects(selector, pod.labels())));
        }
        for (Yaml workload : Manifests.kinds("Deployment", "StatefulSet")) {
            assertThat(NetworkPolicies.selects(
                            workload.at("spec", "selector"), workload.at("spec", "template", "metadata", "labels")))
                    .as(workload.place())
                    .isTrue();
        }
    }

    @Test
    void servicesLeadToPortsOnWhichAContainerListens() {
        for (Yaml service : Manifests.kinds("Service")) {
            for (Pod pod : Manifests.PODS) {
                if (NetworkPolicies.hasLabels(service.at("spec", "selector"), pod.labels())) {
                    for (Yaml port : service.at("spec", "ports").items()) {
                        assertThat(pod.port(port.at("targetPort")))
                                .as(port.toString())
                                .isEqualTo(port.at("port").number());
                    }
                }
            }
        }
    }

    @Test
    void agentsListenOnThePortsThatTheirContainersDeclare() {
        for (Pod pod : Manifests.agentPods()) {
            assertThat(pod.port("admin")).as(pod.name()).isEqualTo(Integer.parseInt(pod.setting("admin.port")));
            assertThat(pod.setting("admin.host")).as("where the kubelet asks").isEqualTo("0.0.0.0");
        }
        Pod provider = Manifests.pod("demo-provider");
        assertThat(provider.port("mesh")).isEqualTo(Integer.parseInt(provider.setting("server.port")));
        assertThat(provider.container("provider").at("args").text())
                .contains("-Dport=" + provider.setting("dubbo.protocol.port"));
        Pod consumer = Manifests.pod("demo-consumer");
        assertThat(consumer.setting("server.host")).isEqualTo("127.0.0.1");
        assertThat(consumer.container("app").at("args").text())
                .contains("http://127.0.0.1:" + consumer.setting("server.port") + "/");
        assertThat(provider.setting("advertise.host")).isEqualTo("status.podIP");
    }

    @Test
    void theRegistryIsTheServiceOfEtcd() {
        Yaml service = Manifests.kinds("Service").get(0);
        String registry = "etcd://" + service.at("metadata", "name").text() + ":"
                + service.at("spec", "ports").items().get(0).at("port").number();
        for (Pod pod : Manifests.agentPods()) {
            assertThat(pod.setting("registry")).as(pod.name()).isEqualTo(registry);
        }
    }

    @Test
    void policiesAllowTheConnectionsOfTheMeshAndNoOther() {
        NetworkPolicies policies = new NetworkPolicies(Manifests.kinds("NetworkPolicy"));
        Set<String> open = new TreeSet<>();
        for (Pod from : Manifests.PODS) {
            for (Pod to : Manifests.PODS) {
                Set<Integer> ports = to.ports();
                // The provider's own, and the consumer agent's for HTTP, which listens on loopback only.
                ports.addAll(List.of(20880, 20000));
                for (int port : ports) {
                    if (policies.allow(from.labels(), to.labels(), port)) {
                        open.add(from.name() + " -> " + to.name() + ":" + port);
                    }
                }
            }
        }
        assertThat(open)
                .containsExactlyInAnyOrder(
                        "demo-consumer -> demo-provider:30000",
                        "demo-consumer -> etcd:2379",
                        "demo-provider -> etcd:2379");
    }

    /** Prometheus' operator labels it so; others reach no admin port, which has no authentication. */
    @Test
    void prometheusMayScrapeEveryAgentAndNobodyElseMay() {
        Map<String, String> monitoring = Map.of("kubernetes.io/metadata.name", "monitoring");
        Map<String, String> prometheus = Map.of("app.kubernetes.io/name", "prometheus");
        NetworkPolicies mesh = new NetworkPolicies(Manifests.kinds("NetworkPolicy"));
        NetworkPolicies gateway = new NetworkPolicies(Manifests.kinds(Manifests.GATEWAY, "NetworkPolicy"));
        for (String name : List.of("demo-provider", "demo-consumer", "gateway")) {
            Pod pod = Manifests.pod(name);
            NetworkPolicies policies = name.equals("gateway") ? gateway : mesh;
            int admin = pod.port("admin");
            assertThat(policies.allowFrom(monitoring, prometheus, pod.labels(), admin))
                    .as(name)
                    .isTrue();
            assertThat(policies.allowFrom(monitoring, Map.of(), pod.labels(), admin))
                    .isFalse();
            assertThat(policies.allowFrom(Map.of(), prometheus, pod.labels(), admin))
                    .isFalse();
            for (int other : List.of(20000, 30000, 20880)) {
                assertThat(policies.allowFrom(monitoring, prometheus, pod.labels(), other))
                        .as(name + ":" + other)
                        .isFalse();
            }
        }
        assertThat(mesh.allowFrom(monitoring, prometheus, Manifests.pod("etcd").labels(), 2379))
                .isFalse();
    }

    @Test
    void theGatewayIsReachedByItsServiceAndOnlyByPodsWithTheLabel() {
        Pod pod = Manifests.pod("gateway");
        assertThat(pod.setting("type")).isEqualTo("gateway");
        assertThat(pod.setting("registry")).startsWith("zookeeper://");
        assertThat(pod.setting("server.host")).isEqualTo("0.0.0.0");
        assertThat(pod.setting("admin.host")).isEqualTo("0.0.0.0");
        assertThat(pod.port("admin")).isEqualTo(Integer.parseInt(pod.setting("admin.port")));
        Yaml service = Manifests.kinds(Manifests.GATEWAY, "Service").get(0);
        assertThat(NetworkPolicies.hasLabels(service.at("spec", "selector"), pod.labels()))
                .isTrue();
        Yaml port = service.at("spec", "ports").items().get(0);
        int http = Integer.parseInt(pod.setting("server.port"));
        assertThat(port.at("port").number()).isEqualTo(http);
        assertThat(pod.port(port.at("targetPort"))).isEqualTo(http);
        NetworkPolicies policies = new NetworkPolicies(Manifests.kinds(Manifests.GATEWAY, "NetworkPolicy"));
        Map<String, String> shop = Map.of("kubernetes.io/metadata.name", "shop");
        assertThat(policies.allowFrom(shop, Map.of("dubbomesh.io/client", "gateway"), pod.labels(), http))
                .isTrue();
        assertThat(policies.allowFrom(shop, Map.of("app", "shop"), pod.labels(), http))
                .isFalse();
    }

    @Test
    void everySecretIsCreatedInBothWays() {
        Yaml own = Yaml.documents(Manifests.DIRECTORY.resolve("kustomization.yaml"))
                .get(0);
        List<Yaml> certificates = Yaml.documents(Manifests.DIRECTORY.resolve("cert-manager/certificates.yaml"));
        for (Pod pod : Manifests.agentPods()) {
            Yaml volume = pod.volume("tls");
            String name = volume.at("secret", "secretName").text();
            Yaml generated = own.at("secretGenerator").items().stream()
                    .filter(secret -> secret.at("name").is(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + " is made by no secretGenerator"));
            assertThat(generated.at("type").text()).isEqualTo("kubernetes.io/tls");
            assertThat(generated.at("files").items().stream()
                            .map(file -> file.text().split("=")[0]))
                    .as(name)
                    .containsExactlyInAnyOrder("ca.crt", "tls.crt", "tls.key");
            assertThat(certificates)
                    .as(name)
                    .anyMatch(
                            certificate -> certificate.at("spec", "secretName").is(name));
        }
    }

    @Test
    void agentsReadMountedFilesAndTrustEachOthersNames() {
        List<Yaml> certificates = Yaml.documents(Manifests.DIRECTORY.resolve("cert-manager/certificates.yaml"));
        for (Pod pod : Manifests.agentPods()) {
            Yaml agent = pod.container("agent");
            String mounted = mount(agent, "tls").at("mountPath").text();
            assertThat(pod.variable("mesh.tls.cert")).isEqualTo(mounted + "/tls.crt");
            assertThat(pod.variable("mesh.tls.key")).isEqualTo(mounted + "/tls.key");
            assertThat(pod.variable("mesh.tls.ca")).isEqualTo(mounted + "/ca.crt");
            String other = pod.name().equals("demo-provider") ? "consumer-agent" : "provider-agent";
            Yaml certificate = certificates.stream()
                    .filter(each -> each.at("metadata", "name").is(other))
                    .findFirst()
                    .orElseThrow();
            assertThat(certificate.at("spec", "dnsNames").items().stream().map(Yaml::text))
                    .as(pod.name())
                    .containsExactly(pod.variable("mesh.tls.peer-names"));
        }
    }

    @Test
    void everyMountHasItsVolumeAndEveryImageItsTag() {
        Set<String> tagged = Yaml.documents(Manifests.DIRECTORY.resolve("images/kustomization.yaml"))
                .get(0)
                .at("images")
                .items()
                .stream()
                .filter(image -> image.at("newTag").isThere())
                .map(image -> image.at("name").text())
                .collect(Collectors.toSet());
        Set<String> used = new TreeSet<>();
        for (Pod pod : Manifests.ALL_PODS) {
            for (Yaml container : pod.containers()) {
                used.add(container.at("image").text());
                for (Yaml mount : container.at("volumeMounts").items()) {
                    assertThat(pod.volume(mount.at("name").text()).isThere()
                                    || pod.name().equals("etcd"))
                            .as(mount.toString())
                            .isTrue();
                }
            }
        }
        assertThat(tagged).isEqualTo(used);
    }

    private static Yaml mount(Yaml container, String volume) {
        return container.at("volumeMounts").items().stream()
                .filter(mount -> mount.at("name").is(volume))
                .findFirst()
                .orElseThrow();
    }
}
