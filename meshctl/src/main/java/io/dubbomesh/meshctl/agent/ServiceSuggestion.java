package io.dubbomesh.meshctl.agent;

import io.dubbomesh.protocol.ServiceKey;
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
            return methodApart(before, typed.substring(dot + 1));
        }
        String near = NearestName.of(typed, registered, Math.max(TYPO_EDITS, (typed.length() - dot) / 4));
        return near == null ? null : "did you mean " + near + "? meshctl ls services lists all";
    }

    /**
     * Returns the hint for a service that is not served with a version or a group that ends in a dot and a word, as
     * {@code X:1.0.greet}, the form in which {@code meshctl doctor} prints methods, where {@code X:1.0} is served; null
     * for another one, as the version {@code 1.0.RELEASE}.
     */
    public static String ofVariant(ServiceKey typed, Collection<ServiceKey> served) {
        String text = typed.toString();
        int dot = text.lastIndexOf('.');
        String word = text.substring(dot + 1);
        boolean isOfVariant = text.indexOf(':') >= 0 && text.indexOf(':', dot) < 0;
        boolean isMethod = ServiceKey.isInterfaceName(word) && !Character.isDigit(word.charAt(0));
        if (!isOfVariant || !isMethod || served.contains(typed)) {
            return null;
        }
        String service = text.substring(0, dot);
        return served.contains(ServiceKey.parse(service)) ? methodApart(service, word) : null;
    }

    private static String methodApart(String service, String method) {
        return "did you mean " + service + "? meshctl call takes the method apart: " + service + ' ' + method;
    }
}
