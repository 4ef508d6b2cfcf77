package io.dubbomesh.consumer;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.mesh.MethodNames;

/** A method that calls go to, with what is worked out once: its names as bytes, the number of its parameters, its endpoints. */
final class Route {
    /** Of a route that is not in the table: its calls carry their names. */
    static final int NO_INDEX = -1;

    final MethodName name;
    final byte[] encodedNames;
    /** {@link Descriptors#MALFORMED} where the types are not known too. */
    final int parameterCount;
    /** How the names were spelled when this route was made, the key by which the router finds it. */
    final byte[] spelling;

    final long spellingHash;

    /** Null until it is looked for after the route has its place. */
    EndpointPool pool;

    /** Its place in every link's table of method ids. */
    int index = NO_INDEX;

    Route(MethodName name, byte[] spelling, long spellingHash) {
        this.name = name;
        this.encodedNames = MethodNames.encode(name);
        this.parameterCount = Descriptors.count(name.descriptor());
        this.spelling = spelling;
        this.spellingHash = spellingHash;
    }

    boolean isKept() {
        return index != NO_INDEX;
    }
}
