package io.dubbomesh.protocol.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Date;

/** Writes the values that need no list, map or object. */
public final class Scalars {
    private Scalars() {}

    /** Returns whether the value is one of them. */
    public static boolean write(ValueWriter out, Object value) {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Boolean b) {
            out.writeBoolean(b);
        } else if (value instanceof Integer i) {
            out.writeInt(i);
        } else if (value instanceof Long l) {
            out.writeLong(l);
        } else if (value instanceof Double d) {
            out.writeDouble(d);
        } else if (value instanceof String s) {
            out.writeString(s);
        } else if (value instanceof byte[] bytes) {
            out.writeBinary(bytes);
        } else if (value instanceof Date date) {
            out.writeDate(date.getTime());
        } else if (value instanceof BigDecimal decimal) {
            out.writeBigDecimal(decimal);
        } else if (value instanceof BigInteger integer) {
            out.writeBigInteger(integer);
        } else {
            return false;
        }
        return true;
    }
}
