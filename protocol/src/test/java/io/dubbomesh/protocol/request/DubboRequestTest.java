package io.dubbomesh.protocol.request;

import com.sun.management.ThreadMXBean;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;

import static io.dubbomesh.protocol.request.RequestEncoder.STRING;
import static io.dubbomesh.protocol.request.RequestEncoder.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DubboRequestTest {
    private final RequestEncoder call = new RequestEncoder();
    private final ByteBuf in = call.in;
    private final ByteBuf out = call.out;

    @Test
    void aStringArgumentIsBetweenTheBytesThatRepeat() throws CallException {
        out.writeByte('<');
        call.encodeForm(new MethodName("a.Greeter", "hi", STRING, "1.0", "g"), "you");
        assertThat(out)
                .isEqualTo(
                        Hex.buffer(
                                "'<' dabb c2 00 0000000000000007 0000007d"
                                        + "05'2.0.2' 09'a.Greeter' 03'1.0' 02'hi' 12'Ljava/lang/String;' 03'you'"
                                        + "'H' 04'path' 09'a.Greeter' 09'interface' 09'a.Greeter' 07'version' 03'1.0' 05'group' 01'g' 07'timeout' 04'5000' 03'_TO' 04'5000' 'Z'"));
    }

    @Test
    void withoutVersionAndGroupTheVersionIsZeroAndTheGroupAbsent() throws CallException {
        call.encodeForm(name(""));
        assertThat(out)
                .isEqualTo(
                        Hex.buffer(
                                "dabb c2 00 0000000000000007 00000055"
                                        + "05'2.0.2' 09'a.Greeter' 05'0.0.0' 02'hi' 00"
                                        + "'H' 04'path' 09'a.Greeter' 09'interface' 09'a.Greeter' 07'timeout' 04'5000' 03'_TO' 04'5000' 'Z'"));
    }

    @Test
    void theTokenOfTheServiceIsAnAttachmentOfEachCall() throws CallException {
        String before =
                "'H' 04'path' 09'a.Greeter' 09'interface' 09'a.Greeter' 05'token' 06's3cret' 07'timeout' 04'5000' 03'_TO' 04'5000'";
        call.form("");
        call.encode(
                DubboRequest.prepare(name(STRING), Serialization.HESSIAN2, null, new ExportedAs(null, "s3cret")), true);
        assertEndsWith(before + "'Z'");

        out.clear();
        in.clear();
        call.attachments("a", "b");
        call.form("");
        call.encode(
                DubboRequest.prepare(name(STRING), Serialization.HESSIAN2, null, new ExportedAs(null, "s3cret")), true);
        assertEndsWith(before + "01'a' 01'b' 'Z'");
    }

    @Test
    void aServiceIsFoundByThePathUnderWhichItIsExported() throws CallException {
        call.encode(
                DubboRequest.prepare(name(""), Serialization.HESSIAN2, null, new ExportedAs("shop/greeter", null)),
                true);
        assertThat(out)
                .isEqualTo(
                        Hex.buffer(
                                "dabb c2 00 0000000000000007 00000058"
                                        + "05'2.0.2' 09'a.Greeter' 05'0.0.0' 02'hi' 00"
                                        + "'H' 04'path' 0c'shop/greeter' 09'interface' 09'a.Greeter' 07'timeout' 04'5000' 03'_TO' 04'5000' 'Z'"));
    }

    private void assertEndsWith(String digits) {
        ByteBuf expected = Hex.buffer(digits);
        int length = expected.readableBytes();
        assertThat(out.slice(out.writerIndex() - length, length)).isEqualTo(expected);
    }

    @Test
    void aOneWayRequestHasNoTwoWayFlag() throws CallException {
        DubboRequest.prepare(name(""), Serialization.HESSIAN2, null)
                .encode(out, -1, true, new CallArguments().form(in, 0, 0).timeLeftMs(5000));
        assertThat(out.slice(0, 12)).isEqualTo(Hex.buffer("dabb 82 00 ffffffffffffffff"));
    }

    @Test
    void theCallersAttachmentsComeAfterDubbosOwn() throws CallException {
        call.attachments("traceparent", "00-ab", "dubbo.tag", "\u4e2d");
        call.encodeForm(name(STRING), "");
        assertEndsWith("'H' 04'path' 09'a.Greeter' 09'interface' 09'a.Greeter' 07'timeout' 04'5000' 03'_TO' 04'5000'"
                + "0b'traceparent' 05'00-ab' 09'dubbo.tag' 01 e4b8ad 'Z'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "path",
                "interface",
                "version",
                "group",
                "token",
                "timeout",
                "_TO",
                "generic",
                "Path",
                "dubbo",
                "dubbo.stub.event",
                "sys_callback_arg-0",
                "@type",
                "$ref"
            })
    void anAttachmentThatIsDubbosOwnIsRefused(String key) {
        call.attachments("a", "b", key, "true");
        out.writeByte('<');
        assertThatThrownBy(() -> call.encodeForm(name("")))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST))
                .hasMessage("attachment \"" + key + "\" cannot be set by callers");
        assertThat(out.writerIndex()).isEqualTo(1);
    }

    @Test
    void theDimensionsOfArraysAreBoundedAltogether() throws CallException {
        DubboRequest.prepare(name("[I".repeat(255)), Serialization.HESSIAN2, null);
        DubboRequest.prepare(name("[".repeat(255) + "I"), Serialization.HESSIAN2, null);

        assertThatThrownBy(() -> DubboRequest.prepare(
                        name("[".repeat(250) + "I" + "Ljava/util/List<" + "[".repeat(6) + "I>;"),
                        Serialization.HESSIAN2,
                        null))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST))
                .hasMessageStartingWith("parameter types: arrays of more than 255 dimensions in all: \"[[[");
    }

    @ParameterizedTest
    @CsvSource({
        "$invoke,Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;",
        "$invokeAsync,Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;",
        "$invoke,?",
        "$invoke,''"
    })
    void aCallerCannotInvokeGenerically(String method, String types) {
        assertThatThrownBy(() -> DubboRequest.prepare(
                        new MethodName("a.Greeter", method, types, "", ""), Serialization.HESSIAN2, null))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND))
                .hasMessage("method " + method + " cannot be called by clients");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X",
                "V",
                "[",
                "L;",
                "Ljava/lang/String",
                "java.lang.String",
                "Ljava.lang.String;",
                "L/a;",
                "La/;",
                "La//b;",
                "L[I;",
                "I;",
                "La b;"
            })
    void malformedDescriptorsAreRefused(String descriptor) {
        assertThatThrownBy(() -> DubboRequest.prepare(name(descriptor), Serialization.HESSIAN2, null))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST));
        String many = "[".repeat(256) + "I";
        assertThatThrownBy(() -> DubboRequest.prepare(name(many), Serialization.HESSIAN2, null))
                .isInstanceOf(CallException.class);
        String params = "I".repeat(256);
        assertThatThrownBy(() -> DubboRequest.prepare(name(params), Serialization.HESSIAN2, null))
                .isInstanceOf(CallException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HESSIAN2", "FASTJSON", "FASTJSON2"})
    void aStringArgumentCostsNoAllocation(Serialization serialization) throws CallException {
        DubboRequest request = DubboRequest.prepare(name(STRING), serialization, null);
        call.form("hello, world");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        CallArguments arguments = new CallArguments();
        // The first rounds load classes and compile.
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 2000; i++) {
                out.clear();
                request.encode(
                        out, i, false, arguments.form(in, 0, in.writerIndex()).timeLeftMs(5000));
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).isLessThan(2000);
    }
}
