package io.dubbomesh.registry.dubbo;

import io.dubbomesh.runtime.PrintableText;

import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A URL as Dubbo registers it.
 * <pre>
 *   dubbo://192.0.2.7:20880/com.example.Greeter?application=greeter&amp;version=1.0&amp;weight=200
 *   dubbo://[2001:db8::7]:20880/com.example.Greeter
 *   override://0.0.0.0/com.example.Greeter?category=configurators&amp;weight=200
 * </pre>
 * Older versions of Dubbo write IPv6 without brackets; the port is what follows the last colon then.
 *
 * @param host       IPv6 without brackets; not checked
 * @param port       0 for none
 * @param path       without the slash before it; the interface, unless the provider chose another
 * @param parameters in their order
 */
public record DubboUrl(String protocol, String host, int port, String path, Map<String, String> parameters) {
    public static final int MAX_LENGTH = 32_768;
    static final int MAX_PARAMETERS = 512;
    /** The prefix with which 2.6 and older versions marked a parameter that was set for all services of a provider. */
    private static final String DEFAULT_PREFIX = "default.";

    private static final Pattern PROTOCOL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]{0,31}");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    /**
     * Reads a URL that is percent-encoded as a whole, as ZooKeeper and etcd hold it in the name of a node.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static DubboUrl parseEncoded(String text) {
        checkLength(text);
        return parse(URLDecoder.decode(text, UTF_8));
    }

    /** @throws IllegalArgumentException naming what is wrong */
    public static DubboUrl parse(String text) {
        checkLength(text);
        int scheme = text.indexOf("://");
        if (scheme < 0 || !PROTOCOL.matcher(text.substring(0, scheme)).matches()) {
            throw new IllegalArgumentException("no protocol:// at its begin");
        }
        int query = text.indexOf('?', scheme);
        String place = text.substring(scheme + 3, query < 0 ? text.length() : query);
        int slash = place.indexOf('/');
        String address = slash < 0 ? place : place.substring(0, slash);
        address = address.substring(address.lastIndexOf('@') + 1);
        int colon = portColon(address);
        return new DubboUrl(
                text.substring(0, scheme),
                host(colon < 0 ? address : address.substring(0, colon)),
                colon < 0 ? 0 : port(address.substring(colon + 1)),
                slash < 0 ? "" : place.substring(slash + 1),
                query < 0 ? Map.of() : parameters(text.substring(query + 1)));
    }

    private static void checkLength(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(text.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
    }

    private static int portColon(String address) {
        int colon = address.lastIndexOf(':');
        return colon > address.lastIndexOf(']') ? colon : -1;
    }

    private static String host(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("no host");
        }
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static int port(String text) {
        if (!PORT.matcher(text).matches()) {
            // Without it: it may be a part of a password.
            throw new IllegalArgumentException("a port that is no number (expected: 0-65535)");
        }
        if (Integer.parseInt(text) > 65_535) {
            throw new IllegalArgumentException("port " + text + " (expected: 0-65535)");
        }
        return Integer.parseInt(text);
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : query.split("&")) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            if (!name.isEmpty()) {
                parameters.put(name, equals < 0 ? name : parameter.substring(equals + 1));
            }
        }
        if (parameters.size() > MAX_PARAMETERS) {
            throw new IllegalArgumentException(
                    parameters.size() + " parameters (expected: at most " + MAX_PARAMETERS + ")");
        }
        return parameters;
    }

    /** Returns the parameter, or what the provider set for all its services; empty if neither is there. */
    public String parameter(String name) {
        String value = parameters.get(name);
        return value != null ? value : parameters.getOrDefault(DEFAULT_PREFIX + name, "");
    }

    /** @throws IllegalArgumentException if it is no number */
    long number(String name, long otherwise) {
        String value = parameter(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        if (!NUMBER.matcher(value).matches()) {
            throw new IllegalArgumentException(name + ": " + PrintableText.brief(value) + " (expected: a number)");
        }
        return Long.parseLong(value);
    }

    /** Returns a flag: anything but {@code true} is false, as Dubbo reads it. */
    boolean flag(String name, boolean otherwise) {
        String value = parameter(name);
        return value.isEmpty() ? otherwise : Boolean.parseBoolean(value);
    }

    /** Returns the text without the parameters, which may hold a token. */
    @Override
    public String toString() {
        return protocol + "://" + (host.indexOf(':') < 0 ? host : '[' + host + ']') + (port == 0 ? "" : ":" + port)
                + '/' + path;
    }

    /** @throws IllegalArgumentException if it has more, or longer, parameters than a URL that is parsed may have */
    void checkSize() {
        if (parameters.size() > MAX_PARAMETERS) {
            throw new IllegalArgumentException(
                    parameters.size() + " parameters (expected: at most " + MAX_PARAMETERS + ")");
        }
        long characters = 0;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            characters += parameter.getKey().length() + parameter.getValue().length();
        }
        if (characters > MAX_LENGTH) {
            throw new IllegalArgumentException(characters + " characters (expected: at most " + MAX_LENGTH + ")");
        }
    }
}
