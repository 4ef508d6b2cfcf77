package io.dubbomesh.protocol.dubbo;

/**
 * How the document of a good answer is to be written.
 *
 * @param text       a scalar is plain text (form interface), not JSON
 * @param classNames an object's first member is {@code class}, the name of its class
 * @param generic    the call was a generic one, whose result has maps for objects: their key {@code class} is the class's name
 */
public record ResultFormat(boolean text, boolean classNames, boolean generic) {
    private static final ResultFormat[] ALL = new ResultFormat[8];

    static {
        for (int i = 0; i < ALL.length; i++) {
            ALL[i] = new ResultFormat((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
        }
    }

    /** One of the eight that there are; allocates nothing. */
    public static ResultFormat of(boolean text, boolean classNames, boolean generic) {
        return ALL[(text ? 1 : 0) | (classNames ? 2 : 0) | (generic ? 4 : 0)];
    }
}
