package io.dubbomesh.protocol.type;

/** The reader that makes Java values of the written arguments. */
enum Receiver {
    /** The reader: the method is called with what it reads. */
    METHOD,
    /**
     * The reader, for a service that is implemented generically, unless the provider turns out to be an ordinary one.
     */
    GENERIC_SERVICE,
    /** The provider, which makes what is not native of maps, lists and scalars with all digits. */
    CONVERTER,
    /** The provider, also of objects that are native, but not of records, which no provider makes of maps. */
    CONVERTER_OF_OBJECTS,
    /** The provider, also of what is native: the reader may not have the classes. */
    CONVERTER_OF_MAPS;

    /** Returns whether the provider converts what is not native. */
    boolean converts() {
        return this == CONVERTER || convertsObjects();
    }

    /** Returns whether the provider also makes objects that are native. */
    boolean convertsObjects() {
        return this == CONVERTER_OF_OBJECTS || this == CONVERTER_OF_MAPS;
    }

    /**
     * Returns whether the arguments are those of {@code $invoke}: some providers make an object of any class that a map
     * in them names.
     */
    boolean isCalledByInvoke() {
        return this != METHOD;
    }
}
