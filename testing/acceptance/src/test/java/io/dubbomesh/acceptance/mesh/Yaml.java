package io.dubbomesh.acceptance.mesh;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A part of a YAML document, and where it stands, for messages. What is not there is a part with nothing in it. */
public record Yaml(String place, Object value) {
    /** The documents of a file, which is read as Kubernetes and compose read it, as YAML 1.1. */
    public static List<Yaml> documents(Path file) {
        List<Yaml> documents = new ArrayList<>();
        try (Reader reader = Files.newBufferedReader(file)) {
            for (Object document :
                    new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions())).loadAll(reader)) {
                documents.add(new Yaml(file.getFileName().toString(), document));
            }
        } catch (IOException e) {
            throw new AssertionError(file.toString(), e);
        }
        return documents;
    }

    /** The value of a key, of a key in that, and so on. */
    public Yaml at(String... keys) {
        Yaml part = this;
        for (String key : keys) {
            Object found = part.value instanceof Map<?, ?> map ? map.get(key) : null;
            part = new Yaml(part.place + "." + key, found);
        }
        return part;
    }

    public boolean isThere() {
        return value != null;
    }

    public boolean is(Object expected) {
        return expected.equals(value);
    }

    /** Empty if it is no list. */
    public List<Yaml> items() {
        List<Yaml> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object item : list) {
                Yaml plain = new Yaml(place + "[" + items.size() + "]", item);
                Yaml name = plain.at("name");
                items.add(name.isThere() ? new Yaml(place + "[" + name.text() + "]", item) : plain);
            }
        }
        return items;
    }

    /** Empty if it is no map. */
    public List<Yaml> values() {
        return value instanceof Map<?, ?> map
                ? map.keySet().stream().map(key -> at(key.toString())).toList()
                : List.of();
    }

    /** Empty if it is no map. */
    public Map<?, ?> map() {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    public String text() {
        return String.valueOf(value);
    }

    public int number() {
        if (value instanceof Integer number) {
            return number;
        }
        throw new AssertionError(place + ": " + value + " (expected: a number)");
    }

    /** This part and all within it. */
    public Stream<Yaml> all() {
        return Stream.concat(
                Stream.of(this),
                Stream.concat(values().stream(), items().stream()).flatMap(Yaml::all));
    }

    @Override
    public String toString() {
        return place + ": " + value;
    }
}
