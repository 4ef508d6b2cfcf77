package io.dubbomesh.protocol.jsonb;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Values of lists, arrays, maps and objects, where any of them may occur in several places. */
public final class Graphs {
    private Graphs() {}

    /** Public, as the classes of services are: fastjson2 generates the code that writes it. */
    // The field types are those whose bytes are looked at.
    @SuppressWarnings("serial")
    public static final class Node implements Serializable {
        public Object any;
        public List<Object> list;
        public Node next;
        public List<Node> nodes;
    }

    /** @param arrays whether there are arrays, and not only lists */
    public static Object value(Random random, boolean arrays) {
        List<Object> values = new ArrayList<>();
        int size = 1 + random.nextInt(9);
        for (int i = 0; i < size; i++) {
            values.add(value(random, values, arrays));
        }
        return values.get(size - 1);
    }

    private static Object value(Random random, List<Object> values, boolean arrays) {
        List<Object> list = new ArrayList<>();
        Map<String, Object> map = new LinkedHashMap<>();
        Node node = new Node();
        for (int i = values.isEmpty() ? 0 : random.nextInt(4); i > 0; i--) {
            Object value = values.get(random.nextInt(values.size()));
            list.add(value);
            map.put(random.nextInt(3) == 0 ? "k." + i : "k" + i, value);
            if (value instanceof Node earlier) {
                node.next = earlier;
                node.nodes = random.nextBoolean() ? earlier.nodes : new ArrayList<>(List.of(earlier));
            }
        }
        node.list = list;
        node.any = map;
        return List.of(list, arrays ? list.toArray() : list, map, node).get(random.nextInt(4));
    }

    /**
     * The JSON of a value.
     *
     * @param nulls whether members that are null are written
     */
    public static String text(Object value, boolean nulls) {
        if (value == null) {
            return "null";
        }
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Node node) {
            members.put("any", node.any);
            members.put("list", node.list);
            members.put("next", node.next);
            members.put("nodes", node.nodes);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, member) -> members.put((String) key, member));
        } else {
            Collection<?> elements = value instanceof Object[] array ? Arrays.asList(array) : (Collection<?>) value;
            return elements.stream().map(element -> text(element, nulls)).collect(Collectors.joining(",", "[", "]"));
        }
        return members.entrySet().stream()
                .filter(member -> nulls || member.getValue() != null)
                .map(member -> '"' + member.getKey() + "\":" + text(member.getValue(), nulls))
                .collect(Collectors.joining(",", "{", "}"));
    }
}
