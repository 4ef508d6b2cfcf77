package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.acceptance.mesh.Form;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** The ways to write a call in HTTP. */
enum CallStyle {
    /** Types and arguments as fields of a form. */
    FORM {
        @Override
        String request(Call call) throws IOException {
            StringBuilder form = new StringBuilder("interface=")
                    .append(call.service())
                    .append("&method=")
                    .append(call.method())
                    .append("&parameterTypesString=")
                    .append(Form.encoded(TypeNames.descriptors(call.types(), call.packageName())));
            if (!call.query().isEmpty()) {
                form.append('&').append(call.query());
            }
            List<String> arguments = CanonicalJson.elements(call.arguments());
            for (int i = 0; i < arguments.size(); i++) {
                form.append("&parameter=")
                        .append(Form.encoded(argument(call.types().get(i), arguments.get(i))));
            }
            return post("/", Form.CONTENT_TYPE, form.toString(), call.headers());
        }

        private String argument(String type, String json) throws IOException {
            String text = CanonicalJson.string(json);
            return text != null && AS_TEXT.contains(type) ? text : json;
        }
    },
    /** JSON, the types in a header: by their Java names or, every other call, as descriptors. */
    TYPED {
        @Override
        String request(Call call) {
            boolean byName = call.line() % 2 == 0;
            List<String> headers = new ArrayList<>(call.headers());
            headers.add("X-Dubbo-Parameter-Types: "
                    + (byName
                            ? TypeNames.javaNames(call.types(), call.packageName())
                            : TypeNames.descriptors(call.types(), call.packageName())));
            return json(call, headers);
        }
    },
    /** JSON, and the types are for the mesh to find out. */
    UNTYPED {
        @Override
        String request(Call call) {
            return json(call, call.headers());
        }
    };

    private static final String PATIENT = "X-Request-Timeout: 10000";
    private static final Set<String> AS_TEXT = Set.of(
            "boolean",
            "byte",
            "short",
            "int",
            "long",
            "float",
            "double",
            "char",
            "Boolean",
            "Byte",
            "Short",
            "Integer",
            "Long",
            "Float",
            "Double",
            "Character",
            "String",
            "BigDecimal",
            "BigInteger");

    /** The whole request, each char a byte. */
    abstract String request(Call call) throws IOException;

    private static String json(Call call, List<String> headers) {
        String query = call.query().isEmpty() ? "" : "?" + call.query();
        return post(
                "/" + call.service() + "/" + call.method() + query,
                "Content-Type: application/json",
                call.arguments(),
                headers);
    }

    private static String post(String target, String contentType, String body, List<String> headers) {
        byte[] bytes = body.getBytes(UTF_8);
        StringBuilder request = new StringBuilder("POST ")
                .append(target)
                .append(" HTTP/1.1\r\nHost: mesh\r\n")
                .append(contentType)
                .append("\r\nContent-Length: ")
                .append(bytes.length)
                .append("\r\n")
                .append(PATIENT)
                .append("\r\n");
        headers.forEach(header -> request.append(header).append("\r\n"));
        return request.append("\r\n").append(new String(bytes, ISO_8859_1)).toString();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
