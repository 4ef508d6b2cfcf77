package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.Program;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One of those that are compared.
 *
 * @param environment of wrk's script
 * @param programs    whose CPU time and memory belong to this side
 * @param shared      programs that serve other sides too, or are not part of what is compared: reported, but in no sum
 */
public record Side(
        String name, String url, Map<String, String> environment, List<Program> programs, List<Program> shared) {
    List<Program> allPrograms() {
        return Stream.concat(programs.stream(), shared.stream()).toList();
    }
}
