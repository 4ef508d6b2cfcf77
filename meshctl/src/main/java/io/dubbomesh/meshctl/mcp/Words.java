package io.dubbomesh.meshctl.mcp;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The words of which a Java name is made. */
final class Words {
    private Words() {}

    /** Returns them in small letters: of {@code userAPIKey} user, api and key. At least one, which may be empty. */
    static List<String> of(String name) {
        String parted = name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replaceAll("([A-Z])([A-Z][a-z])", "$1_$2");
        return Arrays.asList(parted.toLowerCase(Locale.ROOT).split("[_$-]+"));
    }
}
