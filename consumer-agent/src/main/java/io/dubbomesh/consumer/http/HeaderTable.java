package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;

/**
 * Says what to do with each header field, found by its name in any case. Names are looked up by their length first, so a field that is not in
 * the table, as most are not, costs next to nothing. Filled once, then only read.
 */
public final class HeaderTable {
    /** Takes the value {@code in[value, valueEnd)} of a field, without the blanks around it. */
    @FunctionalInterface
    public interface Field {
        void value(ByteBuf in, int value, int valueEnd) throws CallException;
    }

    /** Takes a field whose name starts with a prefix; the rest of the name is {@code in[name, nameEnd)}. */
    @FunctionalInterface
    public interface PrefixedField {
        void value(ByteBuf in, int name, int nameEnd, int value, int valueEnd) throws CallException;
    }

    private record Entry(byte[] name, Field field) {}

    private static final Entry[] NONE = {};

    private Entry[][] byLength = new Entry[0][];
    private byte[] prefix;
    private PrefixedField prefixed;

    /** Adds a field; names have the characters that {@link Words#fold} allows. */
    public void add(String name, Field field) {
        int length = name.length();
        int known = byLength.length;
        if (length >= known) {
            byLength = Arrays.copyOf(byLength, length + 1);
            Arrays.fill(byLength, known, length + 1, NONE);
        }
        Entry[] grown = Arrays.copyOf(byLength[length], byLength[length].length + 1);
        grown[grown.length - 1] = new Entry(Words.fold(name), field);
        byLength[length] = grown;
    }

    /** Sets what to do with fields whose names start with this prefix and are not in the table; there is only one prefix. */
    public void addPrefix(String namePrefix, PrefixedField field) {
        assert prefixed == null : "a second prefix";
        prefix = Words.fold(namePrefix);
        prefixed = field;
    }

    /** Hands over the field with the name {@code in[name, nameEnd)}, if it is in the table. */
    void take(ByteBuf in, int name, int nameEnd, int value, int valueEnd) throws CallException {
        int length = nameEnd - name;
        if (length < byLength.length) {
            for (Entry entry : byLength[length]) {
                if (Words.equalInAnyCase(in, name, entry.name)) {
                    entry.field.value(in, value, valueEnd);
                    return;
                }
            }
        }
        if (prefixed != null && length >= prefix.length && Words.equalInAnyCase(in, name, prefix)) {
            prefixed.value(in, name + prefix.length, nameEnd, value, valueEnd);
        }
    }
}
