package io.dubbomesh.registry;

import java.util.ArrayList;
import java.util.List;

/**
 * Applications that have registered, and of which it is not known what they export: any service may be one of theirs.
 *
 * @param count    how many there are, in how many revisions
 * @param examples some of them, each with the reason
 */
public record UnknownExports(int count, List<String> examples) {
    public static final UnknownExports NONE = new UnknownExports(0, List.of());
    /** Examples that are kept of many. */
    public static final int MAX_EXAMPLES = 3;

    public UnknownExports {
        examples = List.copyOf(examples);
    }

    UnknownExports and(UnknownExports others) {
        List<String> all = new ArrayList<>(examples);
        all.addAll(others.examples);
        return new UnknownExports(
                count + others.count, all.stream().limit(MAX_EXAMPLES).toList());
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** As the end of a sentence for who has called a service that may be one of theirs. */
    @Override
    public String toString() {
        int more = count - examples.size();
        return String.join("; ", examples) + (more > 0 ? "; and " + more + " more" : "");
    }
}
