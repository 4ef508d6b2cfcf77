package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.netty.buffer.ByteBuf;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A request for an OpenAPI document.
 *
 * @param services to describe; empty for all that the caller may know
 * @param version  of them; null if none is asked for; likewise the group
 */
record DocumentRequest(List<String> services, String version, String group, SchemaForms forms) {
    private static final int MAX_SERVICES = 1000;
    private static final String EXPECTED = " (expected: service, version, group or forms, each once)";

    /**
     * Reads the query of a target.
     *
     * @throws CallException BAD_REQUEST if it asks for something else
     */
    static DocumentRequest parse(ByteBuf target) throws CallException {
        String text = target.toString(0, target.writerIndex(), US_ASCII);
        int mark = text.indexOf('?');
        List<String> services = new ArrayList<>();
        String version = null;
        String group = null;
        String forms = null;
        for (String field : mark < 0 ? new String[0] : text.substring(mark + 1).split("&")) {
            int equals = field.indexOf('=');
            String name = equals < 0 ? field : field.substring(0, equals);
            String value = equals < 0 ? "" : decoded(name, field.substring(equals + 1));
            switch (name) {
                case "" -> {}
                case "service" -> services.addAll(List.of(value.split(",")));
                case "version" -> version = once(name, version, value);
                case "group" -> group = once(name, group, value);
                case "forms" -> forms = once(name, forms, value);
                default -> throw bad("unknown field " + Quoted.text(name) + EXPECTED);
            }
        }
        services.removeIf(String::isEmpty);
        if (services.size() > MAX_SERVICES) {
            throw bad("service: " + services.size() + " of them (expected: at most " + MAX_SERVICES + ")");
        }
        return new DocumentRequest(
                services.stream().distinct().toList(),
                version,
                group,
                forms == null ? SchemaForms.CANONICAL : forms(forms));
    }

    private static SchemaForms forms(String text) throws CallException {
        return switch (text) {
            case "canonical" -> SchemaForms.CANONICAL;
            case "all" -> SchemaForms.ALL;
            default -> throw bad("forms: " + Quoted.text(text) + " (expected: canonical or all)");
        };
    }

    private static String once(String name, String before, String value) throws CallException {
        if (before != null) {
            throw bad(name + " is given twice");
        }
        return value;
    }

    private static String decoded(String name, String value) throws CallException {
        try {
            return URLDecoder.decode(value, UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad(Quoted.plain(name, 64) + ": " + Quoted.text(value) + " (expected: percent-encoded UTF-8)");
        }
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, "query: " + detail);
    }

    /** Returns the request for the document of one service, as a path and header fields name it. */
    static DocumentRequest of(MethodName described) {
        return new DocumentRequest(
                List.of(described.service()), described.version(), described.group(), SchemaForms.CANONICAL);
    }
}
