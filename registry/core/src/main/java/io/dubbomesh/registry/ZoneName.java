package io.dubbomesh.registry;

import io.dubbomesh.runtime.PrintableText;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * The name of a zone: a part of the network, such as an availability zone, in which calls are near. Empty for none. It
 * has the form of a label in Kubernetes, since zones are often named after {@code topology.kubernetes.io/zone}.
 */
public final class ZoneName {
    /** The zone of a Dubbo provider, in its parameters, where its operator has set one. */
    public static final String ZONE = "zone";
    /** What Dubbo's own rules of conditions and of affinity use as an example, where there is no zone. */
    public static final String REGION = "region";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    private ZoneName() {}

    /**
     * Returns the name.
     *
     * @param text a name, or empty
     * @throws IllegalArgumentException if it is no such name; its message says what was expected
     */
    public static String checked(String text) {
        if (!text.isEmpty() && !NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("zone " + PrintableText.brief(text)
                    + " (expected: 1-63 letters, digits, '.', '_' or '-', the first and the last no sign)");
        }
        return text;
    }

    /**
     * Returns the zone of a Dubbo provider by what it has registered: the parameter {@code zone}, else {@code region}.
     * A provider has them by {@code dubbo.provider.parameters.zone}, or by {@code dubbo.labels=zone=north}, which Dubbo
     * adds to the parameters of the application's URLs and to the metadata of its instance. The text of another form is
     * no name of a zone.
     */
    static String of(Map<String, String> parameters) {
        String zone = parameters.getOrDefault(ZONE, "");
        String name = zone.isEmpty() ? parameters.getOrDefault(REGION, "") : zone;
        return valid(name);
    }

    /** Returns the name; empty if the text is none. */
    static String valid(String text) {
        return NAME.matcher(text).matches() ? text : "";
    }
}
