package io.dubbomesh.meshctl.mcp;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Makes names for parameters of which only the types are known. */
final class ArgumentNames {
    private static final String OTHER = "value";

    private final Set<String> used = new HashSet<>();

    /** Returns a name for each, after its class where that is one of the service. */
    List<String> of(List<String> types) {
        return types.stream().map(this::of).toList();
    }

    private String of(String type) {
        String simple = JavaTypeText.simple(type);
        boolean isOwn = simple.matches("[A-Za-z][A-Za-z0-9]*") && type.contains(".") && !type.startsWith("java");
        String base = isOwn ? simple.substring(0, 1).toLowerCase(Locale.ROOT) + simple.substring(1) : OTHER;
        String name = base;
        for (int i = 2; !used.add(name); i++) {
            name = base + i;
        }
        return name;
    }
}
