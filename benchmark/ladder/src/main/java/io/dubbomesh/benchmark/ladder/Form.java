package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.handler.codec.http.QueryStringDecoder;

import java.util.List;
import java.util.Map;

/** The fields of the form interface, read with Netty's decoder. */
record Form(MethodName name, List<String> arguments) {
    static final int MAX_BODY = 1024 * 1024;

    static final String INTERFACE = "interface";
    static final String METHOD = "method";
    static final String TYPES = "parameterTypesString";
    static final String VERSION = "version";
    static final String GROUP = "group";
    static final String PARAMETER = "parameter";

    static Form parse(String body) throws CallException {
        Map<String, List<String>> fields;
        try {
            fields = QueryStringDecoder.builder()
                    .hasPath(false)
                    .semicolonIsNormalChar(true)
                    .build(body)
                    .parameters();
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_REQUEST, "form: " + e.getMessage());
        }
        MethodName name = new MethodName(
                required(fields, INTERFACE),
                required(fields, METHOD),
                required(fields, TYPES),
                optional(fields, VERSION),
                optional(fields, GROUP));
        return new Form(name, fields.getOrDefault(PARAMETER, List.of()));
    }

    private static String required(Map<String, List<String>> fields, String name) throws CallException {
        List<String> values = fields.get(name);
        if (values == null) {
            throw new CallException(Outcome.BAD_REQUEST, "form: " + name + " is missing");
        }
        return values.get(0);
    }

    private static String optional(Map<String, List<String>> fields, String name) {
        return fields.getOrDefault(name, List.of("")).get(0);
    }
}
