package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.protocol.request.CallArguments.Form;
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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An object in the place of the array of arguments. */
class ArgumentsByNameTest {
    private static final MethodDefinition BUY = method("int count, boolean express, java.lang.String note");
    private static final Map<String, TypeDefinition> TYPES =
            Map.of("a.Order", new TypeDefinition("a.Order", List.of(), Map.of("count", "int", "express", "boolean")));

    private final ByteBuf in = Unpooled.buffer();
    private final ByteBuf out = Unpooled.buffer();

    /** Returns a method whose parameters have names where the text has them. */
    private static MethodDefinition method(String parameters) {
        List<String> types = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String parameter : parameters.isEmpty() ? new String[0] : parameters.split(", ")) {
            String[] parts = parameter.split(" ");
            types.add(parts[0]);
            names.addAll(Arrays.asList(parts).subList(1, parts.length));
        }
        List<String> erased = types.stream().map(MethodDefinition::erased).toList();
        return new MethodDefinition("buy", types, "void", erased, new ParameterFacts(names, List.of()));
    }

    private String sent(String body, MethodDefinition... methods) throws Exception {
        return sent(Form.OBJECT, '[' + body + ']', methods);
    }

    /** Returns the descriptor and the values that the provider gets. */
    private String sent(Form form, String arguments, MethodDefinition... methods) throws Exception {
        in.clear().writeCharSequence(arguments, UTF_8);
        DubboRequest request = DubboRequest.prepare(
                new MethodName("a.Shop", "buy", MethodName.UNKNOWN_TYPES, "", ""),
                Serialization.HESSIAN2,
                new ServiceDefinition(List.of(methods), TYPES));
        CallArguments call =
                new CallArguments().set(form, in, 0, in.writerIndex()).timeLeftMs(5000);
        request.overload(call).encode(out.clear(), 7, false, call);
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (int i = 0; i < 4; i++) {
            provider.readString();
        }
        String descriptor = provider.readString();
        StringBuilder values = new StringBuilder(descriptor);
        for (int i = 0; i < TypeNames.ofDescriptor(descriptor).size(); i++) {
            values.append(i == 0 ? " " : ", ").append(provider.readObject());
        }
        return values.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"count\":2,\"express\":true,\"note\":\"a\"}",
                "{\"note\":\"a\",\"express\":true,\"count\":2}",
                " { \"note\" : \"a\" , \"count\":2  ,\t\"express\" : true } ",
                "{\"n\\u006fte\":\"\\u0061\",\"count\":2.0,\"express\":true}"
            })
    void theOrderOfTheMembersDoesNotMatter(String body) throws Exception {
        assertThat(sent(body, BUY)).isEqualTo("IZLjava/lang/String; 2, true, a");
    }

    @Test
    void valuesMayBeAnyJson() throws Exception {
        MethodDefinition method =
                method("java.util.Map<java.lang.String,java.lang.Object> map, java.lang.String text, int[] list");
        assertThat(sent("{\"list\":[ ],\"map\":{\"a\":[{}],\"b\":\"]}\"},\"text\":null}", method))
                .startsWith("Ljava/util/Map;Ljava/lang/String;[I {a=[{}], b=]}}, null, []");
        assertThat(sent("{\"list\":[1],\"text\":\"é\\\"}\\\\\",\"map\":null}", method))
                .startsWith("Ljava/util/Map;Ljava/lang/String;[I null, é\"}\\, [1]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"count\":2,\"express\":true} | no note",
                "{} | no count, no express, no note",
                "{\"count\":2,\"express\":true,\"note\":\"\",\"x\":1} | unknown x",
                "{\"count\":2,\"express\":true,\"nota\":\"\"} | no note, unknown nota",
                "{\"count\":2,\"express\":true,\"note\":\"\",\"count\":2} | count twice"
            })
    void wrongNamesAreRefusedWithTheRightOnes(String body, String wrong) {
        assertThatThrownBy(() -> sent(body, BUY))
                .isInstanceOf(CallException.class)
                .hasMessage("arguments by name: " + wrong
                        + " (expected: count, express, note, each once: buy(int,boolean,java.lang.String))");
    }

    @Test
    void aWrongValueIsNamedByItsParameter() {
        assertThatThrownBy(() -> sent("{\"express\":3,\"count\":2,\"note\":\"\"}", BUY))
                .hasMessageContaining("args.express: 3 (expected: boolean");
        MethodDefinition order = method("a.Order order, boolean express");
        assertThatThrownBy(() -> sent("{\"express\":true,\"order\":{\"count\":\"x\"}}", order))
                .hasMessageStartingWith("args.order.count: \"x\" (expected: int");
    }

    @Test
    void anArrayIsTheListOfTheArgumentsAsEver() {
        String object = "{\"count\":2,\"express\":true,\"note\":\"a\"}";
        assertThatThrownBy(() -> sent(Form.ARRAY, '[' + object + ']', BUY))
                .hasMessage("args[0]: {...} (expected: int, -2147483648 to 2147483647)");
        assertThatThrownBy(() -> sent("1", BUY))
                .hasMessage("arguments: 1 (expected: 3: buy(int,boolean,java.lang.String))");
        assertThatThrownBy(() -> sent(object, method("int, boolean, java.lang.String")))
                .hasMessage("args[0]: {...} (expected: int, -2147483648 to 2147483647)");
    }

    @Test
    void theObjectIsTheValueOfTheOnlyParameter() throws Exception {
        MethodDefinition one = method("java.util.Map<java.lang.String,java.lang.Object> count");
        assertThat(sent("{\"count\":2}", one)).isEqualTo("Ljava/util/Map; {count=2}");
        assertThat(sent("{\"count\":2,\"express\":true,\"note\":\"a\"}", one, BUY))
                .startsWith("Ljava/util/Map; ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"count\":2,\"express\":true,\"note\":\"a\"} | IZLjava/lang/String; 2, true, a",
                "{\"count\":2,\"note\":\"a\"}                  | ILjava/lang/String; 2, a",
                "{\"note\":\"7\",\"count\":2}                  | ILjava/lang/String; 2, 7",
                "{\"note\":7,\"count\":2}                      | IJ 2, 7"
            })
    void namesChooseAmongOverloads(String body, String sent) throws Exception {
        assertThat(sent(
                        body,
                        BUY,
                        method("a.Order order"),
                        method("int count, java.lang.String note"),
                        method("int count, long note"),
                        method("int, int")))
                .isEqualTo(sent);
    }

    @Test
    void anObjectThatIsTheOnlyArgumentOfAnOverloadIsIt() throws Exception {
        MethodDefinition order = method("a.Order order");
        MethodDefinition fields = method("int count, boolean express");
        in.clear();
        assertThat(sent("{\"count\":2,\"express\":true}", fields, order)).startsWith("La/Order; ");
    }

    @Test
    void wrongNamesOfOverloadsAreRefusedWithAllThatArePossible() {
        assertThatThrownBy(() -> sent("{\"count\":1,\"x\":2}", BUY, method("int count, long note"), method("int, int")))
                .hasMessage("arguments by name: count, x (expected: those of a method buy, each once:"
                        + " count, express, note; count, note)");
    }

    @Test
    void overloadsWithTheSameNamesInAnotherOrderAreToBeChosenFrom() {
        assertThatThrownBy(() -> sent(
                        "{\"count\":1,\"note\":2}", method("int count, long note"), method("long note, double count")))
                .hasMessageContaining("\"int, long\"; \"long, double\"");
    }
}
