package io.dubbomesh.client.method;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.constraint.ConstraintCheck;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The constraints in the description of a service: docs/use/http.md. */
final class ConstraintJson {
    private static final int MAX_TEXT = 1_000;
    private static final int MAX_DEPTH = 4;

    private ConstraintJson() {}

    /** Writes an array of constraints. */
    static void write(JsonGenerator json, List<Constraint> constraints) throws IOException {
        json.writeStartArray();
        for (Constraint constraint : constraints) {
            json.writeStartObject();
            json.writeStringField("constraint", constraint.name());
            writeLimits(json, constraint);
            if (!constraint.message().isEmpty()) {
                json.writeStringField("message", constraint.message());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeLimits(JsonGenerator json, Constraint constraint) throws IOException {
        if (constraint instanceof Constraint.Size size) {
            json.writeNumberField("min", size.min());
            json.writeNumberField("max", size.max());
        } else if (constraint instanceof Constraint.Min min) {
            writeBound(json, min.value(), min.inclusive());
        } else if (constraint instanceof Constraint.Max max) {
            writeBound(json, max.value(), max.inclusive());
        } else if (constraint instanceof Constraint.Digits digits) {
            json.writeNumberField("integer", digits.integer());
            json.writeNumberField("fraction", digits.fraction());
        } else if (constraint instanceof Constraint.Pattern pattern) {
            json.writeStringField("regexp", pattern.regexp());
            if (!pattern.flags().isEmpty()) {
                writeFlags(json, pattern.flags());
            }
        } else if (constraint instanceof Constraint.Elements elements) {
            json.writeFieldName("constraints");
            write(json, elements.constraints());
        }
    }

    private static void writeBound(JsonGenerator json, BigDecimal value, boolean inclusive) throws IOException {
        json.writeNumberField("value", value);
        json.writeBooleanField("inclusive", inclusive);
    }

    private static void writeFlags(JsonGenerator json, List<String> flags) throws IOException {
        json.writeArrayFieldStart("flags");
        for (String flag : flags) {
            json.writeString(flag);
        }
        json.writeEndArray();
    }

    /** Reads an array of constraints, which is the current token; passes over what is not known. */
    static List<Constraint> read(JsonParser json) throws IOException {
        return read(json, MAX_DEPTH);
    }

    private static List<Constraint> read(JsonParser json, int depth) throws IOException {
        List<Constraint> constraints = new ArrayList<>();
        if (depth == 0 || json.currentToken() != JsonToken.START_ARRAY) {
            json.skipChildren();
            return constraints;
        }
        while (json.nextToken() == JsonToken.START_OBJECT) {
            Constraint constraint = new Members().read(json, depth).constraint();
            if (constraint != null) {
                constraints.add(constraint);
            }
        }
        return constraints;
    }

    /** The members of one constraint. */
    private static final class Members {
        private String name = "";
        private String message = "";
        private String regexp = "";
        private int min;
        private int max = Integer.MAX_VALUE;
        private int integer;
        private int fraction;
        private BigDecimal value;
        private boolean inclusive = true;
        private List<String> flags = List.of();
        private List<Constraint> constraints = List.of();

        Members read(JsonParser json, int depth) throws IOException {
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String member = json.currentName();
                JsonToken token = json.nextToken();
                boolean isText = token == JsonToken.VALUE_STRING && json.getTextLength() <= MAX_TEXT;
                switch (member) {
                    case "constraint" -> name = isText ? json.getText() : name;
                    case "message" -> message = isText ? json.getText() : message;
                    case "regexp" -> regexp = isText ? json.getText() : null;
                    case "min" -> min = json.getValueAsInt(min);
                    case "max" -> max = json.getValueAsInt(max);
                    case "integer" -> integer = json.getValueAsInt();
                    case "fraction" -> fraction = json.getValueAsInt();
                    case "value" -> value = token.isNumeric() ? json.getDecimalValue() : null;
                    case "inclusive" -> inclusive = json.getValueAsBoolean(inclusive);
                    case "flags" -> flags = flags(json);
                    case "constraints" -> constraints = ConstraintJson.read(json, depth - 1);
                    default -> json.skipChildren();
                }
            }
            return this;
        }

        private static List<String> flags(JsonParser json) throws IOException {
            List<String> flags = new ArrayList<>();
            while (json.nextToken() == JsonToken.VALUE_STRING) {
                flags.add(json.getText());
            }
            return flags;
        }

        /** Returns null if there is none of this name, or its members are malformed. */
        private Constraint constraint() {
            boolean hasBound = value != null && ConstraintCheck.isBound(value);
            return switch (name) {
                case "NotNull" -> new Constraint.NotNull(message);
                case "NotEmpty" -> new Constraint.NotEmpty(message);
                case "NotBlank" -> new Constraint.NotBlank(message);
                case "Size" -> new Constraint.Size(min, max, message);
                case "Min" -> hasBound ? new Constraint.Min(value, inclusive, message) : null;
                case "Max" -> hasBound ? new Constraint.Max(value, inclusive, message) : null;
                case "Digits" -> new Constraint.Digits(Math.max(0, integer), Math.max(0, fraction), message);
                case "Pattern" -> regexp == null ? null : new Constraint.Pattern(regexp, flags, message);
                case "Email" -> new Constraint.Email(message);
                case "Valid" -> new Constraint.Valid();
                case "Elements" -> new Constraint.Elements(constraints);
                default -> null;
            };
        }
    }
}
