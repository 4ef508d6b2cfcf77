package io.dubbomesh.protocol.value;

import java.util.List;

/**
 * Reads objects whose fields come without their names, in the order that the definition of their class gives once for
 * all. Part of a {@link ValueReader}; classes have the numbers that {@link #beginObject} returns until the next
 * {@link ValueReader#beginValue}.
 */
public interface ObjectReader {
    /** Begins the name of the field that javac gives an inner class, which is none of its value. */
    String OUTER_OBJECT = "this$";

    /** Begins an {@link ValueReader.Token#OBJECT}, whose fields' values follow; returns the number of its class. */
    int beginObject() throws MalformedValueException;

    String className(int number) throws MalformedValueException;

    int fieldCount(int number);

    List<String> fieldNames(int number) throws MalformedValueException;

    /** Returns which fields, in their order, have the name of a later one, that of a subclass; null if none has. */
    boolean[] hiddenFields(int number) throws MalformedValueException;

    /** Returns whether the class has one field, with the name {@code name}, as an enum has. */
    boolean hasOnlyName(int number);

    /** Begins the names of the fields; returns what {@link #writeFieldName} takes for the first. */
    int beginFieldNames(int number) throws MalformedValueException;

    /** Writes the name of a field as a key; returns what the next one takes. */
    int writeFieldName(int name, JsonWriter json) throws MalformedValueException;

    /** Skips a field name, which {@link #writeFieldName} would write. */
    int skipFieldName(int name) throws MalformedValueException;

    /**
     * Begins a {@link ValueReader.Token#WRAPPER} or {@link ValueReader.Token#BITS}, whose value or list comes next.
     *
     * @return what {@link #endWrapper} takes
     */
    int beginWrapper() throws MalformedValueException;

    void endWrapper(int wrapper) throws MalformedValueException;

    /**
     * Reads an object that stands for a map.
     *
     * @return the positions of the list of its keys and of that of its values, which may be references
     */
    int[] readEntries() throws MalformedValueException;
}
