package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * How one mesh among several differs from the others.
 *
 * @param index           from 0; decides its ports. The first uses etcd where that is installed, each other one a directory of its own
 * @param jvmFlags        of both agents, behind the usual ones
 * @param consumerOptions settings of the consumer agent, {@code -Dkey=value}
 * @param providerOptions likewise
 */
record MeshSettings(int index, List<String> jvmFlags, List<String> consumerOptions, List<String> providerOptions) {
    private static final int HEADROOM = 1024;

    static MeshSettings of(int index) {
        return new MeshSettings(index, List.of(), List.of(), List.of());
    }

    /** Nobody is to be refused or to wait with so many connections: what is measured is the work of a call. */
    MeshSettings withRoomFor(int connections) {
        int room = 2 * connections + HEADROOM;
        return withConsumer("-Dqueue.size=" + room, "-Dhttp.max-connections=" + room)
                .withProvider("-Dlb.limit=" + room, "-Ddubbo.queue=" + room);
    }

    MeshSettings withBoth(String... options) {
        return withConsumer(options).withProvider(options);
    }

    MeshSettings withConsumer(String... options) {
        return new MeshSettings(index, jvmFlags, with(consumerOptions, options), providerOptions);
    }

    MeshSettings withProvider(String... options) {
        return new MeshSettings(index, jvmFlags, consumerOptions, with(providerOptions, options));
    }

    MeshSettings withJvmFlags(String... flags) {
        return new MeshSettings(index, with(jvmFlags, flags), consumerOptions, providerOptions);
    }

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        if (!jvmFlags.isEmpty()) {
            all.add("JVM " + String.join(" ", jvmFlags));
        }
        all.add("consumer agent " + (consumerOptions.isEmpty() ? "as it is" : String.join(" ", consumerOptions)));
        all.add("provider agents " + (providerOptions.isEmpty() ? "as they are" : String.join(" ", providerOptions)));
        return String.join("; ", all);
    }
}
