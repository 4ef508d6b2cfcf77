package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.value.ClassNames;

/**
 * The format of a call's document.
 *
 * @param text        a scalar is plain text (form interface), not JSON
 * @param token       whether the request had a token, for the document about a token that the provider refuses
 * @param methodKnown whether the provider has executed a call of the method before, for the document about a request
 *     that it cannot read
 */
public record ResultFormat(boolean text, ClassNames classNames, boolean token, boolean methodKnown) {
    private static final int TEXT = 1;
    private static final int TOKEN = 2;
    private static final int METHOD_KNOWN = 4;
    /** The formats by {@link #TEXT} and the other flags. */
    private static final ResultFormat[][] ALL = new ResultFormat[8][];

    static {
        ClassNames[] classNames = ClassNames.values();
        for (int i = 0; i < ALL.length; i++) {
            ALL[i] = new ResultFormat[classNames.length];
            for (ClassNames names : classNames) {
                ALL[i][names.ordinal()] =
                        new ResultFormat((i & TEXT) != 0, names, (i & TOKEN) != 0, (i & METHOD_KNOWN) != 0);
            }
        }
    }

    private static ResultFormat of(boolean text, ClassNames names, boolean token, boolean methodKnown) {
        int index = (text ? TEXT : 0) | (token ? TOKEN : 0) | (methodKnown ? METHOD_KNOWN : 0);
        return ALL[index][names.ordinal()];
    }

    /** Returns the format of a call without a token. */
    public static ResultFormat of(boolean text, boolean classNames, boolean generic) {
        return of(text, classNames, generic, false);
    }

    /**
     * One of those that there are; allocates nothing. The method is not known.
     *
     * @param classNames whether an object's first member is to be {@code class}, the name of its class
     * @param generic whether the call was a generic one, whose result has maps for objects: their key {@code class} is
     *     the class's name
     * @param token      whether the request had a token
     */
    public static ResultFormat of(boolean text, boolean classNames, boolean generic, boolean token) {
        return of(text, names(classNames, generic), token, false);
    }

    private static ClassNames names(boolean classNames, boolean generic) {
        if (generic) {
            return classNames ? ClassNames.KEEP : ClassNames.REMOVE;
        }
        return classNames ? ClassNames.WRITE : ClassNames.OMIT;
    }

    /** Returns the same for the result of a generic call. */
    public ResultFormat ofGenericCall() {
        return of(text, names(classNames.areWritten(), true), token, methodKnown);
    }

    /** Returns the same for the messages of a stream, which are JSON. */
    public ResultFormat ofMessages() {
        return of(false, classNames, token, methodKnown);
    }

    /** Returns the same for a call of a method that the provider has executed before. */
    public ResultFormat ofKnownMethod() {
        return of(text, classNames, token, true);
    }
}
