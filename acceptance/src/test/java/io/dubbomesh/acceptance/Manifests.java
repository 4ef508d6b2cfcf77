package io.dubbomesh.acceptance;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The manifests in docker/k8s, as they are written. */
final class Manifests {
    static final Path DIRECTORY = Path.of("..", "docker", "k8s");
    static final List<Yaml> OBJECTS = Stream.of("namespace", "network-policies", "etcd", "provider", "consumer")
            .flatMap(name -> Yaml.documents(DIRECTORY.resolve("base").resolve(name + ".yaml")).stream())
            .toList();
    static final List<Pod> PODS = OBJECTS.stream()
            .filter(object -> object.at("spec", "template").isThere())
            .map(object -> new Pod(object.at("metadata", "name").text(), object.at("spec", "template")))
            .toList();

    private Manifests() {}

    static List<Yaml> kinds(String... kinds) {
        return OBJECTS.stream()
                .filter(object -> List.of(kinds).contains(object.at("kind").text()))
                .toList();
    }

    static Pod pod(String name) {
        return PODS.stream().filter(pod -> pod.name().equals(name)).findFirst().orElseThrow();
    }

    static List<Pod> agentPods() {
        return List.of(pod("demo-provider"), pod("demo-consumer"));
    }
}
