package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Writes the arguments of a call, encodes them as a Dubbo request, and reads it as a provider does. */
final class RequestEncoder {
    static final String STRING = "Ljava/lang/String;";

    final ByteBuf in = Unpooled.buffer();
    final ByteBuf out = Unpooled.buffer();
    private int attachmentsLength;

    static MethodName name(String descriptor) {
        return new MethodName("a.Greeter", "hi", descriptor, "", "");
    }

    void attachments(String... keysAndValues) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Attachments.write(in, keysAndValues[i], keysAndValues[i + 1]);
        }
        attachmentsLength = in.writerIndex();
    }

    void form(String... arguments) {
        for (String argument : arguments) {
            byte[] bytes = argument.getBytes(UTF_8);
            in.writeInt(bytes.length).writeBytes(bytes);
        }
    }

    void encode(DubboRequest request, boolean form) throws CallException {
        CallArguments call = new CallArguments();
        int length = in.writerIndex() - attachmentsLength;
        if (form) {
            call.form(in, attachmentsLength, length);
        } else {
            call.json(in, attachmentsLength, length);
        }
        request.encode(out, 7, false, call.attachments(0, attachmentsLength).timeLeftMs(5000));
    }

    void encodeForm(MethodName name, String... arguments) throws CallException {
        form(arguments);
        encode(DubboRequest.prepare(name, Serialization.HESSIAN2, null), true);
    }

    void encodeJson(MethodName name, String arguments) throws CallException {
        in.writeCharSequence(arguments, UTF_8);
        encode(DubboRequest.prepare(name, Serialization.HESSIAN2, null), false);
    }

    void refusedForm(String descriptor, String detail, String... arguments) {
        refusedForm(Outcome.BAD_ARGUMENT, descriptor, detail, arguments);
    }

    void refusedForm(Outcome outcome, String descriptor, String detail, String... arguments) {
        assertThatThrownBy(() -> encodeForm(name(descriptor), arguments))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(outcome))
                .hasMessage(detail);
        in.clear();
    }

    void refusedJson(Outcome outcome, String descriptor, String detail, String arguments) {
        assertThatThrownBy(() -> encodeJson(name(descriptor), arguments))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(outcome))
                .hasMessageStartingWith(detail);
        in.clear();
    }

    /** Returns an argument as a provider reads it after the names, declared as {@code type}. */
    Object argument(Class<?> type) throws Exception {
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (String expected : List.of("2.0.2", "a.Greeter", "0.0.0", "hi")) {
            assertThat(provider.readString()).isEqualTo(expected);
        }
        provider.readString();
        Object argument = provider.readObject(type);
        assertThat(provider.readObject(Map.class))
                .isEqualTo(Map.of("path", "a.Greeter", "interface", "a.Greeter", "timeout", "5000", "_TO", "5000"));
        assertThat(DubboHeader.bodyLength(out, 0)).isEqualTo(out.writerIndex() - DubboHeader.LENGTH);
        out.clear();
        in.clear();
        return argument;
    }
}
