package io.dubbomesh.benchmark.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The settings by which one mesh among several differs from the others.
 *
 * @param index from 0; decides its ports. The first uses etcd if that is installed, every other one a directory of its
 *     own
 * @param jvmFlags of both agents, after the usual ones
 * @param consumer settings of the consumer agent, {@code -Dkey=value}
 * @param provider likewise, of the provider agents
 * @param agentsOf the checkout of the agents, or null for this one
 * @param token    the bearer token of each request, or null
 */
record MeshSettings(
        int index, List<String> jvmFlags, List<String> consumer, List<String> provider, Path agentsOf, String token) {
    private static final int HEADROOM = 1024;

    /** The highest value of {@code lb.limit}. */
    private static final int MOST_CALLS = 100_000;

    /** The consumer agent's default. */
    private static final int HTTP_CONNECTIONS = 16_384;

    static MeshSettings of(int index) {
        return new MeshSettings(index, List.of(), List.of(), List.of(), null, null);
    }

    /** Other ports, and another registry. */
    MeshSettings withIndex(int other) {
        return new MeshSettings(other, jvmFlags, consumer, provider, agentsOf, token);
    }

    /** No call is refused or waits with so many calls at once: what is measured is the work of a call. */
    MeshSettings withRoomFor(int calls) {
        int room = Math.min(2 * calls + HEADROOM, MOST_CALLS);
        MeshSettings roomy = withConsumer("-Dqueue.size=" + room, "-Dqueue.bytes=64 MiB")
                .withProvider("-Dlb.limit=" + room, "-Ddubbo.queue=" + room);
        return room > HTTP_CONNECTIONS ? roomy.withConsumer("-Dhttp.max-connections=" + room) : roomy;
    }

    /** The same for a consumer agent that calls providers directly. */
    MeshSettings withRoomForDirect(int calls) {
        MeshSettings roomy = withRoomFor(calls);
        return roomy.withConsumer(roomy.provider.toArray(String[]::new));
    }

    MeshSettings withConsumer(String... settings) {
        return new MeshSettings(index, jvmFlags, with(consumer, settings), provider, agentsOf, token);
    }

    MeshSettings withProvider(String... settings) {
        return new MeshSettings(index, jvmFlags, consumer, with(provider, settings), agentsOf, token);
    }

    MeshSettings withJvmFlags(String... flags) {
        return new MeshSettings(index, with(jvmFlags, flags), consumer, provider, agentsOf, token);
    }

    MeshSettings withAgentsOf(Path checkout) {
        return new MeshSettings(index, jvmFlags, consumer, provider, checkout, token);
    }

    MeshSettings withToken(String bearer) {
        return new MeshSettings(index, jvmFlags, consumer, provider, agentsOf, bearer);
    }

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    @Override
    public String toString() {
        return (jvmFlags.isEmpty() ? "" : "JVM " + String.join(" ", jvmFlags) + "; ") + "consumer agent "
                + text(consumer) + "; provider agents " + text(provider);
    }

    private static String text(List<String> settings) {
        return settings.isEmpty() ? "with the default settings" : String.join(" ", settings);
    }
}
