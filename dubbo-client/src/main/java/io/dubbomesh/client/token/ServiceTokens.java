package io.dubbomesh.client.token;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tokens that the provider demands of callers, for all its services or for each; immutable. They are secrets: no
 * text of this class, and no message of an exception, has one.
 */
public final class ServiceTokens {
    public static final ServiceTokens NONE = new ServiceTokens(Map.of());

    private static final String ALL_SERVICES = "";
    private static final int MAX_SHOWN = 200;

    /** The tokens by what their entries name: {@link #ALL_SERVICES}, or an interface, maybe with version and group. */
    private final Map<String, String> tokens;

    private ServiceTokens(Map<String, String> tokens) {
        this.tokens = Map.copyOf(tokens);
    }

    /**
     * Reads entries, each a token for all services or {@code interface[:version[:group]]=token}. No token has an equals
     * sign: Dubbo allows letters, digits, {@code -}, {@code .} and {@code _}.
     *
     * @throws IllegalArgumentException naming the entry that is wrong by its number, and by its service if that cannot
     *     be a token
     */
    public static ServiceTokens parse(List<String> entries) {
        Map<String, String> tokens = new HashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            String entry = entries.get(i);
            int equals = entry.indexOf('=');
            String service =
                    equals < 0 ? ALL_SERVICES : entry.substring(0, equals).strip();
            String token = entry.substring(equals + 1).strip();
            List<String> parts = equals < 0 ? List.of(ALL_SERVICES) : ServiceKey.parts(service);
            if (parts.isEmpty()) {
                throw wrong(i, "", ServiceKey.FORMAT + "=token");
            }
            String about = about(service, token);
            if (token.isEmpty() || token.indexOf('=') >= 0 || token.chars().anyMatch(ServiceTokens::isSpace)) {
                throw wrong(i, about, "a token of letters, digits, -, . and _");
            }
            if (tokens.put(withoutNone(parts), token) != null) {
                throw wrong(i, ", a second one" + about, "one token for a service");
            }
        }
        return new ServiceTokens(tokens);
    }

    private static boolean isSpace(int character) {
        return Character.isWhitespace(character) || Character.isISOControl(character);
    }

    /** Returns the version, or nothing for 0.0.0, which is none. */
    private static String withoutNone(List<String> parts) {
        List<String> written = new ArrayList<>(parts);
        if (written.size() > 1 && written.get(1).equals(MethodName.NO_VERSION)) {
            written.set(1, "");
        }
        return String.join(":", written);
    }

    private static IllegalArgumentException wrong(int index, String what, String expected) {
        return new IllegalArgumentException("entry " + (index + 1) + what + " (expected: " + expected + ")");
    }

    /**
     * Describes an entry: what stands before an equals sign may be a token too, with padding at its end, or in the
     * wrong place.
     */
    private static String about(String service, String token) {
        if (service.equals(ALL_SERVICES)) {
            return ", for all services";
        }
        boolean isSurelyService =
                service.split(":", -1)[0].indexOf('.') > 0 && !token.isEmpty() && token.indexOf('=') < 0;
        return isSurelyService ? ", for " + shown(service) : "";
    }

    private static String shown(String service) {
        return service.length() <= MAX_SHOWN ? service : service.substring(0, MAX_SHOWN) + "...";
    }

    /** Returns all of them, so that they can be hidden. */
    public Collection<String> values() {
        return tokens.values();
    }

    /**
     * Returns the token of the entry that names the service most exactly; null if there is none. An interface alone
     * stands for all its versions and groups.
     */
    public String token(String service, String version, String group) {
        if (tokens.isEmpty()) {
            return null;
        }
        String inVersion = service + ':' + version;
        for (String key : List.of(inVersion + ':' + group, inVersion, service, ALL_SERVICES)) {
            String token = tokens.get(key);
            if (token != null) {
                return token;
            }
        }
        return null;
    }
}
