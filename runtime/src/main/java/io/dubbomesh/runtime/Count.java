package io.dubbomesh.runtime;

/** A number of something, for messages: {@code 1 link}, {@code 2 links}. */
public final class Count {
    private Count() {}

    /** @param noun whose plural ends with s */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
