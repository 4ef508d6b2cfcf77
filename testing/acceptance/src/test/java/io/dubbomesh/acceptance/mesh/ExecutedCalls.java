package io.dubbomesh.acceptance.mesh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The calls that providers have executed since a moment. */
public final class ExecutedCalls {
    private final List<Dubbo> dubbos;
    private final List<Integer> before = new ArrayList<>();

    private ExecutedCalls(Collection<Dubbo> dubbos) {
        this.dubbos = List.copyOf(dubbos);
    }

    public static ExecutedCalls from(Collection<Dubbo> dubbos) throws IOException {
        ExecutedCalls calls = new ExecutedCalls(dubbos);
        for (Dubbo dubbo : calls.dubbos) {
            calls.before.add(dubbo.executed());
        }
        return calls;
    }

    /** Returns the calls that each provider has executed. */
    public int[] spread() throws IOException {
        int[] spread = new int[dubbos.size()];
        for (int i = 0; i < spread.length; i++) {
            spread[i] = dubbos.get(i).executed() - before.get(i);
        }
        return spread;
    }

    /** @param load whose calls differ from each other */
    public void assertNoneTwiceAndAllOf(Load load) throws IOException {
        List<Integer> executed = new ArrayList<>();
        for (int i = 0; i < dubbos.size(); i++) {
            List<Integer> results = dubbos.get(i).results();
            executed.addAll(results.subList(before.get(i), results.size()));
        }
        assertThat(new HashSet<>(executed)).as("calls executed once").hasSameSizeAs(executed);
        assertThat(executed).containsAll(load.right());
    }
}
