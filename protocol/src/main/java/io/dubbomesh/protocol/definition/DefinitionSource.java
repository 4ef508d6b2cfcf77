package io.dubbomesh.protocol.definition;

/** The source of a {@link ServiceDefinition}. */
public enum DefinitionSource {
    /** The class files, which have everything: type arguments, subclasses, records. */
    CLASS_FILES("class files"),
    /** The descriptors of protobuf in files that the agent was given. */
    DESCRIPTORS("descriptors"),
    /**
     * The report that the provider's application wrote into a registry: type variables by their names, no subclasses.
     */
    METADATA_REPORT("metadata report"),
    /** The answer of the provider itself: as a report, or methods without the fields of their types. */
    PROVIDER("provider");

    private final String text;

    DefinitionSource(String text) {
        this.text = text;
    }

    /** Returns the source as clients see it. */
    @Override
    public String toString() {
        return text;
    }
}
