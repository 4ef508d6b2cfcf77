package io.dubbomesh.acceptance;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** What no schema knows of the manifests in docker/k8s: that what names something else names it rightly, and the order of start and end. */
class KubernetesTest {
    private static final Path DIRECTORY = Path.of("..", "docker", "k8s");
    private static final List<Yaml> OBJECTS = Stream.of("namespace", "network-policies", "etcd", "provider", "consumer")
            .flatMap(name -> Yaml.documents(DIRECTORY.resolve("base").resolve(name + ".yaml")).stream())
            .toList();
    private static final List<Pod> PODS = OBJECTS.stream()
            .filter(object -> object.at("spec", "template").isThere())
            .map(object -> new Pod(object.at("metadata", "name").text(), object.at("spec", "template")))
            .toList();

    private static final Pattern SECONDS = Pattern.compile("(\\d+) s");
    private static final Pattern TRIES = Pattern.compile("i < (\\d+).*sleep ([0-9.]+)");

    @Test
    void everythingIsBuilt() {
        Yaml base = Yaml.documents(DIRECTORY.resolve("base/kustomization.yaml")).get(0);
        assertThat(base.at("resources").items().stream().map(Yaml::text))
                .containsExactlyInAnyOrder(
                        "namespace.yaml", "network-policies.yaml", "etcd.yaml", "provider.yaml", "consumer.yaml");
        assertThat(PODS).extracting(Pod::name).containsExactly("etcd", "demo-provider", "demo-consumer");
    }

    @Test
    void whatSelectsAPodSelectsOne() {
        for (Yaml object : OBJECTS) {
            object.all()
                    .filter(part -> part.at("matchLabels").isThere()
                            || part.at("matchExpressions").isThere())
                    .filter(part -> !part.place().endsWith("namespaceSelector"))
                    .filter(part -> !part.at("matchLabels", "k8s-app").isThere())
                    .forEach(selector -> assertThat(PODS)
                            .as(selector.toString())
                            .anyMatch(pod -> NetworkPolicies.selects(selector, pod.labels())));
        }
        for (Yaml workload : kinds("Deployment", "StatefulSet")) {
            assertThat(NetworkPolicies.selects(
                            workload.at("spec", "selector"), workload.at("spec", "template", "metadata", "labels")))
                    .as(workload.place())
                    .isTrue();
        }
    }

    @Test
    void servicesLeadToPortsThatAreListenedOn() {
        for (Yaml service : kinds("Service")) {
            for (Pod pod : PODS) {
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
    void agentsListenWhereTheirContainersSayThatTheyDo() {
        for (Pod pod : agentPods()) {
            assertThat(pod.port("admin")).as(pod.name()).isEqualTo(Integer.parseInt(pod.setting("admin.port")));
            assertThat(pod.setting("admin.host")).as("where the kubelet asks").isEqualTo("0.0.0.0");
        }
        Pod provider = pod("demo-provider");
        assertThat(provider.port("mesh")).isEqualTo(Integer.parseInt(provider.setting("server.port")));
        assertThat(provider.container("provider").at("args").text())
                .contains("-Dport=" + provider.setting("dubbo.protocol.port"));
        Pod consumer = pod("demo-consumer");
        assertThat(consumer.setting("server.host")).isEqualTo("127.0.0.1");
        assertThat(consumer.container("app").at("args").text())
                .contains("http://127.0.0.1:" + consumer.setting("server.port") + "/");
        assertThat(provider.setting("advertise.host")).isEqualTo("status.podIP");
    }

    @Test
    void everyProbeAsksAPortOfItsContainer() {
        for (Pod pod : PODS) {
            for (Yaml container : pod.containers()) {
                for (String kind : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
                    Yaml port = container.at(kind, "httpGet", "port");
                    if (port.isThere()) {
                        assertThat(container.at("ports").items())
                                .as(port.toString())
                                .anyMatch(declared -> declared.at("name").is(port.value()));
                    }
                }
            }
        }
    }

    @Test
    void theRegistryIsTheServiceOfEtcd() {
        Yaml service = kinds("Service").get(0);
        String registry = "etcd://" + service.at("metadata", "name").text() + ":"
                + service.at("spec", "ports").items().get(0).at("port").number();
        for (Pod pod : agentPods()) {
            assertThat(pod.setting("registry")).as(pod.name()).isEqualTo(registry);
        }
    }

    @Test
    void policiesOpenTheWaysOfTheMeshAndNoOther() {
        NetworkPolicies policies = new NetworkPolicies(kinds("NetworkPolicy"));
        Set<String> open = new TreeSet<>();
        for (Pod from : PODS) {
            for (Pod to : PODS) {
                Set<Integer> ports = to.ports();
                // The provider's own, and the consumer agent's for HTTP, on which nobody listens but on loopback.
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

    @Test
    void everySecretIsMadeInBothWays() {
        Yaml own = Yaml.documents(DIRECTORY.resolve("kustomization.yaml")).get(0);
        List<Yaml> certificates = Yaml.documents(DIRECTORY.resolve("cert-manager/certificates.yaml"));
        for (Pod pod : agentPods()) {
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
    void agentsReadWhatIsMountedAndTrustEachOthersNames() {
        List<Yaml> certificates = Yaml.documents(DIRECTORY.resolve("cert-manager/certificates.yaml"));
        for (Pod pod : agentPods()) {
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
    void theAppWaitsForItsAgentAndTheAgentForItsProvider() {
        for (Pod pod : agentPods()) {
            Yaml agent = pod.container("agent");
            assertThat(pod.template().at("spec", "initContainers").items()).containsExactly(agent);
            assertThat(agent.at("restartPolicy").text()).isEqualTo("Always");
            assertThat(path(agent, "readinessProbe")).isEqualTo("/readyz");
            assertThat(path(agent, "livenessProbe")).isEqualTo("/healthz");
        }
        // A provider is started once its agent has started, and the agent is ready once it has reached the provider.
        assertThat(path(pod("demo-provider").container("agent"), "startupProbe"))
                .isEqualTo("/healthz");
        assertThat(path(pod("demo-consumer").container("agent"), "startupProbe"))
                .isEqualTo("/readyz");
    }

    @Test
    void aProviderOutlivesItsAgentAndThereIsTimeForAll() {
        Pod provider = pod("demo-provider");
        double grace = seconds(provider.setting("shutdown.grace"));
        assertThat(provider.container("agent").at("lifecycle", "preStop", "exec", "command").items().stream()
                        .map(Yaml::text))
                .containsExactly("/bin/sh", "-c", "kill -TERM 1");
        String wait = provider.container("provider")
                .at("lifecycle", "preStop", "exec", "command")
                .text();
        assertThat(wait).contains("/dev/tcp/127.0.0.1/" + provider.setting("admin.port") + ")");
        Matcher tries = TRIES.matcher(wait);
        assertThat(tries.find()).as(wait).isTrue();
        double longest = Integer.parseInt(tries.group(1)) * Double.parseDouble(tries.group(2));
        // A second is what an agent is given beyond its grace.
        assertThat(longest).isGreaterThan(grace + 1);
        assertThat((double) provider.graceSeconds()).isGreaterThan(grace + longest);

        Pod consumer = pod("demo-consumer");
        assertThat((double) consumer.graceSeconds()).isGreaterThan(seconds(consumer.setting("shutdown.grace")) + 1);
    }

    @Test
    void everyContainerIsRestrictedAndLimited() {
        assertThat(kinds("Namespace")
                        .get(0)
                        .at("metadata", "labels", "pod-security.kubernetes.io/enforce")
                        .text())
                .isEqualTo("restricted");
        for (Pod pod : PODS) {
            Yaml spec = pod.template().at("spec");
            assertThat(spec.at("enableServiceLinks").is(false)).as(pod.name()).isTrue();
            assertThat(spec.at("automountServiceAccountToken").is(false))
                    .as(pod.name())
                    .isTrue();
            Yaml security = spec.at("securityContext");
            assertThat(security.at("runAsNonRoot").is(true)).as(pod.name()).isTrue();
            assertThat(security.at("runAsUser").number()).as(pod.name()).isPositive();
            assertThat(security.at("seccompProfile", "type").text()).isEqualTo("RuntimeDefault");
            for (Yaml container : pod.containers()) {
                Yaml own = container.at("securityContext");
                assertThat(own.at("allowPrivilegeEscalation").is(false))
                        .as(own.place())
                        .isTrue();
                assertThat(own.at("readOnlyRootFilesystem").is(true))
                        .as(own.place())
                        .isTrue();
                assertThat(own.at("capabilities", "drop").value()).isEqualTo(List.of("ALL"));
                Yaml resources = container.at("resources");
                assertThat(resources.at("limits", "memory").value())
                        .as(resources.place())
                        .isNotNull()
                        .isEqualTo(resources.at("requests", "memory").value());
                assertThat(resources.at("requests", "cpu").isThere())
                        .as(resources.place())
                        .isTrue();
            }
        }
    }

    @Test
    void everyMountHasItsVolumeAndEveryImageItsTag() {
        Set<String> tagged =
                Yaml.documents(DIRECTORY.resolve("images/kustomization.yaml")).get(0).at("images").items().stream()
                        .filter(image -> image.at("newTag").isThere())
                        .map(image -> image.at("name").text())
                        .collect(Collectors.toSet());
        Set<String> used = new TreeSet<>();
        for (Pod pod : PODS) {
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

    private static List<Yaml> kinds(String... kinds) {
        return OBJECTS.stream()
                .filter(object -> List.of(kinds).contains(object.at("kind").text()))
                .toList();
    }

    private static Pod pod(String name) {
        return PODS.stream().filter(pod -> pod.name().equals(name)).findFirst().orElseThrow();
    }

    private static List<Pod> agentPods() {
        return List.of(pod("demo-provider"), pod("demo-consumer"));
    }

    private static Yaml mount(Yaml container, String volume) {
        return container.at("volumeMounts").items().stream()
                .filter(mount -> mount.at("name").is(volume))
                .findFirst()
                .orElseThrow();
    }

    private static String path(Yaml container, String probe) {
        return container.at(probe, "httpGet", "path").text();
    }

    private static double seconds(String duration) {
        Matcher seconds = SECONDS.matcher(duration);
        assertThat(seconds.matches()).as(duration).isTrue();
        return Integer.parseInt(seconds.group(1));
    }
}
