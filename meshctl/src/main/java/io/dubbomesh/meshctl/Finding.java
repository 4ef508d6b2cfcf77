package io.dubbomesh.meshctl;

/**
 * What a look at an agent has found.
 *
 * @param remedy what to do about it; empty where all is well
 */
record Finding(Level level, String text, String remedy) {
    enum Level {
        OK,
        WARN,
        FAIL
    }

    static Finding ok(String text) {
        return new Finding(Level.OK, text, "");
    }

    static Finding warn(String text, String remedy) {
        return new Finding(Level.WARN, text, remedy);
    }

    static Finding fail(String text, String remedy) {
        return new Finding(Level.FAIL, text, remedy);
    }
}
