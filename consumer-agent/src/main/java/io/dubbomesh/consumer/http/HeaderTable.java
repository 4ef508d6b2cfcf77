package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Says what to do with each header field, found by its name in any case. Names are looked up by their length first, so
 * a field that is not in the table, as most are not, costs next to nothing. Filled once, then only read.
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

    /** A name, and where tables have their fields for it. */
    private record Name(byte[] folded, int place) {}

    private static final Name[] NONE = {};
    /**
     * The names of all tables by their length; never changed, only replaced. Every slow client has a parser, and every
     * parser a table with the same names.
     */
    private static Name[][] known = {};

    private static int places;

    private Name[][] names = {};
    private Field[] fields = {};
    private byte[] prefix;
    private PrefixedField prefixed;

    /**
     * Adds a field; names have the characters that {@link Words#fold} allows. Of two fields of the same name each gets
     * the value.
     */
    public void add(String name, Field field) {
        byte[] folded = Words.fold(name);
        synchronized (HeaderTable.class) {
            int place = place(folded, name.length());
            if (place >= fields.length) {
                fields = Arrays.copyOf(fields, places);
            }
            fields[place] = fields[place] == null ? field : both(fields[place], field);
            names = known;
        }
    }

    private static Field both(Field first, Field second) {
        return (in, value, valueEnd) -> {
            first.value(in, value, valueEnd);
            second.value(in, value, valueEnd);
        };
    }

    private static int place(byte[] folded, int length) {
        if (length < known.length) {
            for (Name name : known[length]) {
                if (Arrays.equals(name.folded, folded)) {
                    return name.place;
                }
            }
        }
        Name[][] grown = Arrays.copyOf(known, Math.max(known.length, length + 1));
        Arrays.fill(grown, known.length, grown.length, NONE);
        Name[] sameLength = Arrays.copyOf(grown[length], grown[length].length + 1);
        sameLength[sameLength.length - 1] = new Name(folded, places);
        grown[length] = sameLength;
        known = grown;
        return places++;
    }

    /**
     * Sets what to do with fields whose names start with this prefix and are not in the table; there is only one
     * prefix.
     */
    public void addPrefix(String namePrefix, PrefixedField field) {
        assert prefixed == null : "a second prefix";
        prefix = Words.fold(namePrefix);
        prefixed = field;
    }

    /** Returns the names of the fields that are in it, in lower case and without the prefix. */
    List<String> names() {
        List<String> added = new ArrayList<>();
        for (Name[] sameLength : names) {
            for (Name name : sameLength) {
                if (name.place < fields.length && fields[name.place] != null) {
                    added.add(new String(name.folded, US_ASCII));
                }
            }
        }
        return added;
    }

    /** Hands over the field with the name {@code in[name, nameEnd)}, if it is in the table. */
    void take(ByteBuf in, int name, int nameEnd, int value, int valueEnd) throws CallException {
        int length = nameEnd - name;
        if (length < names.length) {
            for (Name entry : names[length]) {
                if (Words.equalInAnyCase(in, name, entry.folded)) {
                    Field field = entry.place < fields.length ? fields[entry.place] : null;
                    if (field != null) {
                        field.value(in, value, valueEnd);
                    }
                    return;
                }
            }
        }
        if (prefixed != null && length >= prefix.length && Words.equalInAnyCase(in, name, prefix)) {
            prefixed.value(in, name + prefix.length, nameEnd, value, valueEnd);
        }
    }
}
