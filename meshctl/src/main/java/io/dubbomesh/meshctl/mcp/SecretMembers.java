package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.document.ServiceDescription;
import io.dubbomesh.meshctl.document.ServiceDescription.TypeDescription;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks for members of a result whose names say that their values are secret. */
final class SecretMembers {
    /** Stands for any member, in a path. */
    private static final String ANY = "*";

    private static final int MAX_DEPTH = 8;
    private static final int MAX_MEMBERS = 2000;
    private static final int MAX_PATHS = 50;
    private static final Set<String> WORDS = Set.of("pwd", "pin", "cvv", "cvc", "otp", "ssn", "iban");
    private static final List<String> PARTS = List.of(
            "password",
            "passwd",
            "passphrase",
            "passcode",
            "secret",
            "token",
            "credential",
            "apikey",
            "accesskey",
            "privatekey",
            "cardnumber",
            "creditcard");
    private static final Set<String> OPEN = Set.of("java.lang.Object", "java.io.Serializable");

    private final ServiceDescription description;
    private final List<String> paths = new ArrayList<>();
    /** The classes on the way to the current member. */
    private final Deque<String> within = new ArrayDeque<>();

    private int members;
    private boolean isComplete = true;

    private SecretMembers(ServiceDescription description) {
        this.description = description;
    }

    /** Returns those of a result of this type. */
    static SecretMembers of(String type, ServiceDescription description) {
        SecretMembers found = new SecretMembers(description);
        found.search(type, "", 0);
        return found;
    }

    /** Returns the names on the way to each, as in {@code mask}. */
    List<String> paths() {
        return paths;
    }

    /** Returns whether all members were looked at. */
    boolean isComplete() {
        return isComplete;
    }

    private void search(String type, String path, int depth) {
        if (depth > MAX_DEPTH || members > MAX_MEMBERS || paths.size() > MAX_PATHS || within.contains(type)) {
            isComplete = false;
        } else if (type.endsWith("[]")) {
            search(type.substring(0, type.length() - 2), path, depth);
        } else {
            TypeDescription known = known(type);
            if (known != null) {
                within.push(type);
                searchFields(known, path, depth);
                within.pop();
            } else {
                searchArguments(type, path, depth);
            }
        }
    }

    private TypeDescription known(String type) {
        TypeDescription use = description.types().get(type);
        return use == null ? description.types().get(JavaTypeText.erased(type)) : use;
    }

    private void searchFields(TypeDescription type, String path, int depth) {
        for (Map.Entry<String, String> field : type.fields().entrySet()) {
            members++;
            String at = path.isEmpty() ? field.getKey() : path + '.' + field.getKey();
            if (isSecret(field.getKey())) {
                paths.add(at);
            } else {
                search(field.getValue(), at, depth + 1);
            }
        }
    }

    /** Searches what a container of the JDK holds: that of a map is in members of any name. */
    private void searchArguments(String type, String path, int depth) {
        List<String> arguments = JavaTypeText.arguments(type);
        boolean isUnknown = description.unknown().contains(type)
                || description.unknown().contains(JavaTypeText.erased(type))
                || OPEN.contains(type);
        isComplete &= !isUnknown;
        if (!arguments.isEmpty()) {
            boolean isMap = JavaTypeText.simple(type).endsWith("Map");
            String at = isMap ? path.isEmpty() ? ANY : path + '.' + ANY : path;
            search(arguments.get(arguments.size() - 1), at, depth + 1);
        }
    }

    private static boolean isSecret(String name) {
        List<String> words = Words.of(name);
        String all = String.join("", words);
        return words.stream().anyMatch(WORDS::contains) || PARTS.stream().anyMatch(all::contains);
    }
}
