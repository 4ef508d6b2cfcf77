package io.dubbomesh.benchmark.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One of those that are compared.
 *
 * @param script      wrk's
 * @param environment of the script
 * @param programs    whose CPU time and memory are its own
 * @param shared      programs that serve other sides too, or are no part of what is compared: reported, but in no sum
 */
record Side(
        String name,
        String url,
        Path script,
        Map<String, String> environment,
        List<Program> programs,
        List<Program> shared) {
    Side with(Path otherScript) {
        return new Side(name, url, otherScript, environment, programs, shared);
    }

    List<Program> allPrograms() {
        return Stream.concat(programs.stream(), shared.stream()).toList();
    }
}
