package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DubboStatusTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "25 | too large | PROVIDER_ERROR",
                "30 | slow | PROVIDER_ERROR",
                "31 | slow | TIMEOUT",
                "35 | gone | PROVIDER_ERROR",
                "40 | Fail to decode request due to: RpcInvocation | BAD_REQUEST",
                "40 | Fail to decode request due to: RpcInvocation [methodName=nope, parameterTypes=null] | METHOD_NOT_FOUND",
                "40 | java.lang.IllegalArgumentException: Service not found:a.Greeter, hi | METHOD_NOT_FOUND",
                "40 | Service a.Greeter with version 1.0 not found, invocation rejected. | SERVICE_NOT_FOUND",
                "50 | cannot encode | PROVIDER_ERROR",
                "60 | ? | PROVIDER_ERROR",
                "70 | Not found exported service: a.Greeter in [b:20880], may be version or group mismatch | SERVICE_NOT_FOUND",
                "70 | RpcException: Failed to invoke remote proxy method hi, cause: Not found method \"hi\" in class A. | METHOD_NOT_FOUND",
                "70 | org.apache.dubbo.rpc.RpcException: No such method hi in class interface a.Greeter | METHOD_NOT_FOUND",
                "70 | com.alibaba.dubbo.rpc.RpcException: a.Car | METHOD_NOT_FOUND",
                "70 | com.alibaba.dubbo.rpc.RpcException: too bad | PROVIDER_ERROR",
                "70 | com.alibaba.dubbo.rpc.RpcException: Invalid token! Forbid invoke remote service interface a.Greeter method hi() from consumer 192.0.2.1 to provider 192.0.2.2 | PROVIDER_REFUSED_TOKEN",
                "70 | org.apache.dubbo.rpc.RpcException: Invalid token! Forbid invoke remote service interface a.Greeter method hi() from consumer 192.0.2.1 to provider 192.0.2.2, consumer incorrect token is null | PROVIDER_REFUSED_TOKEN",
                "70 | java.lang.IllegalStateException: Invalid token! Forbid invoke remote service | PROVIDER_ERROR",
                "70 | java.lang.IllegalArgumentException: args.length != types.length | BAD_REQUEST",
                "70 | IllegalStateException: Not unique method for method name(hi) in class(a.Greeter), find 2 methods. | BAD_REQUEST",
                "40 | Fail to decode request due to: RpcInvocation [methodName=$invoke, parameterTypes=null] | SERVICE_NOT_FOUND",
                "40 | Fail to decode request due to: RpcInvocation [methodName=hi, parameterTypes=[class a.Item], arguments=null, attachments={}] | BAD_REQUEST",
                "80 | NullPointerException | PROVIDER_ERROR",
                "90 | ? | PROVIDER_ERROR",
                "100 | Thread pool is EXHAUSTED! | OVERLOADED",
                "0 | ? | PROVIDER_ERROR",
                "255 | Not found exported service | PROVIDER_ERROR"
            })
    void statusAndTextDecideTheOutcome(int status, String text, Outcome outcome) {
        assertThat(DubboStatus.outcome(status, text)).isEqualTo(outcome);
    }

    /** The frames of 2.6.12, 2.7.23 and 3.3.6 begin like these. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "70 | RpcException: Failed to invoke remote proxy method hi to dubbo://a:1, cause: Not found method \"hi\" in class A. | true",
                "40 | Fail to decode request due to: java.lang.IllegalArgumentException: Service not found:a.Greeter, hi | true",
                "40 | Fail to decode request due to: RpcInvocation [methodName=hi, parameterTypes=null] | true",
                "40 | Fail to decode request due to: RpcInvocation [methodName=hi, parameterTypes=[int]] | false",
                "70 | Not found exported service: a.Greeter in [b:20880], may be version or group mismatch | false",
                "70 | RpcException: audit failed#\tat A#Caused by: RpcException: Failed to invoke remote proxy method hi to dubbo://a:1, cause: Not found method \"hi\" in class A. | false",
                "70 | RpcException: Failed to invoke the method log in the service a.Audit. Tried 3 times: com.alibaba.dubbo.rpc.RpcException: Failed to invoke remote proxy method log to dubbo://a:1, cause: Not found method \"log\" in class A. | false",
                "70 | Service not found:a.Greeter, hi | false",
                "50 | Service not found:a.Greeter, hi | false",
                "20 | Service not found:a.Greeter, hi | false"
            })
    void anUnknownMethodIsFoundInEverySerialization(int status, String lines, boolean unknown) {
        String text = lines.replace('#', '\n');
        for (Serialization serialization : Serialization.values()) {
            ByteBuf in = Unpooled.buffer().writeZero(3);
            byte[] body = serialization.body(text);
            DubboHeader.write(in, serialization.id(), status, 7, body.length);
            in.writeBytes(body);

            assertThat(DubboStatus.isUnknownMethod(in, 3))
                    .as("%s", serialization)
                    .isEqualTo(unknown);
        }
    }

    @Test
    void aMissingClassIsFoundBeforeAStack() {
        String text =
                "com.alibaba.dubbo.rpc.RpcException: a.Car$Wheel\n\tat com.alibaba.dubbo.rpc.filter.GenericFilter.invoke";
        assertThat(DubboStatus.outcome(70, text)).isEqualTo(Outcome.METHOD_NOT_FOUND);
    }
}
