package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.protocol.type.TypeNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls that do not name the parameter types of an overloaded method. */
class OverloadTest {
    private static final Map<String, String> SHORT_NAMES = Map.ofEntries(
            Map.entry("String", "java.lang.String"),
            Map.entry("Object", "java.lang.Object"),
            Map.entry("Integer", "java.lang.Integer"),
            Map.entry("Long", "java.lang.Long"),
            Map.entry("Character", "java.lang.Character"),
            Map.entry("Boolean", "java.lang.Boolean"),
            Map.entry("Number", "java.lang.Number"),
            Map.entry("CharSequence", "java.lang.CharSequence"),
            Map.entry("BigDecimal", "java.math.BigDecimal"),
            Map.entry("BigInteger", "java.math.BigInteger"),
            Map.entry("LocalDate", "java.time.LocalDate"),
            Map.entry("Date", "java.util.Date"),
            Map.entry("List", "java.util.List"),
            Map.entry("Collection", "java.util.Collection"),
            Map.entry("Set", "java.util.Set"),
            Map.entry("Map", "java.util.Map"),
            Map.entry("HashMap", "java.util.HashMap"),
            Map.entry("Optional", "java.util.Optional"),
            Map.entry("AtomicInteger", "java.util.concurrent.atomic.AtomicInteger"));
    private static final Map<String, TypeDefinition> TYPES = Map.of(
            "a.Status",
            new TypeDefinition("a.Status", List.of("PAID", "OPEN"), Map.of()),
            "a.Colour",
            new TypeDefinition("a.Colour", List.of("RED", "OPEN"), Map.of()),
            "a.Order",
            new TypeDefinition("a.Order", List.of(), Map.of("id", "long", "item", "java.lang.String")),
            "a.User",
            new TypeDefinition("a.User", List.of(), Map.of("id", "long", "name", "java.lang.String")),
            "a.Animal",
            animal(
                    "a.Animal",
                    TypeDefinition.Kind.CLASS,
                    Map.of("name", "java.lang.String"),
                    Set.of("a.Dog", "a.Puppy")),
            "a.Dog",
            animal(
                    "a.Dog",
                    TypeDefinition.Kind.CLASS,
                    Map.of("name", "java.lang.String", "bark", "int"),
                    Set.of("a.Puppy")),
            "a.Puppy",
            animal(
                    "a.Puppy",
                    TypeDefinition.Kind.CLASS,
                    Map.of("name", "java.lang.String", "bark", "int", "age", "int"),
                    Set.of()),
            "a.Shape",
            animal("a.Shape", TypeDefinition.Kind.ABSTRACT_CLASS, Map.of("id", "long"), Set.of("a.Circle")),
            "a.Circle",
            animal("a.Circle", TypeDefinition.Kind.CLASS, Map.of("id", "long", "radius", "int"), Set.of()));

    private final ByteBuf in = Unpooled.buffer();
    private final ByteBuf out = Unpooled.buffer();

    private static TypeDefinition animal(
            String name, TypeDefinition.Kind kind, Map<String, String> fields, Set<String> subclasses) {
        return new TypeDefinition(name, kind, List.of(), fields, Set.of(), subclasses);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // methods             | arguments            | called
                // --- the number of arguments
                "long; long,a.Status   | [5,\"PAID\"]         | long,a.Status",
                "long; long,a.Status   | [5]                  | long",
                "(); int; int,int      | []                   | ()",
                "(); int; int,int      | [1,2]                | int,int",
                "int,int; List<Long>   | [1,2]                | int,int",
                "int,int; List<Long>   | [[1,2]]              | List<Long>",
                "String; String,Object[] | [\"a\"]            | String",
                "String; String,Object[] | [\"a\",[1,\"b\"]]  | String,Object[]",
                // --- text and numbers
                "long; String          | [5]                  | long",
                "long; String          | [\"5\"]              | String",
                "long; String          | [null]               | String",
                "long; a.Status        | [\"PAID\"]           | a.Status",
                "long; a.Status        | [\"5\"]              | long",
                "int; long; double     | [5]                  | int",
                "double; long; int     | [5]                  | int",
                "int; long; double     | [5000000000]         | long",
                "int; long; double     | [5.5]                | double",
                "int; long; double     | [5.0]                | double",
                "int; long; double     | [50000000000000000000] | double",
                "long; double          | [5]                  | long",
                "short; double         | [5]                  | short",
                "byte; short           | [5]                  | short",
                "byte; short           | [5.0]                | ambiguous: byte; short",
                "float; double         | [1.5]                | double",
                "double; BigDecimal    | [1.5]                | double",
                "long; BigInteger      | [92233720368547758070] | BigInteger",
                "int; String           | [true]               | none",
                "boolean; String       | [true]               | boolean",
                "boolean; int          | [true]               | boolean",
                "boolean; int          | [1]                  | int",
                "char; String          | [\"a\"]              | String",
                "char; Object          | [\"a\"]              | char",
                "char; int             | [5]                  | int",
                "String; CharSequence  | [\"a\"]              | String",
                // --- boxed and primitive
                "int; Integer          | [5]                  | int",
                "int; Integer          | [null]               | Integer",
                "long; Integer         | [5]                  | Integer",
                "boolean; Boolean      | [true]               | boolean",
                "Integer; Object       | [5]                  | Integer",
                "Number; Object        | [5]                  | Number",
                "Number; Object        | [\"a\"]              | Object",
                "Integer; AtomicInteger | [5]                 | Integer",
                // --- constants and dates
                "a.Status; String      | [\"PAID\"]           | String",
                "a.Status; Object      | [\"PAID\"]           | a.Status",
                "a.Status; a.Colour    | [\"PAID\"]           | a.Status",
                "a.Status; a.Colour    | [\"RED\"]            | a.Colour",
                "a.Status; a.Colour    | [\"OPEN\"]           | ambiguous: a.Status; a.Colour",
                "a.Status; a.Colour    | [\"NONE\"]           | none",
                "LocalDate; String     | [\"2026-01-02\"]     | String",
                "LocalDate; long       | [\"2026-01-02\"]     | LocalDate",
                "Date; long            | [5]                  | long",
                "Date; LocalDate       | [\"2026-01-02T10:00:00Z\"] | Date",
                // --- lists and arrays
                "List<Long>; Object    | [[1]]                | List<Long>",
                "List<Long>; Object    | [\"a\"]              | Object",
                "List<Long>; Object    | [null]               | List<Long>",
                "List<Long>; Collection<Long> | [[1]]         | List<Long>",
                "List<Long>; Set<Long> | [[1]]                | ambiguous: List<Long>; Set<Long>",
                "List<Long>; Map<String,Long> | [[1]]         | List<Long>",
                "List<Long>; Map<String,Long> | [{\"a\":1}]   | Map<String,Long>",
                "long[]; String[]      | [[1]]                | long[]",
                "long[]; String[]      | [[\"a\"]]            | String[]",
                "long[]; String[]      | [[]]                 | ambiguous: long[]; String[]",
                "int[]; long[]         | [[1,2]]              | int[]",
                "int[]; long[]         | [[1,5000000000]]     | long[]",
                "Object[]; String[]    | [[\"a\"]]            | String[]",
                "Object[]; String[]    | [[1]]                | Object[]",
                "String; String[]      | [\"a\"]              | String",
                "String; String[]      | [[\"a\"]]            | String[]",
                "long[]; List<Long>    | [[1]]                | ambiguous: long[]; List<Long>",
                "byte[]; String        | [\"AQI=\"]           | String",
                "byte[]; String        | [[1,2]]              | byte[]",
                "Optional<String>; String | [\"a\"]           | String",
                // --- objects
                "a.Order; String       | [{\"id\":1}]         | a.Order",
                "a.Order; long         | [1]                  | long",
                "a.Order; a.User       | [{\"id\":1,\"item\":\"x\"}] | a.Order",
                "a.Order; a.User       | [{\"name\":\"x\"}]   | a.User",
                "a.Order; a.User       | [{\"id\":1}]         | ambiguous: a.Order; a.User",
                "a.Order; a.User       | [null]               | ambiguous: a.Order; a.User",
                "a.Order; a.User       | [{\"class\":\"a.User\",\"id\":1}] | a.User",
                "a.Order; Map<String,String> | [{\"other\":\"x\"}] | Map<String,String>",
                "a.Order; Map<String,Long> | [{\"item\":\"x\"}] | a.Order",
                "a.Order; Map<String,Object> | [{\"id\":1}]   | ambiguous: a.Order; Map<String,Object>",
                "a.Order; Object       | [{\"id\":1}]         | a.Order",
                "a.Order; a.Unknown    | [{\"id\":1}]         | ambiguous: a.Order; a.Unknown",
                "Map<String,Long>; HashMap<String,Long> | [{}] | HashMap<String,Long>",
                "a.Animal; a.Dog       | [{\"bark\":1}]       | a.Dog",
                "a.Animal; a.Dog       | [{\"name\":\"x\"}]   | ambiguous: a.Animal; a.Dog",
                "a.Animal; a.Dog       | [{\"class\":\"a.Dog\",\"name\":\"x\"}] | a.Dog",
                "a.Animal; a.Dog       | [{\"class\":\"a.Animal\",\"name\":\"x\"}] | a.Animal",
                "a.Animal; a.Dog       | [{\"class\":\"a.Puppy\",\"name\":\"x\"}] | a.Dog",
                "a.Animal; a.Dog       | [null]               | a.Dog",
                "a.Shape; String       | [{\"class\":\"a.Circle\",\"id\":1}] | a.Shape",
                // --- several arguments
                "int,String; String,int | [1,\"a\"]           | int,String",
                "int,long; long,int    | [1,2]                | ambiguous: int,long; long,int",
                "int,long; long,int; int,int | [1,2]          | int,int",
                "int,long; long,int    | [1,5000000000]       | int,long",
                "String,Object; Object,String; String,String | [null,null] | String,String",
                "int; int              | [1]                  | int",
            })
    void theArgumentsTellWhichMethodIsCalled(String methods, String arguments, String expected) throws Exception {
        if (!expected.startsWith("ambiguous: ") && !expected.equals("none")) {
            assertThat(called(methods, arguments)).isEqualTo(descriptor(expected));
            return;
        }
        assertThatThrownBy(() -> called(methods, arguments)).isInstanceOfSatisfying(CallException.class, e -> {
            if (expected.equals("none")) {
                assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT);
                assertThat(e.getMessage()).startsWith("no method get takes these arguments: get(");
                return;
            }
            String candidates = Arrays.stream(
                            expected.substring("ambiguous: ".length()).split("; "))
                    .map(one -> '"' + String.join(", ", types(one)) + '"')
                    .collect(Collectors.joining("; "));
            assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST);
            assertThat(e.getMessage())
                    .isEqualTo(
                            "method get is overloaded, and the arguments fit several: name the parameter types in the"
                                    + " header X-Dubbo-Parameter-Types (expected: one of " + candidates + ")");
        });
    }

    @Test
    void aNumberOfArgumentsThatNoMethodHasIsRefusedWithTheMethods() {
        assertThatThrownBy(() -> called("long; long,a.Status", "[1,2,3]"))
                .hasMessage("arguments: 3 (expected: those of one of get(long); get(long,a.Status))");
    }

    @Test
    void theOnlyMethodWithSoManyArgumentsRefusesThemItself() {
        assertThatThrownBy(() -> called("long; long,a.Status", "[\"x\"]"))
                .hasMessage("args[0]: \"x\" (expected: long, -9223372036854775808 to 9223372036854775807)");
    }

    @Test
    void whatIsNoJsonIsRefusedAsForOtherMethods() {
        assertThatThrownBy(() -> called("long; String", "[1"))
                .hasMessage("arguments: malformed JSON at line 1, column 3:"
                        + " Unexpected end-of-input: expected close marker for Array");
        assertThatThrownBy(() -> called("long; String", "1")).hasMessage("arguments: not a JSON array");
        assertThatThrownBy(() -> called("long; String", "[1] [2]")).hasMessage("arguments: more than one JSON array");
    }

    @Test
    void aMethodOfAGenericInterfaceIsThatWhichOverridesIt() throws Exception {
        MethodDefinition inherited =
                new MethodDefinition("get", List.of("a.Order"), "void", List.of("java.lang.Object"));
        MethodDefinition own = new MethodDefinition("get", List.of("a.Order"), "void");
        assertThat(called(List.of(inherited, own), "[{\"id\":1}]")).isEqualTo("La/Order;");
        assertThat(called(List.of(own, inherited), "[{\"id\":1}]")).isEqualTo("La/Order;");
    }

    @Test
    void aFormWithoutTypesCallsTheMethodThatTakesText() throws Exception {
        in.clear().writeInt(1).writeByte('5');
        DubboRequest request = prepare(methods("long; a.Status; String"));
        assertThat(calledBy(request, new CallArguments().form(in, 0, in.writerIndex())))
                .isEqualTo("Ljava/lang/String;");
    }

    private static String descriptor(String types) {
        return TypeNames.descriptor(types(types));
    }

    private String called(String methods, String arguments) throws Exception {
        return called(methods(methods), arguments);
    }

    private String called(List<MethodDefinition> methods, String arguments) throws Exception {
        in.clear().writeCharSequence(arguments, UTF_8);
        return calledBy(prepare(methods), new CallArguments().json(in, 0, in.writerIndex()));
    }

    private static DubboRequest prepare(List<MethodDefinition> methods) throws CallException {
        return DubboRequest.prepare(
                new MethodName("a.Shop", "get", MethodName.UNKNOWN_TYPES, "", ""),
                Serialization.HESSIAN2,
                new ServiceDefinition(methods, TYPES));
    }

    /** The descriptor by which the provider finds the method. */
    private String calledBy(DubboRequest request, CallArguments arguments) throws Exception {
        boolean generic = request.overload(arguments).encode(out.clear(), 7, false, arguments.timeLeftMs(5000));
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (int i = 0; i < 3; i++) {
            provider.readString();
        }
        assertThat(provider.readString()).isEqualTo(generic ? "$invoke" : "get");
        String descriptor = provider.readString();
        if (!generic) {
            return descriptor;
        }
        provider.readString();
        List<String> types = new ArrayList<>();
        ((List<?>) provider.readObject(List.class)).forEach(type -> types.add((String) type));
        return TypeNames.descriptor(types);
    }

    private static List<MethodDefinition> methods(String methods) {
        return Arrays.stream(methods.split(";"))
                .map(String::strip)
                .map(types -> new MethodDefinition("get", types(types), "void"))
                .toList();
    }

    private static List<String> types(String types) {
        List<String> names = new ArrayList<>();
        int depth = 0;
        StringBuilder name = new StringBuilder();
        StringBuilder all = new StringBuilder();
        for (char c : (types.equals("()") ? "" : types + ',').toCharArray()) {
            if (Character.isJavaIdentifierPart(c) || c == '.') {
                name.append(c);
                continue;
            }
            all.append(SHORT_NAMES.getOrDefault(name.toString(), name.toString()));
            name.setLength(0);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (c == ',' && depth == 0) {
                names.add(all.toString());
                all.setLength(0);
            } else {
                all.append(c);
            }
        }
        return names;
    }
}
