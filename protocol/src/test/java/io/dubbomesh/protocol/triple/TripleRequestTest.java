package io.dubbomesh.protocol.triple;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.fastjson2.JSONB;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.protocol.request.RequestFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TripleRequestTest {
    private static final String STRING = "Ljava/lang/String;";

    @Test
    void aRequestIsAHeaderBlockAndAGrpcMessage() throws Exception {
        TripleCall call = TripleCall.of("hi", STRING + "I").form("Bob", "7");

        assertThat(call.out.toString(ISO_8859_1))
                .isEqualTo("\1\2\3\4"
                        + "\0\0\0s"
                        + "\u0083\u0086"
                        + "\1\u000e10.0.0.1:50051"
                        + "\4\r/a.Greeter/hi"
                        + "\0\2te\10trailers"
                        + "\u000f\20\26application/grpc+proto"
                        + "\0\14grpc-timeout\0055000m"
                        + "\0\7timeout\0045000"
                        + "\0\3_to\0045000"
                        + "\0\0\0\57"
                        + "\0\0\0\0\52"
                        + "\n\10hessian4"
                        + "\22\4\3Bob"
                        + "\22\1\u0097"
                        + "\32\20java.lang.String"
                        + "\32\3int");
    }

    @Test
    void versionGroupTokenAndPathAreHeaderFields() throws Exception {
        MethodName name = new MethodName("a.Greeter", "hi", "", "1.2.0", "blue");

        TripleCall call = new TripleCall(name, Serialization.HESSIAN2, null, new ExportedAs("shop/a.Greeter", "s3cret"))
                .json("[]");

        assertThat(call.fields())
                .containsExactly(
                        ":method POST",
                        ":scheme http",
                        ":authority 10.0.0.1:50051",
                        ":path /shop/a.Greeter/hi",
                        "te trailers",
                        "content-type application/grpc+proto",
                        "tri-service-version 1.2.0",
                        "tri-service-group blue",
                        "token s3cret",
                        "grpc-timeout 5000m",
                        "timeout 5000",
                        "_to 5000");
        assertThat(call.block()).as("the token is never indexed").contains("\20\5token\6s3cret");
        assertThat(call.parts()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1m, 1",
        "10, 10m, 10",
        "99999999, 99999999m, 99999999",
        "100000000, 100000S, 100000000",
        "9223372036854775807, 99999999S, 9223372036854775807"
    })
    void theTimeLeftHasEightDigitsAtMostInTheUnitOfGrpc(long timeLeftMs, String timeout, String inMs)
            throws CallException {
        TripleCall call = TripleCall.of("hi", "").timeLeftMs(timeLeftMs).json("[]");

        assertThat(call.fields()).contains("grpc-timeout " + timeout, "timeout " + inMs, "_to " + inMs);
    }

    @Test
    void aCallWithoutTimeLeftHasNoTimeout() throws CallException {
        assertThat(TripleCall.of("hi", "").timeLeftMs(0).json("[]").fields())
                .noneMatch(field -> field.contains("timeout") || field.startsWith("_to"));
    }

    @ParameterizedTest
    @CsvSource({"a/b, a%2Fb", "'a b?c', a%20b%3Fc", "gr\u00fc\u00dfe, gr%C3%BC%C3%9Fe", "$echo, $echo"})
    void aMethodIsOneSegmentOfThePath(String method, String segment) throws CallException {
        TripleCall call = TripleCall.of(method, "").json("[]");

        assertThat(call.fields()).contains(":path /a.Greeter/" + segment);
    }

    @Test
    void controlCharactersDoNotComeIntoHeaderFields() throws CallException {
        MethodName name = new MethodName("a.Greeter", "hi", "", "1\r\n2", "gr\u20acn");
        TripleCall call = new TripleCall(name, Serialization.HESSIAN2, null, ExportedAs.INTERFACE).json("[]");

        assertThat(call.fields()).contains("tri-service-version 1??2", "tri-service-group gr?n");
    }

    @Test
    void typesHaveTheNamesOfClassGetName() throws CallException {
        TripleCall call = TripleCall.of("hi", "[I[[Ljava/lang/String;ZJDLjava/util/List<Ljava/lang/Long;>;")
                .json("[[1], [[\"a\"]], true, 1, 1.5, [2]]");

        assertThat(call.types())
                .containsExactly(
                        int[].class.getName(),
                        String[][].class.getName(),
                        "boolean",
                        "long",
                        "double",
                        List.class.getName());
        assertThat(call.arguments()).hasSize(6);
    }

    @Test
    void eachArgumentIsAStreamOfItsOwn() throws Exception {
        TypeDefinition item = new TypeDefinition("a.Item", List.of(), Map.of("name", "java.lang.String"));
        MethodDefinition method = new MethodDefinition("put", List.of("a.Item", "a.Item"), "void");
        ServiceDefinition service = new ServiceDefinition(List.of(method), Map.of("a.Item", item));
        TripleCall call = new TripleCall(
                        TripleCall.method("put", MethodName.UNKNOWN_TYPES),
                        Serialization.HESSIAN2,
                        service,
                        ExportedAs.INTERFACE)
                .json("[{\"name\": \"one\"}, {\"name\": \"two\"}]");

        List<byte[]> arguments = call.arguments();

        // In one stream, the second would refer to the class of the first.
        assertThat(new String(arguments.get(0), ISO_8859_1)).contains("a.Item");
        assertThat(new String(arguments.get(1), ISO_8859_1)).contains("a.Item");
        assertThat(hessian(arguments.get(1))).isEqualTo(Map.of("name", "two"));
    }

    private static Object hessian(byte[] bytes) throws Exception {
        Hessian2Input input = new Hessian2Input(new ByteArrayInputStream(bytes));
        Object value = input.readObject();
        assertThat(input.isEnd()).isTrue();
        return value;
    }

    @Test
    void argumentsByNameAreInTheOrderOfTheMethod() throws Exception {
        MethodDefinition method = new MethodDefinition(
                "add",
                List.of("int", "java.lang.String"),
                "void",
                List.of("int", "java.lang.String"),
                new MethodDefinition.ParameterFacts(List.of("count", "name"), List.of(List.of(), List.of())));
        ServiceDefinition service = new ServiceDefinition(List.of(method), Map.of());
        TripleCall call = new TripleCall(
                        TripleCall.method("add", MethodName.UNKNOWN_TYPES),
                        Serialization.HESSIAN2,
                        service,
                        ExportedAs.INTERFACE)
                .object("{\"name\": \"Bob\", \"count\": 3}");

        assertThat(call.arguments()).hasSize(2);
        assertThat(hessian(call.arguments().get(0))).isEqualTo(3);
        assertThat(hessian(call.arguments().get(1))).isEqualTo("Bob");
    }

    @Test
    void aCallWithoutTypesGoesThroughInvoke() throws Exception {
        TripleCall call = TripleCall.of("hi", MethodName.UNKNOWN_TYPES).json("[\"Bob\", {\"a\": 1}]");

        assertThat(call.fields()).contains(":path /a.Greeter/$invoke", "generic true");
        assertThat(call.types())
                .containsExactly(String.class.getName(), String[].class.getName(), Object[].class.getName());
        List<byte[]> arguments = call.arguments();
        assertThat(hessian(arguments.get(0))).isEqualTo("hi");
        assertThat(hessian(arguments.get(1))).isNull();
        // Arrays, as Dubbo 3.0 needs them, which reads without a declared type.
        assertThat(hessian(arguments.get(2))).isEqualTo(new Object[] {"Bob", Map.of("a", 1)});
    }

    @Test
    void aCallWithTypesThatOnlyTheProviderKnowsNamesThemInInvoke() throws Exception {
        TripleCall call = TripleCall.of("put", "La/Unknown;[I").json("[{\"a\": 1}, [2]]");

        List<byte[]> arguments = call.arguments();
        assertThat(hessian(arguments.get(0))).isEqualTo("put");
        assertThat(hessian(arguments.get(1))).isEqualTo(new String[] {"a.Unknown", "int[]"});
        assertThat(arguments).hasSize(3);
    }

    @Test
    void fastjson2HasTheLengthOfEachArgumentInFrontOfIt() throws Exception {
        TripleCall call = new TripleCall(
                        TripleCall.method("hi", STRING + "J"), Serialization.FASTJSON2, null, ExportedAs.INTERFACE)
                .form("Bob", "5");

        assertThat(call.parts().get(0).text()).isEqualTo("fastjson2");
        List<byte[]> arguments = call.arguments();
        assertThat(fastjson2(arguments.get(0), String.class)).isEqualTo("Bob");
        assertThat(fastjson2(arguments.get(1), long.class)).isEqualTo(5L);
    }

    private static Object fastjson2(byte[] bytes, Class<?> type) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        assertThat(in.readInt()).isEqualTo(in.readableBytes());
        return JSONB.parseObject(ByteBufUtil.getBytes(in), type);
    }

    @ParameterizedTest
    @ValueSource(ints = {124, 125, 126, 127, 128, 129, 16_380, 16_383, 16_384, 16_385, 2_100_000})
    void lengthsOfArgumentsAreInTheirShortestForm(int length) throws Exception {
        String text = "x".repeat(length);
        ByteBuf direct = Unpooled.directBuffer();
        try {
            for (ByteBuf out : List.of(Unpooled.buffer(), direct)) {
                TripleCall call = new TripleCall(
                                TripleCall.method("hi", STRING + STRING),
                                Serialization.HESSIAN2,
                                null,
                                ExportedAs.INTERFACE,
                                out)
                        .form(text, "behind");

                assertThat(hessian(call.arguments().get(0))).isEqualTo(text);
                assertThat(hessian(call.arguments().get(1))).isEqualTo("behind");
            }
        } finally {
            direct.release();
        }
    }

    @Test
    void attachmentsAreHeaderFieldsInLowerCase() throws CallException {
        TripleCall call = TripleCall.of("hi", "")
                .attachments("trace", "1", "dubbo.tag", "gray", "empty", "", "caf\u00e9s".substring(0, 3), "gr\u00fcn")
                .json("[]");

        assertThat(call.fields().subList(9, call.fields().size()))
                .containsExactly("trace 1", "dubbo.tag gray", "empty ", "caf gr\u00fcn");
    }

    @Test
    void namesWithCapitalsAreRestoredByAHeaderFieldOfDubbo() throws CallException {
        TripleCall call = TripleCall.of("hi", "")
                .attachments("userId", "7", "plain", "x", "A+b%", "y", "Image-bin", "AAEC")
                .json("[]");

        assertThat(call.fields().subList(9, call.fields().size()))
                .containsExactly(
                        "userid 7",
                        "plain x",
                        "a+b% y",
                        "image-bin AAEC",
                        // {"userid":"userId","a+b%":"A+b%","image":"Image"}
                        "tri-header-convert %7B%22userid%22%3A%22userId%22%2C%22a%2Bb%25%22%3A%22A%2Bb%25%22%2C"
                                + "%22image%22%3A%22Image%22%7D");
    }

    @Test
    void theOwnAttachmentsOfDubboAreRefused() {
        refused("attachment \"Generic\" cannot be set by callers", "Generic", "true");
        refused("attachment \"token\" cannot be set by callers", "token", "x");
        // The provider takes off the ending.
        refused("attachment \"token-bin\" cannot be set by callers", "token-bin", "AAEC");
        refused("attachment \"Generic-BIN\" cannot be set by callers", "Generic-BIN", "AAEC");
        refused("attachment \"_TO-bin\" cannot be set by callers", "_TO-bin", "AAEC");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application",
                "Content-Type",
                "content-length",
                "te",
                "connection",
                "grpc-timeout",
                "grpc-status",
                "tri-service-group",
                "Tri-Header-Convert",
                "host",
                "application-bin"
            })
    void namesOfHeaderFieldsThatTripleUsesAreRefused(String name) {
        refused(
                "attachment \"" + name + "\" cannot be sent by Triple, which has a header field of this name",
                name,
                "x");
    }

    @ParameterizedTest
    @ValueSource(strings = {":path", "a b", "a\nb", "gr\u00fcn", "a,b", "", "to\u212aen", "\u212a"})
    void namesThatAreNoNamesOfHeaderFieldsAreRefused(String name) {
        assertThatThrownBy(() -> TripleCall.of("hi", "").attachments(name, "x").json("[]"))
                .hasMessageContaining("cannot be sent by Triple, where it is the name of a header field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "\0", "\u007f", "\u4e2d", "\u20ac", "\u0085"})
    void valuesThatWouldNotArriveAsTheyAreAreRefused(String value) {
        refused(
                "attachment \"a\" cannot be sent by Triple, where its value is that of a header field (expected:"
                        + " printable characters of Latin-1)",
                "a",
                value);
    }

    @Test
    void aNameForBytesNeedsThemInBase64() throws CallException {
        refused(
                "attachment \"a-bin\" has no bytes in Base64, as Triple has under names that end with -bin",
                "a-bin",
                "hello world");
        assertThat(TripleCall.of("hi", "")
                        .attachments("a-bin", "AAE=", "b-bin", "AAE", "-bin", "text")
                        .json("[]")
                        .fields())
                .contains("a-bin AAE=", "b-bin AAE", "-bin text");
    }

    private static void refused(String message, String... attachments) {
        assertThatThrownBy(
                        () -> TripleCall.of("hi", "").attachments(attachments).json("[]"))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST))
                .hasMessage(message);
    }

    @Test
    void aRefusedRequestLeavesTheBufferAsItWas() throws CallException {
        TripleCall argument = TripleCall.of("hi", "I");
        TripleCall attachment = TripleCall.of("hi", "").attachments("token", "x");

        assertThatThrownBy(() -> argument.form("seven"))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT));
        assertThatThrownBy(() -> attachment.json("[]")).isInstanceOf(CallException.class);

        assertThat(argument.out.readableBytes()).isEqualTo(4);
        assertThat(attachment.out.readableBytes()).isEqualTo(4);
        // And the next one is whole.
        argument.in.clear();
        assertThat(argument.form("7").arguments()).hasSize(1);
    }

    @Test
    void aValueThatOnlyAGenericCallCarriesMakesThisCallGeneric() throws Exception {
        TypeDefinition shape =
                new TypeDefinition("a.Shape", TypeDefinition.Kind.INTERFACE, List.of(), Map.of(), Set.of(), Set.of());
        MethodDefinition method = new MethodDefinition("draw", List.of("a.Shape"), "void");
        ServiceDefinition service = new ServiceDefinition(List.of(method), Map.of("a.Shape", shape));
        TripleCall call = new TripleCall(
                        TripleCall.method("draw", MethodName.UNKNOWN_TYPES),
                        Serialization.HESSIAN2,
                        service,
                        ExportedAs.INTERFACE)
                .json("[{\"x\": 1}]");

        assertThat(call.fields()).contains(":path /a.Greeter/$invoke");
        assertThat(Arrays.asList(call.types().get(0))).containsExactly(String.class.getName());
    }

    @Test
    void callsOfDubbo30ThatNeedTheTypesOfTheMethodGoThroughInvoke() throws Exception {
        RequestFormat.Factory provider = TripleRequest.toDubbo30(TripleCall.AUTHORITY, false, Serialization.HESSIAN2);
        ServiceDefinition service = new ServiceDefinition(
                List.of(
                        new MethodDefinition("hi", List.of("short"), "void"),
                        new MethodDefinition("over", List.of("short"), "void"),
                        new MethodDefinition("over", List.of("int", "short"), "void")),
                Map.of());

        assertThat(DubboRequest.prepare(
                                TripleCall.method("hi", MethodName.UNKNOWN_TYPES),
                                provider,
                                service,
                                ExportedAs.INTERFACE)
                        .isGeneric())
                .isTrue();
        DubboRequest overloaded = DubboRequest.prepare(
                TripleCall.method("over", MethodName.UNKNOWN_TYPES), provider, service, ExportedAs.INTERFACE);
        ByteBuf one = Unpooled.copiedBuffer("[1]", ISO_8859_1);
        assertThat(overloaded.overload(new CallArguments().json(one, 0, 3)).isGeneric())
                .isTrue();
        assertThat(DubboRequest.prepare(TripleCall.method("hi", "S"), provider, null, ExportedAs.INTERFACE)
                        .isGeneric())
                .isTrue();
        assertThat(DubboRequest.prepare(
                                TripleCall.method("$echo", "Ljava/lang/Object;"),
                                provider,
                                service,
                                ExportedAs.INTERFACE)
                        .isGeneric())
                .isFalse();
    }

    /** Dubbo 3.0 makes of Hessian what that says: an int of a short, a list of an array and of a set. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int, long, double, boolean, java.lang.Long, java.lang.String | false",
                "byte[] | false",
                "java.util.Date, java.sql.Timestamp, java.time.LocalDate | false",
                "java.math.BigDecimal, a.Item | false",
                "java.util.List<java.util.Map<java.lang.String,java.lang.Long>> | false",
                "java.lang.Object | false",
                "short | true",
                "int, java.lang.Float | true",
                "char | true",
                "byte | true",
                "int[] | true",
                "java.lang.String[] | true",
                "char[] | true",
                "java.util.Set<java.lang.String> | true",
                "java.util.SortedMap<java.lang.String,java.lang.String> | true",
                "java.util.List<java.lang.Short> | true",
                "java.util.Map<java.lang.Byte,java.lang.String> | true",
                "java.util.Map<java.lang.String,int[]> | true",
            })
    void whatDubbo30ReadsAsItIsWrittenIsCalledNatively(String types, boolean isGeneric) throws Exception {
        RequestFormat.Factory provider = TripleRequest.toDubbo30(TripleCall.AUTHORITY, false, Serialization.HESSIAN2);
        TypeDefinition item = new TypeDefinition("a.Item", List.of(), Map.of("sizes", "short[]"));
        ServiceDefinition service = new ServiceDefinition(
                List.of(new MethodDefinition("hi", List.of(types.split(", ")), "void")), Map.of("a.Item", item));

        DubboRequest request = DubboRequest.prepare(
                TripleCall.method("hi", MethodName.UNKNOWN_TYPES), provider, service, ExportedAs.INTERFACE);

        assertThat(request.isGeneric()).isEqualTo(isGeneric);
    }
}
