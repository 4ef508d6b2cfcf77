package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.dubbo.Serialization;

/** The names of serializations in the messages of Triple. */
final class TripleSerialization {
    /** That of Hessian 2 in all versions of Dubbo; some also take the other one. */
    private static final String HESSIAN = "hessian4";

    private TripleSerialization() {}

    static String name(Serialization serialization) {
        return serialization == Serialization.HESSIAN2 ? HESSIAN : serialization.dubboName();
    }

    /** Returns the serialization of this name; null if it is not one that is read. */
    static Serialization named(String name) {
        if (name.equals(HESSIAN)) {
            return Serialization.HESSIAN2;
        }
        return Serialization.names().contains(name) ? Serialization.named(name) : null;
    }
}
