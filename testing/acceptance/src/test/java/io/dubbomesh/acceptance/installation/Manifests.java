package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Yaml;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The manifests in docker/k8s, as they are written. */
final class Manifests {
    static final Path DIRECTORY = Path.of("../..", "docker", "k8s");
    static final List<Yaml> OBJECTS = objects("base", "namespace", "network-policies", "etcd", "provider", "consumer");
    static final List<Pod> PODS = pods(OBJECTS);

    /** The manifests of a gateway, which is applied alone, in a namespace of its own. */
    static final List<Yaml> GATEWAY = objects("gateway", "namespace", "network-policies", "gateway");

    static final List<Yaml> ALL_OBJECTS =
            Stream.concat(OBJECTS.stream(), GATEWAY.stream()).toList();

    static final List<Pod> ALL_PODS =
            Stream.concat(PODS.stream(), pods(GATEWAY).stream()).toList();

    private Manifests() {}

    private static List<Yaml> objects(String directory, String... files) {
        return Stream.of(files)
                .flatMap(name -> Yaml.documents(DIRECTORY.resolve(directory).resolve(name + ".yaml")).stream())
                .toList();
    }

    private static List<Pod> pods(List<Yaml> objects) {
        return objects.stream()
                .filter(object -> object.at("spec", "template").isThere())
                .map(object -> new Pod(object.at("metadata", "name").text(), object.at("spec", "template")))
                .toList();
    }

    static List<Yaml> kinds(String... kinds) {
        return kinds(OBJECTS, kinds);
    }

    static List<Yaml> kinds(List<Yaml> objects, String... kinds) {
        return objects.stream()
                .filter(object -> List.of(kinds).contains(object.at("kind").text()))
                .toList();
    }

    static Pod pod(String name) {
        return ALL_PODS.stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static List<Pod> agentPods() {
        return List.of(pod("demo-provider"), pod("demo-consumer"));
    }
}
