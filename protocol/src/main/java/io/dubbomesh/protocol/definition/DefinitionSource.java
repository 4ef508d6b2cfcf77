package io.dubbomesh.protocol.definition;

/** Where a {@link ServiceDefinition} was read. */
public enum DefinitionSource {
    /** They have everything: type arguments, subclasses, records. */
    CLASS_FILES("class files"),
    /** What the provider's application wrote into a registry: type variables by their names, no subclasses. */
    METADATA_REPORT("metadata report"),
    /** What the provider itself answers: as a report, or methods without the fields of their types. */
    PROVIDER("provider");

    private final String text;

    DefinitionSource(String text) {
        this.text = text;
    }

    /** As clients see it. */
    @Override
    public String toString() {
        return text;
    }
}
