package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition.Kind;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianValues;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.type.NotNativeException;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ArgumentBounds;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.netty.buffer.ByteBuf;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Arguments in JSON; the first byte of the input chooses their types. What is not refused is Hessian that makes JSON
 * again.
 */
public final class ArgumentsFuzz {
    private static final Map<String, String> FIELDS = new LinkedHashMap<>();
    private static final Map<String, String> CIRCLE = new LinkedHashMap<>();

    static {
        FIELDS.put("name", "java.lang.String");
        FIELDS.put("count", "short");
        FIELDS.put("price", "java.math.BigDecimal");
        FIELDS.put("made", "java.util.Date");
        FIELDS.put("colour", "a.Colour");
        FIELDS.put("image", "byte[]");
        FIELDS.put("parts", "a.Item[]");
        FIELDS.put("others", "java.util.Set<a.Item>");
        FIELDS.put("byDay", "java.util.Map<java.time.LocalDate, java.math.BigInteger>");
        FIELDS.put("anything", "java.lang.Object");
        CIRCLE.put("value", "a.Dot[]");
        CIRCLE.put("in", "a.Shape");
    }

    private static final Map<String, TypeDefinition> KNOWN = Map.of(
            "a.Item",
            new TypeDefinition("a.Item", List.of(), FIELDS),
            "a.Colour",
            new TypeDefinition("a.Colour", List.of("RED", "GREEN"), Map.of()),
            "a.Measured",
            type("a.Measured", Kind.INTERFACE, Map.of(), Set.of(), Set.of("a.Dot", "a.Circle", "a.Paper")),
            "a.Shape",
            type("a.Shape", Kind.ABSTRACT_CLASS, Map.of(), Set.of(), Set.of("a.Circle", "a.Odd")),
            "a.Circle",
            type("a.Circle", Kind.CLASS, CIRCLE, Set.of("value"), Set.of()),
            "a.Odd",
            type("a.Odd", Kind.CLASS, Map.of("shorts", "java.util.List<java.lang.Short>"), Set.of(), Set.of()),
            "a.Dot",
            type("a.Dot", Kind.RECORD, Map.of("x", "int", "around", "a.Measured"), Set.of(), Set.of()),
            "a.Paper",
            new TypeDefinition("a.Paper", List.of("A4"), Map.of()));

    private static TypeDefinition type(
            String name, Kind kind, Map<String, String> fields, Set<String> variables, Set<String> subclasses) {
        return new TypeDefinition(name, kind, List.of(), fields, variables, subclasses);
    }

    /** Null where no types are declared. */
    private static final List<List<String>> TYPES = List.of(
            List.of("a.Item"),
            List.of("java.lang.Object"),
            List.of("a.Unknown", "char[]"),
            List.of("int", "long", "double", "float", "byte", "short", "char", "boolean"),
            List.of("java.lang.Integer", "java.math.BigInteger", "java.math.BigDecimal", "java.lang.String"),
            List.of("java.util.Date", "java.time.ZonedDateTime", "java.time.Instant", "java.time.Duration"),
            List.of("java.time.Period", "java.time.Year", "java.time.MonthDay", "java.time.ZoneId"),
            List.of("java.util.Map<java.lang.Integer, java.util.List<java.time.LocalTime>>", "int[][]", "byte[]"),
            List.of("a.Shape", "java.util.List<a.Shape>"),
            List.of("a.Measured", "a.Dot", "a.Measured[]"));

    private ArgumentsFuzz() {}

    private static int write(Arguments arguments, ByteBuf in, ByteBuf out) throws CallException {
        try {
            return arguments.writeJson(new HessianWriter().reset(out), ArgumentBounds.NONE, in, 0, in.readableBytes());
        } catch (NotNativeException e) {
            out.clear();
            return arguments
                    .converted()
                    .writeJson(new HessianWriter().reset(out), ArgumentBounds.NONE, in, 0, in.readableBytes());
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws MalformedValueException {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> {
                ByteBuf in = allocator.heapBuffer(input.length).writeBytes(input, 1, input.length - 1);
                ByteBuf out = allocator.heapBuffer();
                ByteBuf json = allocator.heapBuffer();
                try {
                    read(input[0] & 0xf, in, out, json);
                } finally {
                    in.release();
                    out.release();
                    json.release();
                }
            });
        }
    }

    private static void read(int choice, ByteBuf in, ByteBuf out, ByteBuf json) throws MalformedValueException {
        Arguments arguments = choice < TYPES.size()
                ? Arguments.of(new MethodDefinition("m", TYPES.get(choice), "void"), KNOWN)
                : Arguments.untyped();
        int count;
        try {
            count = write(arguments, in, out);
        } catch (CallException refused) {
            return;
        }
        HessianReader reader = new HessianReader().reset(out, 0, out.writerIndex());
        ValueToJson transcoder = new ValueToJson(new HessianValues(reader), DubboResponseReader.MAX_DOCUMENT);
        for (int i = 0; i < count; i++) {
            json.clear();
            transcoder.writeJson(json, ClassNames.WRITE);
            JsonCheck.requireJson(json, 0);
        }
        if (!reader.isAtEnd()) {
            throw new AssertionError("more than " + count + " arguments");
        }
    }
}
