package io.dubbomesh.consumer.direct;

import io.dubbomesh.registry.DubboExport;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of Dubbo, as far as anything depends on it. */
record DubboVersion(int major, int minor) {
    /** The version of a provider that does not tell its own; older than any. */
    static final DubboVersion UNKNOWN = new DubboVersion(0, 0);

    /** The name of the version in {@link DubboExport#parameters}, since Dubbo 2.7. */
    private static final String RELEASE = "release";

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(\\D.*)?");

    /** Returns the version of a provider. */
    static DubboVersion of(DubboExport export) {
        Matcher numbers = NUMBERS.matcher(export.parameters().getOrDefault(RELEASE, ""));
        return numbers.matches()
                ? new DubboVersion(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : UNKNOWN;
    }

    /** Returns whether a provider does not tell its version, nor what it is instead of Apache's Dubbo. */
    static boolean isUntold(DubboExport export) {
        return !export.parameters().containsKey(RELEASE);
    }

    boolean isAtLeast(DubboVersion other) {
        return major != other.major ? major > other.major : minor >= other.minor;
    }
}
