package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Yaml;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests how the pods in docker/k8s start and stop, and what they are allowed to do. */
class KubernetesPodTest {
    private static final Pattern SECONDS = Pattern.compile("(\\d+) s");
    private static final Pattern SLEEP = Pattern.compile("sleep (\\d+)");
    private static final Pattern TRIES = Pattern.compile("i < (\\d+).*sleep ([0-9.]+)");

    @Test
    void everyProbeUsesAPortOfItsContainer() {
        for (Pod pod : Manifests.ALL_PODS) {
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
    void theAppWaitsForItsAgentAndTheAgentForItsProvider() {
        for (Pod pod : Manifests.agentPods()) {
            Yaml agent = pod.container("agent");
            assertThat(pod.template().at("spec", "initContainers").items()).containsExactly(agent);
            assertThat(agent.at("restartPolicy").text()).isEqualTo("Always");
            assertThat(path(agent, "readinessProbe")).isEqualTo("/readyz");
            assertThat(path(agent, "livenessProbe")).isEqualTo("/healthz");
        }
        // A provider is started once its agent has started, and the agent is ready once it has reached the provider.
        assertThat(path(Manifests.pod("demo-provider").container("agent"), "startupProbe"))
                .isEqualTo("/healthz");
        assertThat(path(Manifests.pod("demo-consumer").container("agent"), "startupProbe"))
                .isEqualTo("/readyz");
    }

    @Test
    void aProviderStopsAfterItsAgentAndTheGraceSufficesForBoth() {
        Pod provider = Manifests.pod("demo-provider");
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
        // An agent has a second beyond its grace.
        assertThat(longest).isGreaterThan(grace + 1);
        assertThat((double) provider.graceSeconds()).isGreaterThan(grace + longest);

        Pod consumer = Manifests.pod("demo-consumer");
        assertThat((double) consumer.graceSeconds()).isGreaterThan(seconds(consumer.setting("shutdown.grace")) + 1);
    }

    @Test
    void aGatewayEndsAfterTheServicesClientsKnowAndWithinItsGrace() {
        Pod gateway = Manifests.pod("gateway");
        Yaml agent = gateway.container("agent");
        assertThat(path(agent, "startupProbe")).isEqualTo("/healthz");
        assertThat(path(agent, "readinessProbe")).isEqualTo("/readyz");
        assertThat(path(agent, "livenessProbe")).isEqualTo("/healthz");
        Matcher hook = SLEEP.matcher(
                agent.at("lifecycle", "preStop", "exec", "command").text());
        assertThat(hook.find()).isTrue();
        assertThat((double) gateway.graceSeconds())
                .isGreaterThan(Integer.parseInt(hook.group(1)) + seconds(gateway.setting("shutdown.grace")) + 1);
    }

    @Test
    void everyContainerIsRestrictedAndLimited() {
        for (List<Yaml> objects : List.of(Manifests.OBJECTS, Manifests.GATEWAY)) {
            assertThat(Manifests.kinds(objects, "Namespace")
                            .get(0)
                            .at("metadata", "labels", "pod-security.kubernetes.io/enforce")
                            .text())
                    .isEqualTo("restricted");
        }
        for (Pod pod : Manifests.ALL_PODS) {
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

    private static String path(Yaml container, String probe) {
        return container.at(probe, "httpGet", "path").text();
    }

    private static double seconds(String duration) {
        Matcher seconds = SECONDS.matcher(duration);
        assertThat(seconds.matches()).as(duration).isTrue();
        return Integer.parseInt(seconds.group(1));
    }
}
