package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The pods of a Kubernetes workload, as its manifest describes them. */
record Pod(String name, Yaml template) {
    Yaml labels() {
        return template.at("metadata", "labels");
    }

    List<Yaml> containers() {
        List<Yaml> containers =
                new ArrayList<>(template.at("spec", "initContainers").items());
        containers.addAll(template.at("spec", "containers").items());
        return containers;
    }

    Yaml container(String name) {
        return containers().stream()
                .filter(container -> container.at("name").is(name))
                .findFirst()
                .orElseThrow();
    }

    Yaml volume(String name) {
        return template.at("spec", "volumes").items().stream()
                .filter(volume -> volume.at("name").is(name))
                .findFirst()
                .orElse(new Yaml(name, null));
    }

    int graceSeconds() {
        return template.at("spec", "terminationGracePeriodSeconds").number();
    }

    Set<Integer> ports() {
        return containers().stream()
                .flatMap(container -> container.at("ports").items().stream())
                .map(port -> port.at("containerPort").number())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns a port by its name or number. */
    int port(Object wanted) {
        Object key = wanted instanceof Yaml yaml ? yaml.value() : wanted;
        return containers().stream()
                .flatMap(container -> container.at("ports").items().stream())
                .filter(port ->
                        port.at("name").is(key) || port.at("containerPort").is(key))
                .map(port -> port.at("containerPort").number())
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no port " + key));
    }

    /** Returns the value that the agent is given, or its default. */
    String setting(String key) {
        String value = variable(key);
        return value != null
                ? value
                : ReferenceSettings.ofImage(container("agent").at("image").text())
                        .byDefault(key);
    }

    /** Returns the value that the agent is given; of one that comes from the pod's fields, the field; or null. */
    String variable(String key) {
        return container("agent").at("env").items().stream()
                .filter(variable -> variable.at("name").is(ReferenceSettings.variable(key)))
                .map(variable -> variable.at("value").isThere()
                        ? variable.at("value").text()
                        : variable.at("valueFrom", "fieldRef", "fieldPath").text())
                .findFirst()
                .orElse(null);
    }
}
