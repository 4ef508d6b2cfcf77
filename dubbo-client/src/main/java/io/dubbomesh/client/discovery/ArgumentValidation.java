package io.dubbomesh.client.discovery;

import io.dubbomesh.runtime.settings.Settings;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The calls whose arguments are checked against the constraints of the service before the provider is asked. */
public enum ArgumentValidation {
    /** Those that the provider validates itself, as the URL says that it has registered. */
    AUTO,
    ALWAYS,
    NEVER;

    private static final String SETTING = "dubbo.validation";
    /** The parameter of Dubbo's filter of that name: {@code true}, or the name of a validator. */
    private static final String PARAMETER = "validation";

    /** What Dubbo takes for no value. */
    private static final Set<String> NONE = Set.of("", "false", "0", "null", "n/a");

    static ArgumentValidation from(Settings settings) {
        return valueOf(settings.choice(SETTING, "auto", "always", "never").toUpperCase(Locale.ROOT));
    }

    /**
     * Returns whether the arguments of a method are checked.
     *
     * @param parameters of the registered URL; empty if it is not known
     */
    public boolean isOf(String method, Map<String, String> parameters) {
        return switch (this) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> {
                String ofService = parameters.getOrDefault(PARAMETER, "");
                String value = parameters.getOrDefault(method + '.' + PARAMETER, ofService);
                yield !NONE.contains(value.strip().toLowerCase(Locale.ROOT));
            }
        };
    }
}
