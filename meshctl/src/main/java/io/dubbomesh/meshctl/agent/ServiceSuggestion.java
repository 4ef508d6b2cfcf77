package io.dubbomesh.meshctl.agent;

import io.dubbomesh.runtime.NearestName;

import java.util.Collection;

/** Suggests the registered service that a name which is not registered may mean. */
public final class ServiceSuggestion {
    /** The edits that are a mistake in typing, however short the name of a class. */
    private static final int TYPO_EDITS = 2;

    private ServiceSuggestion() {}

    /** Returns the hint for an operator; null if there is none, as for a registered service. */
    public static String hint(String typed, Collection<String> registered) {
        if (registered.contains(typed)) {
            return null;
        }
        int dot = typed.lastIndexOf('.');
        String before = typed.substring(0, Math.max(0, dot));
        if (registered.contains(before)) {
            return "did you mean " + before + "? meshctl call takes the method apart: " + before + ' '
                    + typed.substring(dot + 1);
        }
        String near = NearestName.of(typed, registered, Math.max(TYPO_EDITS, (typed.length() - dot) / 4));
        return near == null ? null : "did you mean " + near + "? meshctl ls services lists all";
    }
}
