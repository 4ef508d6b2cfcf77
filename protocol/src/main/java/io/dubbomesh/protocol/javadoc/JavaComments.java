package io.dubbomesh.protocol.javadoc;

import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the Javadoc of the types, fields and methods in a Java source. It knows no more of Java than where declarations
 * begin and end; what it does not understand has no text. Used once.
 */
public final class JavaComments {
    private static final Set<String> TYPES = Set.of("class", "interface", "enum", "record");
    /** The most types within each other, whose names begin with those of the types around them. */
    private static final int MAX_DEPTH = 20;

    private final String source;
    private final Map<String, OfService> services;
    private final Map<String, OfClass> classes;
    private final Deque<Type> types = new ArrayDeque<>();
    private int at;
    private String packageName = "";

    /** A type in whose body declarations are read. */
    private static final class Type {
        final String name;
        final boolean isInterface;
        final JavadocText javadoc;
        final Map<String, OfMethod> methods = new TreeMap<>();
        final Map<String, String> fields = new TreeMap<>();
        boolean areConstants;

        Type(String name, String kind, JavadocText javadoc) {
            this.name = name;
            this.javadoc = javadoc;
            isInterface = kind.equals("interface");
            areConstants = kind.equals("enum");
            if (kind.equals("record")) {
                fields.putAll(javadoc.parameters());
            }
        }
    }

    private JavaComments(String source, Map<String, OfService> services, Map<String, OfClass> classes) {
        this.source = source;
        this.services = services;
        this.classes = classes;
    }

    /** Adds the texts about interfaces to {@code services}, and those about other types to {@code classes}. */
    public static void read(String source, Map<String, OfService> services, Map<String, OfClass> classes) {
        new JavaComments(source, services, classes).read();
    }

    private void read() {
        while (at < source.length()) {
            readDeclaration();
        }
        while (!types.isEmpty()) {
            endType();
        }
    }

    /** Reads up to the end of a declaration, or into the body of a type. */
    private void readDeclaration() {
        List<String> words = new ArrayList<>();
        String comment = null;
        int parameters = -1;
        int angles = 0;
        while (at < source.length()) {
            char c = source.charAt(at);
            if (source.startsWith("/**", at) && !source.startsWith("/**/", at)) {
                int begin = at + 3;
                skipComment();
                comment = words.isEmpty() ? source.substring(begin, Math.max(begin, at - 2)) : comment;
            } else if (source.startsWith("/*", at) || source.startsWith("//", at)) {
                skipComment();
            } else if (c == '"' || c == '\'') {
                skipText(c);
            } else if (Character.isJavaIdentifierStart(c)) {
                String word = word();
                if (angles == 0 && parameters < 0) {
                    words.add(word);
                }
            } else if (c == '@') {
                at++;
                skipAnnotation(words);
            } else if (c == '<' || c == '>') {
                angles += c == '<' ? 1 : -1;
                at++;
            } else if (c == '(') {
                parameters = parameters < 0 ? words.size() : parameters;
                skipBalanced();
            } else if (c == '{') {
                beginBody(words, parameters, comment);
                return;
            } else if (c == '}') {
                at++;
                if (!types.isEmpty()) {
                    endType();
                }
                return;
            } else if (c == '=' && parameters < 0 || c == ';' || c == ',' && angles == 0 && parameters < 0) {
                end(c, words, parameters, comment);
                return;
            } else {
                at++;
            }
        }
    }

    private void end(char c, List<String> words, int parameters, String comment) {
        if (!types.isEmpty() && types.peek().areConstants) {
            types.peek().areConstants = c != ';';
        } else if (parameters >= 0) {
            addMethod(words, parameters, comment);
        } else if (!words.isEmpty() && words.get(0).equals("package")) {
            packageName = String.join(".", words.subList(1, words.size()));
        } else {
            addField(words, comment);
        }
        while (c != ';' && !isInConstants() && at < source.length() && source.charAt(at) != ';') {
            skipToken();
        }
        at++;
    }

    private boolean isInConstants() {
        return !types.isEmpty() && types.peek().areConstants;
    }

    private void beginBody(List<String> words, int parameters, String comment) {
        int kind = -1;
        for (int i = 0; i < words.size() - 1 && kind < 0; i++) {
            kind = TYPES.contains(words.get(i)) ? i : -1;
        }
        boolean isType = kind >= 0
                && !isInConstants()
                && (parameters < 0 || words.get(kind).equals("record"));
        if (!isType) {
            if (parameters >= 0 && !isInConstants()) {
                addMethod(words, parameters, comment);
            }
            skipBalanced();
            return;
        }
        at++;
        String simple = words.get(kind + 1);
        String name = !types.isEmpty()
                ? types.peek().name + '$' + simple
                : packageName.isEmpty() ? simple : packageName + '.' + simple;
        types.push(new Type(name, words.get(kind), javadoc(comment)));
    }

    private void endType() {
        Type type = types.pop();
        String description = type.javadoc.description();
        if (type.isInterface) {
            if (description != null || !type.methods.isEmpty()) {
                services.putIfAbsent(type.name, new OfService(description, type.methods));
            }
        } else if (description != null || !type.fields.isEmpty()) {
            classes.putIfAbsent(type.name, new OfClass(description, type.fields));
        }
    }

    /** The texts of the first method of a name that has some are for all of the name. */
    private void addMethod(List<String> words, int parameters, String comment) {
        if (types.isEmpty() || parameters == 0 || comment == null) {
            return;
        }
        JavadocText text = javadoc(comment);
        if (!text.equals(JavadocText.NONE)) {
            types.peek()
                    .methods
                    .putIfAbsent(
                            words.get(parameters - 1),
                            new OfMethod(text.description(), text.result(), text.parameters()));
        }
    }

    private void addField(List<String> words, String comment) {
        String description = javadoc(comment).description();
        if (!types.isEmpty() && words.size() > 1 && description != null) {
            types.peek().fields.put(words.get(words.size() - 1), description);
        }
    }

    private static JavadocText javadoc(String comment) {
        return comment == null ? JavadocText.NONE : JavadocText.of(comment);
    }

    // --- tokens: each moves on, at the end of the source too ---

    private String word() {
        int begin = at;
        while (at < source.length() && Character.isJavaIdentifierPart(source.charAt(at))) {
            at++;
        }
        return source.substring(begin, at);
    }

    private void skipComment() {
        boolean isLine = source.charAt(at + 1) == '/';
        int end = source.indexOf(isLine ? "\n" : "*/", at + 2);
        at = end < 0 ? source.length() : end + (isLine ? 1 : 2);
    }

    private void skipText(char quote) {
        if (source.startsWith("\"\"\"", at)) {
            int end = at + 3;
            while (end < source.length() && !source.startsWith("\"\"\"", end)) {
                end += source.charAt(end) == '\\' ? 2 : 1;
            }
            at = Math.min(source.length(), end + 3);
            return;
        }
        at++;
        while (at < source.length() && source.charAt(at) != quote && source.charAt(at) != '\n') {
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(source.length(), at + 1);
    }

    /** Skips an annotation, or nothing of the declaration of one. */
    private void skipAnnotation(List<String> words) {
        String name = word();
        if (name.equals("interface")) {
            words.add(name);
            return;
        }
        while (at < source.length() && source.charAt(at) == '.') {
            at++;
            word();
        }
        int next = at;
        while (next < source.length() && Character.isWhitespace(source.charAt(next))) {
            next++;
        }
        if (next < source.length() && source.charAt(next) == '(') {
            at = next;
            skipBalanced();
        }
    }

    /** Skips from a bracket to the one that belongs to it. */
    private void skipBalanced() {
        int depth = 0;
        do {
            char c = source.charAt(at);
            if (c == '(' || c == '{' || c == '[') {
                depth++;
                at++;
            } else if (c == ')' || c == '}' || c == ']') {
                depth--;
                at++;
            } else {
                skipToken();
            }
        } while (depth > 0 && at < source.length());
    }

    private void skipToken() {
        char c = source.charAt(at);
        if (source.startsWith("/*", at) || source.startsWith("//", at)) {
            skipComment();
        } else if (c == '"' || c == '\'') {
            skipText(c);
        } else if (c == '{' || c == '(') {
            skipBalanced();
        } else {
            at++;
        }
    }
}
