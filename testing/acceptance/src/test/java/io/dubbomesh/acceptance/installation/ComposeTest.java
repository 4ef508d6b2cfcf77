package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Yaml;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what the composition in docker/ opens to the machine that it runs on. */
class ComposeTest {
    private static final Path FILE = Path.of("../..", "docker", "docker-compose.yml");

    private static Yaml service(String name) {
        return Yaml.documents(FILE).get(0).at("services", name);
    }

    private static List<String> published(String service) {
        return service(service).at("ports").items().stream().map(Yaml::text).toList();
    }

    @Test
    void everyPortIsPublishedToThisMachineAlone() {
        List<String> ports = Yaml.documents(FILE).stream()
                .flatMap(Yaml::all)
                .flatMap(part -> part.at("ports").items().stream())
                .map(Yaml::text)
                .toList();

        assertThat(ports).isNotEmpty().allMatch(port -> port.startsWith("127.0.0.1:"));
    }

    @Test
    void thePageOfTheConsumerAgentIsThereAndMaySteer() {
        String httpPort = ReferenceSettings.CONSUMER.byDefault("server.port");
        String adminPort = ReferenceSettings.CONSUMER.byDefault("admin.port");
        List<String> arguments = service("consumer-agent").at("command").items().stream()
                .map(Yaml::text)
                .toList();

        assertThat(published("consumer-agent"))
                .containsExactly("127.0.0.1:" + httpPort + ":" + httpPort, "127.0.0.1:" + adminPort + ":" + adminPort);
        assertThat(arguments).contains("-Dserver.host=0.0.0.0", "-Dadmin.host=0.0.0.0", "-Dadmin.changes=all");
    }
}
