package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.address.EndpointId;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The calls that the event loops of an agent have in flight on each endpoint, so that a loop exceeds its share of a
 * limit only as far as the others do not use theirs. Used by all loops; nothing waits.
 */
public final class EndpointLoads {
    /** Two cache lines, since processors fetch lines in pairs: loops must not write to the same ones. */
    private static final int STRIDE = 128 / Integer.BYTES;

    private final Map<EndpointId, Load> loads = new ConcurrentHashMap<>();
    private final int loopCount;

    public EndpointLoads(int loopCount) {
        this.loopCount = loopCount;
    }

    /** Returns the load of an endpoint, for one more loop. */
    public Load open(EndpointId id) {
        return loads.compute(id, (key, present) -> {
            Load load = present == null ? new Load(loopCount) : present;
            load.users++;
            return load;
        });
    }

    /** Called when a loop does not use the endpoint any more. */
    void close(EndpointId id) {
        loads.computeIfPresent(id, (key, load) -> --load.users == 0 ? null : load);
    }

    /** Returns how many endpoints any loop uses. */
    public int size() {
        return loads.size();
    }

    /**
     * The calls in flight on one endpoint. A loop writes its own number; what it reads of others may be a moment old.
     */
    public static final class Load {
        private final AtomicIntegerArray calls;
        /** Only changed by the map's atomic operations. */
        private int users;

        private Load(int loopCount) {
            calls = new AtomicIntegerArray((loopCount + 1) * STRIDE);
        }

        void set(int loop, int inFlight) {
            calls.setOpaque((loop + 1) * STRIDE, inFlight);
        }

        int total() {
            int total = 0;
            for (int i = STRIDE; i < calls.length(); i += STRIDE) {
                total += calls.getOpaque(i);
            }
            return total;
        }
    }
}
