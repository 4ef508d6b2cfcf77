package io.dubbomesh.registry;

import java.util.List;

/**
 * Registries that have not answered since the start.
 *
 * @param names as clients may see them: without the values of their options
 */
public record SilentRegistries(List<String> names) {
    public static final SilentRegistries NONE = new SilentRegistries(List.of());

    public SilentRegistries {
        names = List.copyOf(names);
    }

    public boolean isEmpty() {
        return names.isEmpty();
    }

    /**
     * Returns what to answer as long as there is no directory, without its end: some of several registries may have
     * answered, and the others are waited for.
     */
    public static String waitsFor(List<String> names) {
        return names.size() == 1
                ? new SilentRegistries(names).toString()
                : "the registries " + String.join(" and ", names) + " have not all answered since the start";
    }

    /** Returns a sentence without its end: {@code the registries a and b have not answered since the start}. */
    @Override
    public String toString() {
        String since = " not answered since the start";
        return names.size() == 1
                ? "the registry " + names.get(0) + " has" + since
                : "the registries " + String.join(" and ", names) + " have" + since;
    }
}
