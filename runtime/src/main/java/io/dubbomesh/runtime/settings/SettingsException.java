package io.dubbomesh.runtime.settings;

import java.util.Collection;
import java.util.List;

/** Settings that cannot be used, a line for each: {@code server.port: 70000 (expected: 1-65535)}. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An array, since exceptions are serializable. */
    private final String[] problems;

    public SettingsException(String problem) {
        this(List.of(problem));
    }

    SettingsException(Collection<String> problems) {
        super(String.join("\n", problems));
        this.problems = problems.toArray(String[]::new);
    }

    /** Returns one for each wrong setting; may quote text that is not fit for a terminal. */
    public List<String> problems() {
        return List.of(problems);
    }
}
