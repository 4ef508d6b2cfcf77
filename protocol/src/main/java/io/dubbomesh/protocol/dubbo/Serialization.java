package io.dubbomesh.protocol.dubbo;

/** How the bodies of Dubbo frames are written; an answer is read by the id that it bears. */
public enum Serialization {
    HESSIAN2(2),
    FASTJSON(6),
    FASTJSON2(23);

    private final int id;

    Serialization(int id) {
        this.id = id;
    }

    /** The number in the low five bits of a header's flags. */
    public int id() {
        return id;
    }
}
