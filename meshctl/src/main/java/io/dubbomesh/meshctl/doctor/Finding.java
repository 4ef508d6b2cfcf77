package io.dubbomesh.meshctl.doctor;

/**
 * The result of a check.
 *
 * @param remedy what to do about it; empty where all is well
 */
public record Finding(Level level, String text, String remedy) {
    public enum Level {
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
