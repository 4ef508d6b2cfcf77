package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.value.ClassNames;

/**
 * How the document of a call is written.
 *
 * @param text  a scalar is plain text (form interface), not JSON
 * @param token whether the request had a token, for the document about a token that the provider refuses
 */
public record ResultFormat(boolean text, ClassNames classNames, boolean token) {
    private static final ResultFormat[] TEXT = all(true, false);
    private static final ResultFormat[] JSON = all(false, false);
    private static final ResultFormat[] TEXT_WITH_TOKEN = all(true, true);
    private static final ResultFormat[] JSON_WITH_TOKEN = all(false, true);

    private static ResultFormat[] all(boolean text, boolean token) {
        ClassNames[] classNames = ClassNames.values();
        ResultFormat[] formats = new ResultFormat[classNames.length];
        for (int i = 0; i < formats.length; i++) {
            formats[i] = new ResultFormat(text, classNames[i], token);
        }
        return formats;
    }

    /** As below, for a call without a token. */
    public static ResultFormat of(boolean text, boolean classNames, boolean generic) {
        return of(text, classNames, generic, false);
    }

    /**
     * One of the twelve that there are; allocates nothing.
     *
     * @param classNames whether an object's first member is to be {@code class}, the name of its class
     * @param generic    whether the call was a generic one, whose result has maps for objects: their key {@code class} is the class's name
     * @param token      whether the request had a token
     */
    public static ResultFormat of(boolean text, boolean classNames, boolean generic, boolean token) {
        ClassNames names = classNames ? ClassNames.WRITE : generic ? ClassNames.REMOVE : ClassNames.OMIT;
        ResultFormat[] formats = text ? token ? TEXT_WITH_TOKEN : TEXT : token ? JSON_WITH_TOKEN : JSON;
        return formats[names.ordinal()];
    }

    /** The same for the result of a generic call. */
    public ResultFormat ofGenericCall() {
        return of(text, classNames == ClassNames.WRITE, true, token);
    }
}
