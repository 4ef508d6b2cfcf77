package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.Scalars;
import io.netty.buffer.ByteBuf;

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
        if (Scalars.write(out, value)) {
            return;
        }
        if (value instanceof Enum<?> constant) {
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
