package io.dubbomesh.benchmark.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How one mesh among several differs from the others.
 *
 * @param index           from 0; decides its ports. The first uses etcd where that is installed, each other one a directory of its own
 * @param weights         of the providers; empty: as the user's options say
 * @param jvmFlags        of both agents, behind the usual ones
 * @param consumerOptions settings of the consumer agent, {@code -Dkey=value}
 * @param providerOptions likewise
 * @param agentsOf        the checkout whose agents they are, or null for this one
 */
record MeshSettings(
        int index,
        List<Integer> weights,
        List<String> jvmFlags,
        List<String> consumerOptions,
        List<String> providerOptions,
        Path agentsOf) {
    private static final int HEADROOM = 1024;
    /** The most that {@code lb.limit} takes. */
    private static final int MOST_CALLS = 100_000;

    /** What the consumer agent allows by itself. */
    private static final int HTTP_CONNECTIONS = 16_384;

    static MeshSettings of(int index) {
        return new MeshSettings(index, List.of(), List.of(), List.of(), List.of(), null);
    }

    /** Nobody is to be refused or to wait with so many calls at once: what is measured is the work of a call. */
    MeshSettings withRoomFor(int calls) {
        int room = Math.min(2 * calls + HEADROOM, MOST_CALLS);
        MeshSettings roomy = withConsumer("-Dqueue.size=" + room, "-Dqueue.bytes=64 MiB")
                .withProvider("-Dlb.limit=" + room, "-Ddubbo.queue=" + room);
        return room > HTTP_CONNECTIONS ? roomy.withConsumer("-Dhttp.max-connections=" + room) : roomy;
    }

    MeshSettings withBoth(String... options) {
        return withConsumer(options).withProvider(options);
    }

    MeshSettings withConsumer(String... options) {
        return new MeshSettings(index, weights, jvmFlags, with(consumerOptions, options), providerOptions, agentsOf);
    }

    MeshSettings withProvider(String... options) {
        return new MeshSettings(index, weights, jvmFlags, consumerOptions, with(providerOptions, options), agentsOf);
    }

    MeshSettings withJvmFlags(String... flags) {
        return new MeshSettings(index, weights, with(jvmFlags, flags), consumerOptions, providerOptions, agentsOf);
    }

    MeshSettings withWeights(int... to) {
        return new MeshSettings(
                index, IntStream.of(to).boxed().toList(), jvmFlags, consumerOptions, providerOptions, agentsOf);
    }

    MeshSettings withAgentsOf(Path checkout) {
        return new MeshSettings(index, weights, jvmFlags, consumerOptions, providerOptions, checkout);
    }

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    @Override
    public String toString() {
        String settings = "consumer agent "
                + (consumerOptions.isEmpty() ? "as it is" : String.join(" ", consumerOptions)) + "; provider agents "
                + (providerOptions.isEmpty() ? "as they are" : String.join(" ", providerOptions));
        String withWeights = weights.isEmpty() ? settings : "weights " + weights + "; " + settings;
        return jvmFlags.isEmpty() ? withWeights : "JVM " + String.join(" ", jvmFlags) + "; " + withWeights;
    }
}
