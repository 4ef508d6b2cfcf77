package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.method.MethodCatalog;
import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.protocol.MethodName;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The methods that have ids on the links of one event loop, which owns them: each is kept once, however many links have
 * it. What they take is estimated from their names, rather too high than too low.
 */
final class SharedMethods {
    /** The bytes of a method with the shortest names. */
    private static final int FIXED_BYTES = 2048;
    /**
     * The bytes for each character of a name: it stands in the name, and twice or three times in the prepared request.
     */
    private static final int BYTES_PER_CHARACTER = 4;
    /** The bytes for each character of a descriptor, in which a type can be three characters. */
    private static final int BYTES_PER_TYPE_CHARACTER = 32;
    /** An array of so many dimensions has the names of all arrays that it consists of. */
    private static final int BYTES_PER_SQUARE_OF_DIMENSIONS = 3;

    private static final int MAX_DIMENSIONS = 255;

    /** Peers choose the names, so they are not hashed. */
    private static final Comparator<MethodName> ORDER = Comparator.comparing(MethodName::service)
            .thenComparing(MethodName::method)
            .thenComparing(MethodName::descriptor)
            .thenComparing(MethodName::version)
            .thenComparing(MethodName::group);

    private final MethodCatalog catalog;
    private final long capacity;
    private final Map<MethodName, Shared> methods = new TreeMap<>(ORDER);
    private long used;

    /** A method and how many ids it has. */
    static final class Shared {
        private final MethodName name;
        private final ResolvedMethod method;
        private final int bytes;
        private int ids;

        private Shared(MethodName name, ResolvedMethod method) {
            this.name = name;
            this.method = method;
            bytes = estimate(name);
        }

        ResolvedMethod method() {
            return method;
        }

        /** Returns the bytes that it takes, about. */
        int bytes() {
            return bytes;
        }
    }

    /** @param capacity bytes that all may take */
    SharedMethods(MethodCatalog catalog, long capacity) {
        this.catalog = catalog;
        this.capacity = capacity;
    }

    private static int estimate(MethodName name) {
        String descriptor = name.descriptor();
        int names = name.service().length()
                + name.method().length()
                + name.version().length()
                + name.group().length();
        int dimensions = (int) Math.min(
                MAX_DIMENSIONS, descriptor.chars().filter(c -> c == '[').count());
        return FIXED_BYTES
                + BYTES_PER_CHARACTER * names
                + BYTES_PER_TYPE_CHARACTER * descriptor.length()
                + BYTES_PER_SQUARE_OF_DIMENSIONS * dimensions * dimensions;
    }

    /** Returns the method for one more id; to be given back with {@link #release}. */
    Shared take(MethodName name) {
        Shared shared = methods.get(name);
        if (shared == null) {
            shared = new Shared(name, new ResolvedMethod(name, catalog));
            methods.put(name, shared);
            used += shared.bytes;
        }
        shared.ids++;
        return shared;
    }

    void release(Shared shared) {
        shared.ids--;
        if (shared.ids == 0) {
            methods.remove(shared.name);
            used -= shared.bytes;
        }
    }

    /** Returns whether they take more than they may. */
    boolean areTooMany() {
        return used > capacity;
    }

    long used() {
        return used;
    }

    long capacity() {
        return capacity;
    }
}
