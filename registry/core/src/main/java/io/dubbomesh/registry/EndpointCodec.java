package io.dubbomesh.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Keys and values of the registry.
 * <pre>
 *   /dubbomesh/com.example.Greeter/192.0.2.7:30000
 *   /dubbomesh/com.example.Greeter/[2001:db8::7]:30000
 *
 *   {"weight":3,"limit":180,"variants":[{"version":"1.0","group":"a"}]}
 *   {"weight":3,"limit":180,"variants":[...],"provider":"192.0.2.7:20880"}     of the agent of this provider
 *   {"weight":3,"limit":180,"variants":[{"version":"1.0","group":"","timeouts":{"timeout":"15000"}}]}
 *   {"weight":3,"limit":180,"variants":[...],"zone":"north"}     of an agent in this zone
 *   {"weight":3,"limit":180,"variants":[...],"capacity":3600}    of an agent whose weight is automatic
 *   {"weight":3,"limit":180,"variants":[...],"leaving":true}     the agent deregisters; the key is deleted next
 *   3            a weight alone
 *                nothing: weight 1
 * </pre>
 * Every field may be missing, unknown fields are ignored, and no variants means the one without version and group. A
 * zone or a capacity that is malformed is as missing: endpoints are used without them, too.
 */
public final class EndpointCodec {
    public static final String ROOT = "/dubbomesh/";
    public static final int MAX_VALUE_LENGTH = 1024;
    static final int MAX_LIMIT = 1_000_000;
    public static final int MAX_CAPACITY = 1_000_000_000;

    private static final int MAX_SERVICE_LENGTH = 255;
    private static final int MAX_PRINTED = 1024;
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /**
     * A parsed value.
     *
     * @param variants never empty
     * @param provider as in {@link Endpoint#provider}
     * @param timeouts as in {@link Endpoint#timeouts}
     * @param zone     as in {@link Endpoint#zone}
     * @param capacity as in {@link Endpoint#capacity}
     * @param leaving  whether the agent deregisters on purpose
     */
    public record Value(
            int weight,
            int limit,
            List<Variant> variants,
            Map<Variant, Map<String, String>> timeouts,
            String provider,
            String zone,
            int capacity,
            boolean leaving) {
        /** Makes a value without timeouts, zone and capacity. */
        Value(int weight, int limit, List<Variant> variants, String provider, boolean leaving) {
            this(weight, limit, variants, Map.of(), provider, "", 0, leaving);
        }

        Value withWeight(int changed) {
            return new Value(changed, limit, variants, timeouts, provider, zone, capacity, leaving);
        }

        /** Returns this one without its capacity, and with these. */
        private Value with(String otherProvider, String otherZone) {
            return new Value(weight, limit, variants, timeouts, otherProvider, otherZone, 0, leaving);
        }
    }

    /** A parsed key. */
    public record Key(String service, HostPort address) {
        @Override
        public String toString() {
            return ROOT + service + '/' + address;
        }
    }

    private EndpointCodec() {}

    /** @throws IllegalArgumentException if this is no key of an endpoint; its message says what was expected */
    public static Key parseKey(String text) {
        int slash = text.lastIndexOf('/');
        if (!text.startsWith(ROOT) || slash < ROOT.length()) {
            throw new IllegalArgumentException("not /dubbomesh/{interface}/{host}:{port}");
        }
        String service = text.substring(ROOT.length(), slash);
        checkService(service);
        return new Key(service, ReachableAddress.parse(text.substring(slash + 1)));
    }

    /** @throws IllegalArgumentException if {@code service} cannot be part of a key */
    public static void checkService(String service) {
        boolean good = !service.isEmpty() && service.length() <= MAX_SERVICE_LENGTH && service.charAt(0) != '.';
        for (int i = 0; good && i < service.length(); i++) {
            char c = service.charAt(i);
            good = c == '.' || Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
        }
        if (!good) {
            throw new IllegalArgumentException(
                    "service " + PrintableText.brief(service) + " (expected: the name of a Java interface)");
        }
    }

    /**
     * Returns the value of an agent's key. Where there is no room for all, the capacity is left out, then the zone,
     * too, and last the provider: without it its calls may go to it past its agent.
     *
     * @throws IllegalArgumentException if the value would be longer than what is accepted
     */
    public static String value(Value value) {
        String text = json(value);
        if (length(text) > MAX_VALUE_LENGTH) {
            text = json(value.with(value.provider(), value.zone()));
        }
        if (length(text) > MAX_VALUE_LENGTH) {
            text = json(value.with(value.provider(), ""));
        }
        if (length(text) > MAX_VALUE_LENGTH) {
            text = json(value.with("", ""));
        }
        return checked(text, value.variants());
    }

    /**
     * Returns the value that an agent puts before it deletes its key.
     *
     * @throws IllegalArgumentException if the value would be longer than what is accepted
     */
    public static String leavingValue(int weight, int limit, List<Variant> variants) {
        return checked(json(new Value(weight, limit, variants, "", true)), variants);
    }

    /**
     * Returns a value with another weight; all else stays as it was understood.
     *
     * @throws IllegalArgumentException as {@link #parseValue}
     */
    public static String withWeight(byte[] bytes, int weight) {
        Value value = parseValue(bytes);
        return value.leaving()
                ? leavingValue(weight, value.limit(), value.variants())
                : value(value.withWeight(weight));
    }

    /** Returns {@link #withWeight}; the weight alone, which is a value too, in the place of one that is malformed. */
    public static byte[] replaceWeight(byte[] bytes, int weight) {
        try {
            return withWeight(bytes, weight).getBytes(UTF_8);
        } catch (IllegalArgumentException e) {
            return Integer.toString(weight).getBytes(UTF_8);
        }
    }

    /** Returns whether a value has this weight; a malformed one has none. */
    public static boolean hasWeight(byte[] bytes, int weight) {
        try {
            return parseValue(bytes).weight() == weight;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String json(Value value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("weight", value.weight());
            json.writeNumberField("limit", value.limit());
            json.writeArrayFieldStart("variants");
            for (Variant variant : orNone(value.variants())) {
                json.writeStartObject();
                json.writeStringField("version", variant.version());
                json.writeStringField("group", variant.group());
                writeTimeouts(json, value.timeouts().getOrDefault(variant, Map.of()));
                json.writeEndObject();
            }
            json.writeEndArray();
            if (!value.provider().isEmpty()) {
                json.writeStringField("provider", value.provider());
            }
            if (!value.zone().isEmpty()) {
                json.writeStringField("zone", value.zone());
            }
            if (value.capacity() > 0) {
                json.writeNumberField("capacity", value.capacity());
            }
            if (value.leaving()) {
                json.writeBooleanField("leaving", true);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void writeTimeouts(JsonGenerator json, Map<String, String> timeouts) throws IOException {
        if (!timeouts.isEmpty()) {
            json.writeObjectFieldStart("timeouts");
            // In order: a value that is the same is not put again.
            for (Map.Entry<String, String> timeout : new TreeMap<>(timeouts).entrySet()) {
                json.writeStringField(timeout.getKey(), timeout.getValue());
            }
            json.writeEndObject();
        }
    }

    private static String checked(String text, List<Variant> variants) {
        if (length(text) > MAX_VALUE_LENGTH) {
            throw new IllegalArgumentException("registry: a value of " + length(text) + " bytes for " + variants.size()
                    + " versions and groups of a service (expected: at most " + MAX_VALUE_LENGTH + ")");
        }
        return text;
    }

    private static int length(String text) {
        return text.getBytes(UTF_8).length;
    }

    /** @throws IllegalArgumentException if the value is malformed; its message says what was expected */
    public static Value parseValue(byte[] bytes) {
        if (bytes.length > MAX_VALUE_LENGTH) {
            throw new IllegalArgumentException(bytes.length + " bytes (expected: at most " + MAX_VALUE_LENGTH + ")");
        }
        String text = new String(bytes, UTF_8).strip();
        if (text.isEmpty()) {
            return new Value(Endpoint.DEFAULT_WEIGHT, Endpoint.DEFAULT_LIMIT, List.of(Variant.NONE), "", false);
        }
        if (NUMBER.matcher(text).matches()) {
            int weight = within("weight", Long.parseLong(text), 0, Endpoint.MAX_WEIGHT);
            return new Value(weight, Endpoint.DEFAULT_LIMIT, List.of(Variant.NONE), "", false);
        }
        try (JsonParser json = JSON.createParser(text)) {
            Value value = value(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("more than one JSON value");
            }
            return value;
        } catch (IOException e) {
            // The parser's message quotes the value, which the log line quotes already, escaped.
            throw new IllegalArgumentException("malformed JSON (expected: an object or a weight)", e);
        }
    }

    /** Returns the beginning of a value that was written elsewhere, for a message. */
    public static String printable(byte[] value) {
        return PrintableText.brief(new String(value, 0, Math.min(value.length, MAX_PRINTED), UTF_8));
    }

    private static Value value(JsonParser json) throws IOException {
        expect(json.nextToken(), JsonToken.START_OBJECT, "an object or a weight");
        int weight = Endpoint.DEFAULT_WEIGHT;
        int limit = Endpoint.DEFAULT_LIMIT;
        List<Variant> variants = List.of();
        Map<Variant, Map<String, String>> timeouts = new HashMap<>();
        String provider = "";
        String zone = "";
        int capacity = 0;
        boolean leaving = false;
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            JsonToken token = json.nextToken();
            switch (field) {
                case "weight" -> weight = number(json, token, field, 0, Endpoint.MAX_WEIGHT);
                case "limit" -> limit = number(json, token, field, 1, MAX_LIMIT);
                case "variants" -> variants = variants(json, token, timeouts);
                case "provider" -> provider = address(string(json, token, field));
                case "zone" -> zone = zone(json, token);
                case "capacity" -> capacity = capacity(json, token);
                case "leaving" -> leaving = bool(token, field);
                default -> json.skipChildren();
            }
        }
        expect(json.currentToken(), JsonToken.END_OBJECT, "the end of the object");
        return new Value(weight, limit, orNone(variants), timeouts, provider, zone, capacity, leaving);
    }

    /** Returns the zone; one that is malformed is as missing, since it is only a hint. */
    private static String zone(JsonParser json, JsonToken token) throws IOException {
        json.skipChildren();
        return token == JsonToken.VALUE_STRING ? ZoneName.valid(json.getText()) : "";
    }

    /** Returns the capacity; one that is malformed is as missing, since it is only a hint. */
    private static int capacity(JsonParser json, JsonToken token) throws IOException {
        json.skipChildren();
        if (token != JsonToken.VALUE_NUMBER_INT || json.getNumberType() != JsonParser.NumberType.INT) {
            return 0;
        }
        int capacity = json.getIntValue();
        return capacity >= 0 && capacity <= MAX_CAPACITY ? capacity : 0;
    }

    private static String address(String text) {
        return text.isEmpty() ? "" : ReachableAddress.parse(text).toString();
    }

    private static boolean bool(JsonToken token, String field) {
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
            throw new IllegalArgumentException(token + " (expected: " + field + " as true or false)");
        }
        return token == JsonToken.VALUE_TRUE;
    }

    private static int number(JsonParser json, JsonToken token, String field, int min, int max) throws IOException {
        expect(token, JsonToken.VALUE_NUMBER_INT, field + " " + min + "-" + max);
        if (json.getNumberType() != JsonParser.NumberType.INT) {
            throw new IllegalArgumentException(field + " out of range (expected: " + min + "-" + max + ")");
        }
        return within(field, json.getIntValue(), min, max);
    }

    private static int within(String field, long value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(field + ": " + value + " (expected: " + min + "-" + max + ")");
        }
        return (int) value;
    }

    private static List<Variant> variants(JsonParser json, JsonToken first, Map<Variant, Map<String, String>> timeouts)
            throws IOException {
        expect(first, JsonToken.START_ARRAY, "an array of variants");
        List<Variant> variants = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken(), JsonToken.START_OBJECT, "variants as objects");
            Variant variant = variant(json, timeouts);
            if (!variants.contains(variant)) {
                variants.add(variant);
            }
        }
        return variants;
    }

    private static Variant variant(JsonParser json, Map<Variant, Map<String, String>> timeouts) throws IOException {
        String version = "";
        String group = "";
        Map<String, String> own = Map.of();
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            JsonToken token = json.nextToken();
            switch (field) {
                case "version" -> version = string(json, token, field);
                case "group" -> group = string(json, token, field);
                case "timeouts" -> own = timeouts(json, token);
                default -> json.skipChildren();
            }
        }
        Variant variant = new Variant(version, group);
        if (!own.isEmpty()) {
            timeouts.put(variant, own);
        }
        return variant;
    }

    /** Reads the timeouts; a text that is no number is skipped by its users. */
    private static Map<String, String> timeouts(JsonParser json, JsonToken first) throws IOException {
        expect(first, JsonToken.START_OBJECT, "timeouts as an object");
        Map<String, String> timeouts = new HashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            timeouts.put(name, string(json, json.nextToken(), name));
        }
        return timeouts;
    }

    private static String string(JsonParser json, JsonToken token, String field) throws IOException {
        if (token == JsonToken.VALUE_NULL) {
            return "";
        }
        expect(token, JsonToken.VALUE_STRING, field + " as a string");
        return json.getText();
    }

    private static void expect(JsonToken token, JsonToken expected, String description) {
        if (token != expected) {
            throw new IllegalArgumentException(token + " (expected: " + description + ")");
        }
    }

    private static List<Variant> orNone(List<Variant> variants) {
        return variants.isEmpty() ? List.of(Variant.NONE) : variants;
    }
}
