package io.dubbomesh.acceptance.mesh;

import java.net.URLEncoder;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Calls in the form interface, as the text that goes over the wire. */
public final class Form {
    public static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";
    public static final String STRING = "Ljava/lang/String;";
    public static final String CONTENT_TYPE = "Content-Type: application/x-www-form-urlencoded";

    /**
     * The header of calls that are not about deadlines: a provider that has just started is slow, the more so on a busy
     * machine.
     */
    public static final String PATIENT = "X-Request-Timeout: 30000";

    /** Arguments of {@link #hash} of every kind that serializations write in a way of its own. */
    public static final List<String> TEXTS = List.of(
            "",
            "hello",
            "quote \" and backslash \\ and slash /",
            "{\"@type\":\"java.lang.Class\"}",
            "line\r\nand tab\t and nul \u0000 and \u001f and del \u007f",
            "\u00e4\u00f6\u00fc",
            "\u2028\u2029",
            "\u00e4\u00f6\u00fc \u4f60\u597d \ud83d\ude00",
            "x".repeat(1000));

    private Form() {}

    public static String hash(String text) {
        return call(SERVICE, "hash", STRING, text);
    }

    public static String call(String service, String method, String types, String... arguments) {
        StringBuilder form = new StringBuilder("interface=")
                .append(service)
                .append("&method=")
                .append(method)
                .append("&parameterTypesString=")
                .append(encoded(types));
        for (String argument : arguments) {
            form.append("&parameter=").append(encoded(argument));
        }
        return form.toString();
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    /** The whole request with {@code form} as its body, which is ASCII, and further header lines. */
    public static String post(String form, String... headers) {
        StringBuilder request = new StringBuilder("POST / HTTP/1.1\r\nHost: mesh\r\n")
                .append(CONTENT_TYPE)
                .append("\r\nContent-Length: ")
                .append(form.length())
                .append("\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return request.append("\r\n").append(form).toString();
    }
}
