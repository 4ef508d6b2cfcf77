package io.dubbomesh.registry;

import java.util.ArrayList;
import java.util.List;

/**
 * Applications that have registered, and of which it is not known what they export, and registries that have not
 * answered: any service may be one of theirs.
 *
 * @param count    how many applications there are, in how many revisions
 * @param examples some of them, each with the reason
 */
public record UnknownExports(int count, List<String> examples, SilentRegistries registries) {
    public static final UnknownExports NONE = new UnknownExports(0, List.of());
    /** Examples that are kept of many. */
    public static final int MAX_EXAMPLES = 3;

    public UnknownExports {
        examples = List.copyOf(examples);
    }

    public UnknownExports(int count, List<String> examples) {
        this(count, examples, SilentRegistries.NONE);
    }

    public UnknownExports and(UnknownExports others) {
        List<String> all = new ArrayList<>(examples);
        all.addAll(others.examples);
        return new UnknownExports(
                count + others.count, all.stream().limit(MAX_EXAMPLES).toList(), registries);
    }

    /** Returns the same applications, and these registries. */
    public UnknownExports with(SilentRegistries silent) {
        return new UnknownExports(count, examples, silent);
    }

    public boolean isEmpty() {
        return count == 0 && registries.isEmpty();
    }

    /** Returns the end of a sentence for a client that has called a service that may be one of theirs. */
    public String reason() {
        String ofApplications = "it may be a service of an application whose metadata was not found yet: " + this;
        if (registries.isEmpty()) {
            return ofApplications;
        }
        return registries + (count == 0 ? "" : "; " + ofApplications);
    }

    /** Returns the applications. */
    @Override
    public String toString() {
        int more = count - examples.size();
        return String.join("; ", examples) + (more > 0 ? "; and " + more + " more" : "");
    }
}
