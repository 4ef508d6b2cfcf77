package io.dubbomesh.consumer.upstream.link;

import java.util.Locale;

/** Which answers name the endpoint that their call was sent to: the setting {@code http.endpoint-header}. */
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
