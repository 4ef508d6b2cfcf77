package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes objects with our writer, and repeated ones as references. */
final class ObjectWriter {
    private final HessianWriter out;
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();

    ObjectWriter(ByteBuf out) {
        this.out = new HessianWriter().reset(out);
    }

    void write(Object value) {
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
        } else if (value instanceof Enum<?> constant) {
            out.writeEnum(constant.getDeclaringClass().getName(), constant.name());
        } else if (numbers.containsKey(value)) {
            out.writeReference(numbers.get(value));
        } else {
            numbers.put(value, out.begun());
            writeNew(value);
        }
    }

    private void writeNew(Object value) {
        if (value instanceof Item item) {
            writeItem(item);
        } else if (value instanceof Map<?, ?> map) {
            out.beginMap();
            map.forEach((key, element) -> {
                out.writeKey((String) key);
                write(element);
            });
            out.endMap();
        } else if (value instanceof Set<?> set) {
            out.beginList("java.util.HashSet", set.size());
            set.forEach(this::write);
        } else if (value instanceof List<?> list) {
            out.beginList(list.size());
            list.forEach(this::write);
        } else if (value instanceof int[] ints) {
            out.beginList("[int", ints.length);
            for (int element : ints) {
                out.writeInt(element);
            }
        } else {
            Object[] array = (Object[]) value;
            int begin = out.beginList(value instanceof String[] ? "[string" : "[object");
            for (Object element : array) {
                write(element);
            }
            out.endList(begin, array.length);
        }
    }

    /** Sometimes as an object, sometimes as a map with its class as type. */
    private void writeItem(Item item) {
        Object[] values = item.values();
        if (item.id % 2 == 0) {
            out.beginObject(Item.class.getName(), Item.FIELDS);
            for (Object value : values) {
                write(value);
            }
            return;
        }
        out.beginMap(Item.class.getName());
        for (int i = 0; i < values.length; i++) {
            out.writeKey(Item.FIELDS[i]);
            write(values[i]);
        }
        out.endMap();
    }
}
