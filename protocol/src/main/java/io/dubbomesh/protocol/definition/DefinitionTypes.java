package io.dubbomesh.protocol.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types of a {@link DefinitionJson}: follows its references and brings its names of classes into one form. */
final class DefinitionTypes {
    private static final String ROOT = "$.types";
    private static final Pattern STEP =
            Pattern.compile("\\[([0-9]{1,6})]|\\.items\\[([0-9]{1,6})]|\\.properties\\.([^.\\[]+)");

    private static final int MAX_CLASSES = 10_000;
    /** The longest name of a class without its type arguments: each of its parts is looked up. */
    private static final int MAX_NAME_LENGTH = 1_000;

    private List<Node> roots = List.of();
    /**
     * The names of all classes, with dots only: Dubbo writes the names of nested ones with dots here and with {@code $}
     * there.
     */
    private final Set<String> dottedNames = new HashSet<>();

    /** The type of a field or a parameter as it is written; 3.x describes a field by its type alone. */
    static final class Node {
        String type;
        /** A path if there is no type; otherwise Dubbo's note that the type is being described already. */
        String reference;

        List<String> constants = List.of();
        List<Node> items = List.of();
        final Map<String, Node> properties = new LinkedHashMap<>();

        private boolean isDescribed() {
            return !constants.isEmpty() || !properties.isEmpty();
        }
    }

    void addName(String className) {
        dottedNames.add(className.replace('$', '.'));
    }

    void addAll(List<Node> nodes) {
        roots = nodes;
        nodes.forEach(this::addNames);
    }

    private void addNames(Node node) {
        if (node.type != null && node.isDescribed()) {
            addName(node.type);
        }
        node.items.forEach(this::addNames);
        node.properties.values().forEach(this::addNames);
    }

    /** Returns the names in the form of {@link ServiceDefinition}. */
    List<String> resolveAll(List<String> names) throws MalformedDefinitionException {
        List<String> resolved = new ArrayList<>();
        for (String name : names) {
            resolved.add(resolve(name));
        }
        return resolved;
    }

    /** A type variable keeps its name as a type argument; elsewhere {@code java.lang.Object} replaces it. */
    String resolve(String name) throws MalformedDefinitionException {
        String resolved = SourceName.read(name, this::className);
        String component = resolved.replace("[]", "");
        return isVariable(component) ? "java.lang.Object" + resolved.substring(component.length()) : resolved;
    }

    private boolean isVariable(String name) {
        return SourceName.isVariable(name) && !dottedNames.contains(name);
    }

    private String className(String name) {
        boolean isFinal = name.indexOf('$') >= 0 || name.length() > MAX_NAME_LENGTH || SourceName.isForeign(name);
        if (isFinal || isVariable(name)) {
            return name;
        }
        int enclosing = endOfTopLevelName(name);
        return name.substring(0, enclosing) + name.substring(enclosing).replace('.', '$');
    }

    private int endOfTopLevelName(String name) {
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (dottedNames.contains(name.substring(0, dot))) {
                return dot;
            }
        }
        // The enclosing class is not named; but names of packages start with a small letter.
        int end = name.length();
        int dot = name.lastIndexOf('.');
        while (dot >= 0 && Character.isUpperCase(name.charAt(name.lastIndexOf('.', dot - 1) + 1))) {
            end = dot;
            dot = name.lastIndexOf('.', dot - 1);
        }
        return end;
    }

    Map<String, TypeDefinition> definitions() throws MalformedDefinitionException {
        Map<String, TypeDefinition> definitions = new HashMap<>();
        for (Node root : roots) {
            define(root, definitions);
        }
        return definitions;
    }

    private void define(Node node, Map<String, TypeDefinition> definitions) throws MalformedDefinitionException {
        if (node.type != null && node.isDescribed()) {
            String name = resolve(node.type);
            boolean own = !name.startsWith("java.")
                    && name.indexOf('<') < 0
                    && name.indexOf('[') < 0
                    && !SourceName.isForeign(name);
            if (own && !SourceName.isPrimitive(name) && !definitions.containsKey(name)) {
                Map<String, String> fields = fields(node);
                if (fields != null) {
                    if (definitions.size() == MAX_CLASSES) {
                        throw new MalformedDefinitionException("definition: more than " + MAX_CLASSES + " classes");
                    }
                    definitions.put(name, new TypeDefinition(name, node.constants, fields));
                }
            }
        }
        for (Node item : node.items) {
            define(item, definitions);
        }
        for (Node property : node.properties.values()) {
            define(property, definitions);
        }
    }

    /** Returns null if one of them is not known. */
    private Map<String, String> fields(Node node) throws MalformedDefinitionException {
        Map<String, String> fields = new LinkedHashMap<>();
        if (!node.constants.isEmpty()) {
            return fields;
        }
        for (Map.Entry<String, Node> property : node.properties.entrySet()) {
            Node described = follow(property.getValue());
            if (described == null || described.type == null) {
                return null;
            }
            fields.put(property.getKey(), resolve(described.type));
        }
        return fields;
    }

    /** Returns the node that a reference refers to, the node itself if it is none; null if the target is missing. */
    private Node follow(Node node) {
        if (node.type != null || node.reference == null) {
            return node;
        }
        if (!node.reference.startsWith(ROOT)) {
            return null;
        }
        Matcher step = STEP.matcher(node.reference).region(ROOT.length(), node.reference.length());
        Node there = null;
        while (step.lookingAt()) {
            if (there == null) {
                there = step.group(1) == null ? null : element(roots, step.group(1));
            } else if (step.group(2) != null) {
                there = element(there.items, step.group(2));
            } else {
                there = step.group(3) == null ? null : there.properties.get(step.group(3));
            }
            if (there == null) {
                return null;
            }
            step.region(step.end(), node.reference.length());
        }
        return step.regionStart() == node.reference.length() ? there : null;
    }

    private static Node element(List<Node> nodes, String index) {
        int at = Integer.parseInt(index);
        return at < nodes.size() ? nodes.get(at) : null;
    }
}
