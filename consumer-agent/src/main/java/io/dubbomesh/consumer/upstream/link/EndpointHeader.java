package io.dubbomesh.consumer.upstream.link;

import java.util.Locale;

/** The answers that name the endpoint to which their call was sent: the setting {@code http.endpoint-header}. */
public enum EndpointHeader {
    FAILURES,
    ALWAYS,
    NEVER;

    static EndpointHeader named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    String settingName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static String[] settingNames() {
        String[] names = new String[values().length];
        for (EndpointHeader choice : values()) {
            names[choice.ordinal()] = choice.settingName();
        }
        return names;
    }
}
