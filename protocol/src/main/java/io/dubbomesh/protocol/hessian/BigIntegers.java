package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;

import java.math.BigInteger;

/**
 * Reads {@link BigInteger}s as Java's own fields hold them: a sign, and a list of 32-bit words, the highest
 * first.
 */
final class BigIntegers {
    private static final int MAX_WORDS = 1024;

    private final HessianReader reader;

    BigIntegers(HessianReader reader) {
        this.reader = reader;
    }

    /**
     * Reads the fields of an object of this class definition.
     *
     * @param json is charged for what is read again, and for the texts of the numbers
     */
    BigInteger read(int definition, JsonWriter json) throws MalformedValueException {
        int signum = 0;
        BigInteger magnitude = BigInteger.ZERO;
        int name = reader.classes.firstFieldOf(definition);
        for (int i = reader.classes.fieldCount(definition); i > 0; i--) {
            if (reader.classes.nameEquals(name, "signum")) {
                signum = reader.readInt();
            } else if (reader.classes.nameEquals(name, "mag")) {
                magnitude = readSharedMagnitude(json);
            } else {
                reader.skip();
            }
            name = reader.classes.fieldBehind(name);
        }
        return signum < 0 ? magnitude.negate() : magnitude;
    }

    /** A number and its negation share one list, which is written with the first of them. */
    private BigInteger readSharedMagnitude(JsonWriter json) throws MalformedValueException {
        if (reader.peek() != HessianType.REFERENCE) {
            return readMagnitude(json);
        }
        int target = reader.readReference();
        int resume = reader.position();
        reader.seek(target);
        BigInteger magnitude = readMagnitude(json);
        json.chargeReread(reader.position() - target);
        reader.seek(resume);
        return magnitude;
    }

    private BigInteger readMagnitude(JsonWriter json) throws MalformedValueException {
        int words = reader.beginList();
        // Much longer ones take long to convert to decimal.
        if (words < 0 || words > MAX_WORDS) {
            throw reader.cursor.malformed("a BigInteger of " + words + " words");
        }
        json.chargeBigInteger(words);
        byte[] bytes = new byte[words * Integer.BYTES];
        for (int i = 0; i < bytes.length; i += Integer.BYTES) {
            int word = reader.readInt();
            bytes[i] = (byte) (word >> 24);
            bytes[i + 1] = (byte) (word >> 16);
            bytes[i + 2] = (byte) (word >> 8);
            bytes[i + 3] = (byte) word;
        }
        return new BigInteger(1, bytes);
    }
}
