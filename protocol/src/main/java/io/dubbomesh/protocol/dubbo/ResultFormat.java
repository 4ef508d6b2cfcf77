package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.value.ClassNames;

/**
 * How the document of a successful call is written.
 *
 * @param text a scalar is plain text (form interface), not JSON
 */
public record ResultFormat(boolean text, ClassNames classNames) {
    private static final ResultFormat[] TEXT = all(true);
    private static final ResultFormat[] JSON = all(false);

    private static ResultFormat[] all(boolean text) {
        ClassNames[] classNames = ClassNames.values();
        ResultFormat[] formats = new ResultFormat[classNames.length];
        for (int i = 0; i < formats.length; i++) {
            formats[i] = new ResultFormat(text, classNames[i]);
        }
        return formats;
    }

    /**
     * One of the six that there are; allocates nothing.
     *
     * @param classNames whether an object's first member is to be {@code class}, the name of its class
     * @param generic    whether the call was a generic one, whose result has maps for objects: their key {@code class} is the class's name
     */
    public static ResultFormat of(boolean text, boolean classNames, boolean generic) {
        ClassNames names = classNames ? ClassNames.WRITE : generic ? ClassNames.REMOVE : ClassNames.OMIT;
        return (text ? TEXT : JSON)[names.ordinal()];
    }
}
