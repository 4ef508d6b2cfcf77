package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments.Form;
import io.dubbomesh.protocol.schema.SchemaDocument;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.protocol.type.TypeNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A schema of all forms accepts what the agent takes as an argument and refuses what it refuses; one of the canonical
 * forms accepts nothing else.
 */
class SchemaAgreementTest {
    private static final Map<String, TypeDefinition> TYPES = types();
    /** The schema of an Object does not tell the fields of the classes that one may name. */
    private static final String OBJECT = "java.lang.Object";

    private static final String CLASS = "\"class\"";

    /** Values of each kind, right and wrong in as many ways as come to mind. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "\"true\"",
            "\"FALSE\"",
            "\"yes\"",
            "0",
            "1",
            "7",
            "7.0",
            "7e0",
            "7.5",
            "-1",
            "127",
            "128",
            "-128",
            "-129",
            "255",
            "256",
            "32767",
            "32768",
            "-32769",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "123456789012345678901234567890",
            "1e300",
            "1e39",
            "3.4028235e38",
            "-1e39",
            "0.1",
            "1.10",
            "\"7\"",
            "\"+7\"",
            "\"-007\"",
            "\" 7\"",
            "\"7 \"",
            "\"7.0\"",
            "\"127\"",
            "\"128\"",
            "\"-128\"",
            "\"-129\"",
            "\"32768\"",
            "\"2147483647\"",
            "\"2147483648\"",
            "\"-2147483648\"",
            "\"-2147483649\"",
            "\"9223372036854775807\"",
            "\"9223372036854775808\"",
            "\"00009223372036854775807\"",
            "\"-9223372036854775808\"",
            "\"-9223372036854775809\"",
            "\"1e5\"",
            "\".5\"",
            "\"5.\"",
            "\".\"",
            "\"1f\"",
            "\"0x1\"",
            "\"NaN\"",
            "\"Infinity\"",
            "\"-Infinity\"",
            "\"+Infinity\"",
            "\"nan\"",
            "\"\u0667\"",
            "\"\"",
            "\"x\"",
            "\"xy\"",
            "\"\\ud83d\\ude00\"",
            "\"\\n\"",
            "\"\\u0000\"",
            "\"RED\"",
            "\"red\"",
            "\"GREEN\"",
            "{\"name\":\"RED\"}",
            "{\"name\":\"BLUE\"}",
            "{\"name\":\"RED\",\"x\":1}",
            "{\"name\":1}",
            "{}",
            "[]",
            "[null]",
            "[1]",
            "[1,2]",
            "[1,-128,255]",
            "[256]",
            "[7.0]",
            "[7.5]",
            "0.0",
            "1.0",
            "[1.5]",
            "[\"1\"]",
            "[\"a\",\"b\"]",
            "[\"ab\"]",
            "[true]",
            "[[1,\"a\"]]",
            "[[1,\"a\",2]]",
            "[[1]]",
            "[[]]",
            "[[null,null]]",
            "[[\"RED\",1]]",
            "[[\"k\",1]]",
            "[[[1],\"a\"]]",
            "{\"1\":\"a\"}",
            "{\"k\":\"a\"}",
            "{\"k\":1}",
            "{\"k\":null}",
            "{\"RED\":1}",
            "{\"true\":1}",
            "{\"TRUE\":1}",
            "{\"2026-11-21\":1}",
            "{\"2026-11-21T10:00:00Z\":\"a\"}",
            "{\"0f8fad5b-d9cb-469f-a165-70867728950e\":\"a\"}",
            "\"AAE=\"",
            "\"AAE\"",
            "\"AAEC\"",
            "\"A\"",
            "\"AA==\"",
            "\"AA=\"",
            "\"A-_=\"",
            "\"2026-11-21\"",
            "\"2026-1-1\"",
            "\"2026-02-29\"",
            "\"2024-02-29\"",
            "\"1900-02-29\"",
            "\"2000-02-29\"",
            "\"2026-04-31\"",
            "\"2026-13-01\"",
            "\"2026-00-01\"",
            "\"10:00:00\"",
            "\"10:00\"",
            "\"10\"",
            "\"24:00:00\"",
            "\"23:59:59.999999999\"",
            "\"2026-11-21T10:00:00\"",
            "\"2026-11-21 10:00:00\"",
            "\"2026-11-21 10:00\"",
            "\"2026-1-1 1:1:1\"",
            "\"2026-11-21T10:00:00.5\"",
            "\"2026-11-21T10:00:00.\"",
            "\"2026-11-21T10:00:00Z\"",
            "\"2026-11-21T10:00Z\"",
            "\"2026-11-21 10:00:00Z\"",
            "\"2026-11-21T10:00:00+02:00\"",
            "\"2026-11-21T10:00:00+0200\"",
            "\"2026-11-21T10:00:00.000000001Z\"",
            "\"2026-11-21T10:00:00+02:00[Europe/Paris]\"",
            "\"2026-02-30T10:00:00Z\"",
            "\"2026-11-21T25:00:00Z\"",
            "\"10:00:00+02:00\"",
            "1795255200000",
            "\"PT5M\"",
            "\"PT\"",
            "\"P1D\"",
            "\"P1DT2H\"",
            "\"P1Y2M3W4D\"",
            "\"P\"",
            "\"-P1D\"",
            "\"PT0.5S\"",
            "\"PT-5M\"",
            "\"2026\"",
            "\"26\"",
            "2026",
            "\"2026-11\"",
            "\"--11-21\"",
            "\"--02-29\"",
            "\"--02-30\"",
            "\"--04-31\"",
            "\"+01:00\"",
            "\"Z\"",
            "\"0f8fad5b-d9cb-469f-a165-70867728950e\"",
            "\"0f8fad5b-d9cb-469f-a165-70867728950\"",
            "\"EUR\"",
            "\"eur\"",
            "\"en_US\"",
            "\"en-US\"",
            "\"en_US_WIN\"",
            "\"en_USA\"",
            "{\"count\":1}",
            "{\"count\":null}",
            "{\"count\":\"1\"}",
            "{\"isNew\":true}",
            "{\"new\":true}",
            "{\"new\":true,\"isNew\":false}",
            "{\"URL\":\"u\"}",
            "{\"uRL\":\"u\"}",
            "{\"unknown\":1}",
            "{\"colour\":\"RED\"}",
            "{\"colour\":\"BLUE\"}",
            "{\"parts\":[{\"count\":1},null]}",
            "{\"parts\":[{\"unknown\":1}]}",
            "{\"class\":\"a.Item\",\"count\":1}",
            "{\"class\":\"a.Special\",\"discount\":0.5}",
            "{\"class\":\"a.Special\",\"unknown\":0.5}",
            "{\"class\":\"a.Unknown\"}",
            "{\"discount\":0.5}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "boolean",
                "java.lang.Boolean",
                "byte",
                "java.lang.Short",
                "int",
                "java.lang.Integer",
                "long",
                "float",
                "double",
                "java.lang.Double",
                "char",
                "java.lang.String",
                "java.math.BigInteger",
                "java.math.BigDecimal",
                "byte[]",
                "char[]",
                "int[]",
                "java.lang.String[]",
                "java.util.List<java.lang.Long>",
                "java.util.Set<java.lang.String>",
                "java.util.List<java.util.List<java.lang.Integer>>",
                "java.util.Map<java.lang.String,java.lang.Integer>",
                "java.util.Map<java.lang.Integer,java.lang.String>",
                "java.util.Map<java.lang.Boolean,java.lang.Integer>",
                "java.util.Map<a.Colour,java.lang.Integer>",
                "java.util.Map<java.util.UUID,java.lang.String>",
                "java.util.Map<java.util.Date,java.lang.String>",
                "java.util.Map<java.time.LocalDate,java.lang.Integer>",
                "java.util.Map<java.util.List<java.lang.Integer>,java.lang.String>",
                "java.util.Map<java.lang.Object,java.lang.Object>",
                "java.util.Map<a.Item,java.lang.String>",
                "java.util.Properties",
                "java.util.Date",
                "java.sql.Date",
                "java.sql.Time",
                "java.sql.Timestamp",
                "java.time.LocalDate",
                "java.time.LocalTime",
                "java.time.LocalDateTime",
                "java.time.Instant",
                "java.time.OffsetDateTime",
                "java.time.OffsetTime",
                "java.time.Duration",
                "java.time.Period",
                "java.time.Year",
                "java.time.YearMonth",
                "java.time.MonthDay",
                "java.time.ZoneOffset",
                "java.util.UUID",
                "java.util.Locale",
                "java.lang.Object",
                "java.lang.Number",
                "java.lang.Comparable",
                "java.util.Optional<java.lang.String>",
                "java.util.EnumSet<a.Colour>",
                "java.util.concurrent.atomic.AtomicLong",
                "java.lang.StringBuilder",
                "a.Colour",
                "a.Item",
                "a.Special",
                "java.util.List<a.Item>",
                "a.Item[]"
            })
    void theSchemaAcceptsWhatTheAgentTakes(String type) {
        MethodDefinition method = new MethodDefinition("put", List.of(type, "int"), "void");
        SchemaDocument all = SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, method);
        SchemaDocument canonical = SchemaDocument.ofArguments(TYPES, SchemaForms.CANONICAL, method);

        List<String> wrong = new ArrayList<>();
        for (String value : VALUES) {
            String arguments = "[" + value + ",1]";
            boolean taken = takes(method, arguments);
            if (all.accepts(arguments) != taken && !(type.equals(OBJECT) && value.contains(CLASS))) {
                wrong.add(value + (taken ? " is taken" : " is refused"));
            }
            if (canonical.accepts(arguments) && !taken && !(type.equals(OBJECT) && value.contains(CLASS))) {
                wrong.add(value + " is refused, though it is canonical");
            }
        }
        assertThat(wrong).as("%s by %s", type, all).isEmpty();
    }

    @Test
    void theOnlyArgumentMayBeTheBodyItself() {
        MethodDefinition text = new MethodDefinition("put", List.of("java.lang.String"), "void");
        MethodDefinition list = new MethodDefinition("put", List.of("java.util.List<java.lang.String>"), "void");

        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, text).accepts("\"a\""))
                .isTrue();
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, text).accepts("[\"a\"]"))
                .isTrue();
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, list).accepts("[\"a\"]"))
                .isFalse();
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, list).accepts("[[\"a\"]]"))
                .isTrue();
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, list).accepts("null"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"item\":{\"class\":\"a.Item\",\"count\":1},\"fast\":true}",
                "{\"fast\":false,\"item\":null}",
                "{\"item\":null}",
                "{\"item\":null,\"fast\":null}",
                "{\"item\":null,\"fast\":true,\"more\":1}",
                "{\"item\":{\"unknown\":1},\"fast\":true}",
                "{}",
                "[null,true]",
                "[null]",
                "[{\"item\":null,\"fast\":true}]",
                "null",
                "true"
            })
    void severalArgumentsMayBeByName(String body) {
        List<String> types = List.of("a.Item", "boolean");
        MethodDefinition method = new MethodDefinition(
                "put", types, "void", types, new ParameterFacts(List.of("item", "fast"), List.of()));
        boolean taken = takesBody(method, body);

        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, method).accepts(body))
                .isEqualTo(taken);
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.CANONICAL, method)
                        .accepts(body))
                .isEqualTo(taken && body.startsWith("{"));
    }

    private static boolean takes(MethodDefinition method, String arguments) {
        ServiceDefinition service = new ServiceDefinition(List.of(method), TYPES);
        try {
            new Shop().encode("put", TypeNames.descriptor(method.erasedTypes()), service, arguments);
            return true;
        } catch (CallException e) {
            return false;
        }
    }

    /** Returns whether the agent takes the body of a request in JSON. */
    private static boolean takesBody(MethodDefinition method, String body) {
        Form form = body.startsWith("{") ? Form.OBJECT : Form.ARRAY;
        ByteBuf in = Unpooled.copiedBuffer(body.startsWith("[") ? body : '[' + body + ']', UTF_8);
        try {
            DubboRequest request = DubboRequest.prepare(
                    new MethodName("a.Shop", method.name(), MethodName.UNKNOWN_TYPES, "", ""),
                    Serialization.HESSIAN2,
                    new ServiceDefinition(List.of(method), TYPES));
            CallArguments call =
                    new CallArguments().set(form, in, 0, in.writerIndex()).timeLeftMs(5000);
            request.overload(call).encode(Unpooled.buffer(), 7, false, call);
            return true;
        } catch (CallException e) {
            return false;
        }
    }

    private static Map<String, TypeDefinition> types() {
        Map<String, String> item = new LinkedHashMap<>();
        item.put("count", "int");
        item.put("isNew", "boolean");
        item.put("URL", "java.lang.String");
        item.put("colour", "a.Colour");
        item.put("parts", "java.util.List<a.Item>");
        Map<String, String> special = new LinkedHashMap<>(item);
        special.put("discount", "double");
        return Map.of(
                "a.Colour",
                new TypeDefinition("a.Colour", List.of("RED", "GREEN"), Map.of()),
                "a.Item",
                new TypeDefinition("a.Item", TypeDefinition.Kind.CLASS, List.of(), item, Set.of(), Set.of("a.Special")),
                "a.Special",
                new TypeDefinition("a.Special", TypeDefinition.Kind.CLASS, List.of(), special, Set.of(), Set.of()));
    }
}
