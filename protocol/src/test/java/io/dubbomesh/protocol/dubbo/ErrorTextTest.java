package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The beginnings of what providers said, with a {@code @} for each frame of a stack. */
class ErrorTextTest {
    private static final String DATE_FORMS =
            " (expected: as 2026-11-21 10:00:00, in the provider's time zone; a java.util.Date also in milliseconds since 1970)";
    private static final String KNOWN_TYPES =
            " (the provider converts it only if the agent knows the types: name them, or give it the class files)";

    private static String text(String recorded) {
        return recorded.replace(" @ ", "\n\tat ").replace(" | ", "\n");
    }

    private static void assertSaid(int status, String recorded, Outcome outcome, String detail) {
        String text = text(recorded);
        assertThat(DubboStatus.outcome(status, text)).isEqualTo(outcome);
        assertThat(ErrorText.detail(status, text, "")).isEqualTo(detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                // 2.5.10, 2.6.1, 2.6.12, 2.7.8
                "java.lang.IllegalArgumentException: No enum constant a.Color.PURPLE | java.lang.IllegalArgumentException: No enum constant a.Color.PURPLE"
                        + " @ java.base/java.lang.Enum.valueOf(Enum.java:273) @ com.alibaba.dubbo.common.utils.PojoUtils.realize0(PojoUtils.java:294)"
                        + "# java.lang.IllegalArgumentException: No enum constant a.Color.PURPLE",
                // 2.7.23 to 3.3.6
                "org.apache.dubbo.rpc.RpcException: java.lang.NumberFormatException: For input string: \"two\" | org.apache.dubbo.rpc.RpcException: java.lang.NumberFormatException: For input string: \"two\""
                        + " @ org.apache.dubbo.rpc.filter.GenericFilter.invoke(GenericFilter.java:130) | Caused by: java.lang.NumberFormatException: For input string: \"two\""
                        + " @ java.base/java.lang.Integer.<init>(Integer.java:1127) @ org.apache.dubbo.common.utils.PojoUtils.realize1(PojoUtils.java:460)"
                        + "# java.lang.NumberFormatException: For input string: \"two\"",
                // 2.7.23 and 3.0.15 do not wrap this one
                "java.time.format.DateTimeParseException: Text '2026-21-11' could not be parsed | java.time.format.DateTimeParseException"
                        + " @ java.base/java.time.LocalDate.parse(LocalDate.java:399) @ org.apache.dubbo.common.utils.PojoUtils.realize0(PojoUtils.java:334)"
                        + "# java.time.format.DateTimeParseException: Text '2026-21-11' could not be parsed",
                // 2.5.10 to 3.3.6: a list for a long field
                "java.lang.RuntimeException: Failed to set pojo Order property id value class java.util.ArrayList, cause: argument type mismatch | java.lang.RuntimeException"
                        + " @ com.alibaba.dubbo.common.utils.PojoUtils.realize0(PojoUtils.java:460)"
                        + "# java.lang.RuntimeException: Failed to set pojo Order property id value class java.util.ArrayList, cause: argument type mismatch",
                // 2.5.10 to 3.3.6: an object for an int; a class without a constructor
                "org.apache.dubbo.rpc.RpcException: java.lang.RuntimeException: Illegal constructor: int | x | Caused by: java.lang.NoSuchMethodException"
                        + " @ org.apache.dubbo.common.utils.PojoUtils.newInstance(PojoUtils.java:582) @ org.apache.dubbo.common.utils.PojoUtils.realize1(PojoUtils.java:1)"
                        + "# java.lang.RuntimeException: Illegal constructor: int",
            })
    void anArgumentThatCannotBeConvertedIsTheFaultOfTheCaller(String recorded, String reason) {
        assertSaid(70, recorded, Outcome.BAD_ARGUMENT, "the provider could not convert an argument: " + reason);
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.IllegalStateException, com.alibaba",
        "org.apache.dubbo.rpc.RpcException: java.lang.IllegalStateException, org.apache"
    })
    void aDateIsRefusedWithTheFormThatTheProviderTakes(String exception, String vendor) {
        String message =
                ": Failed to parse date 2026-11-21T10:00:00Z by format yyyy-MM-dd HH:mm:ss, cause: Unparseable date: \"2026-11-21T10:00:00Z\"";
        assertSaid(
                70,
                exception + message + " | " + exception + message + " @ " + vendor
                        + ".dubbo.common.utils.CompatibleTypeUtils.compatibleTypeConvert(CompatibleTypeUtils.java:86) @ "
                        + vendor + ".dubbo.common.utils.PojoUtils.realize0(PojoUtils.java:301)",
                Outcome.BAD_ARGUMENT,
                "the provider could not convert an argument: java.lang.IllegalStateException" + message + DATE_FORMS);
    }

    /** Provider versions from 3.2 on refuse classes. */
    @Test
    void aClassThatTheProviderRefusesIsNamed() {
        String reason =
                "java.lang.IllegalArgumentException: [Serialization Security] Serialized class a.Circle is not in allow list."
                        + " Current mode is `STRICT`, will disallow to deserialize it by default. Please add it into security/serialize.allowlist or follow FAQ to configure it.";
        assertSaid(
                70,
                "org.apache.dubbo.rpc.RpcException: " + reason
                        + " | x | Caused by: y @ org.apache.dubbo.common.utils.PojoUtils.realize1(PojoUtils.java:501)",
                Outcome.BAD_ARGUMENT,
                "the provider could not convert an argument: " + reason + " (to be added at the provider)");
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.IllegalArgumentException: args.length != types.length",
        "org.apache.dubbo.rpc.RpcException: args.length != types.length",
        "'org.apache.dubbo.rpc.RpcException: GenericFilter#invoke args.length != types.length, please check your params'"
    })
    void anotherNumberOfArgumentsIsTold(String recorded) {
        assertSaid(70, recorded, Outcome.BAD_REQUEST, "arguments: not as many as the method has parameters");
    }

    @Test
    void missingTypesAreAskedFor() {
        assertSaid(
                70,
                "java.lang.IllegalStateException: Not unique method for method name(hi) in class(a.Greeter), find 9 methods. | x @ org.apache.dubbo.common.utils.ReflectUtils.findMethodByMethodSignature(ReflectUtils.java:931)",
                Outcome.BAD_REQUEST,
                "method hi is overloaded: name the parameter types in the header X-Dubbo-Parameter-Types (the provider has 9"
                        + " methods of this name)");
        // 2.7.8, on JDK 17 and on JDK 8.
        for (String message : new String[] {": Cannot read the array length because \"types\" is null", ""}) {
            String exception = "java.lang.NullPointerException" + message;
            assertSaid(
                    70,
                    exception + " | " + exception
                            + " @ org.apache.dubbo.rpc.filter.GenericFilter.invoke(GenericFilter.java:74)",
                    Outcome.BAD_REQUEST,
                    "this version of Dubbo takes no call without its parameter types: name them in the header"
                            + " X-Dubbo-Parameter-Types");
        }
        String other =
                "java.lang.NullPointerException | java.lang.NullPointerException @ a.MyFilter.invoke(MyFilter.java:74)"
                        + " @ org.apache.dubbo.rpc.filter.GenericFilter.invoke(GenericFilter.java:74)";
        assertThat(DubboStatus.outcome(70, text(other))).isEqualTo(Outcome.PROVIDER_ERROR);
    }

    /** Dubbo 3.2 and later say no more. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$invoke | SERVICE_NOT_FOUND | it has no such service in this version and group, or cannot read an argument",
                "hi | METHOD_NOT_FOUND | it has no such method with these parameter types, or no such service in this version and group, or cannot"
                        + " read an argument: its class check may refuse a class that the call names, to be added to security/serialize.allowlist"
                        + " on the provider's class path"
            })
    void aRequestThatCouldNotBeDecodedIsExplained(String method, Outcome outcome, String cause) {
        String text = "Fail to decode request due to: RpcInvocation [methodName=" + method + ", parameterTypes=null]";
        assertSaid(40, text, outcome, "provider answered with status 40: " + text + " (" + cause + ")");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "is not in allow list. Current mode is `STRICT` | its class check refuses a.Boom (to be added to security/serialize.allowlist on the provider's class path)",
                "must implement java.io.Serializable | a.Boom is not Serializable"
            })
    void aResultThatCouldNotBeSentIsExplained(String reason, String explanation) {
        assertSaid(
                50,
                "Failed to send response: Response [id=1, version=2.0.2, status=20, event=false, error=null, result=AppResponse [value=null, exception=a.Boom: x]], cause: java.io.IOException: Serialized class a.Boom "
                        + reason,
                Outcome.PROVIDER_ERROR,
                "the provider executed the call, but could not send what it returned or threw: " + explanation);
    }

    @ParameterizedTest
    @CsvSource({
        "com.alibaba.dubbo.common.bytecode.Wrapper3.invokeMethod, true",
        "org.apache.dubbo.common.bytecode.Wrapper1.invokeMethod, true",
        "io.dubbomesh.demo.conformance.ConformanceDubboWrap1.invokeMethod, true",
        "a.Service.invokeMethod, false",
        "a.Service.echo, false"
    })
    void anExceptionOfTheCallerOfMethodsIsAboutAnArgument(String frame, boolean isOfArgument) {
        String original = "java.lang.ClassCastException: x | java.lang.ClassCastException: x @ " + frame
                + "(Wrapper3.java) @ org.apache.dubbo.common.bytecode.Wrapper9.invokeMethod(Wrapper9.java)";
        assertThat(ErrorText.isOfArgument(text(original))).isEqualTo(isOfArgument);
    }

    @Test
    void anArgumentThatDoesNotFitIsTold() {
        String loaders = " (java.lang.String and [B are in module java.base of loader 'bootstrap')";
        assertThat(ErrorText.ofArgument("class java.lang.String cannot be cast to class [B" + loaders))
                .isEqualTo(
                        "the provider could not convert an argument: class java.lang.String cannot be cast to class [B"
                                + " (expected: a list of numbers for byte[])");
        assertThat(ErrorText.ofArgument("java.lang.String cannot be cast to java.time.Instant"))
                .isEqualTo(
                        "the provider could not convert an argument: java.lang.String cannot be cast to java.time.Instant"
                                + KNOWN_TYPES);
        String unmade = " (a generic call of this version of Dubbo makes no java.util.TreeMap; a native call can: see"
                + " docs/use/types.md)";
        for (String reason : List.of(
                "class java.util.HashMap cannot be cast to class java.util.TreeMap",
                "java.lang.IllegalArgumentException: Can not set java.util.TreeMap field a.B.m to java.util.HashMap")) {
            assertThat(ErrorText.ofArgument(reason))
                    .isEqualTo("the provider could not convert an argument: " + reason + unmade);
        }
        assertThat(ErrorText.ofArgument(null))
                .isEqualTo("the provider could not convert an argument: an argument is null" + KNOWN_TYPES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java.lang.ClassCastException | class java.lang.Integer cannot be cast to class java.lang.Long (x) | true",
                "java.lang.ClassCastException | java.lang.Integer cannot be cast to java.lang.Long | true",
                "java.lang.ClassCastException | class java.util.HashMap cannot be cast to class a.Dog (java.util.HashMap is x) | true",
                "java.lang.ClassCastException | java.util.LinkedHashMap cannot be cast to a.Dog | true",
                "java.lang.ClassCastException | java.util.HashMap cannot be cast to java.util.TreeMap | false",
                "java.lang.ClassCastException | class a.Cat cannot be cast to class a.Dog | false",
                "java.lang.RuntimeException | class java.lang.Integer cannot be cast to class java.lang.Long (x) | false"
            })
    void aServiceThatFindsValuesOfOtherClassesIsExplained(String exceptionClass, String message, boolean isExplained) {
        assertThat(!ErrorText.adviceOnClasses(exceptionClass, message).isEmpty())
                .isEqualTo(isExplained);
    }

    /** Beginnings of what is looked for, without its end: none of them is to be followed to the end of the text. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "70 | Not unique method for method name( | ~) in class(~",
                "40 | RpcInvocation [methodName= | ~, parameterTypes~",
                "50 | Serialized class | a.B",
                "70 | token%25 | %3D"
            })
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void aLongTextOfBeginningsTakesNoLongerThanAnother(int status, String beginning, String next) {
        String text = beginning.repeat(10_000) + next.repeat(20_000);
        assertThat(ErrorText.detail(status, text, "")).startsWith("provider answered with status");
        assertThat(DubboStatus.outcome(status, text)).isNotEqualTo(Outcome.OK);
    }

    /**
     * Written after the forms of 2.6: a service that is not there, one that cannot be called, and one whose caller has
     * the wrong token.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "com.alibaba.dubbo.remoting.RemotingException: Not found exported service: a.Greeter:20880 in [a.Clock:20880], may be version or group mismatch , channel: consumer: /192.0.2.1:40000 --> provider: /192.0.2.2:20880, message:RpcInvocation [methodName=hi, parameterTypes=[class java.lang.String], arguments=[x], attachments={path=a.Greeter, token=s3cr-e.t_1, interface=a.Greeter, version=0.0.0}]"
                        + "# token=..., interface=a.Greeter",
                "com.alibaba.dubbo.remoting.RemotingException: Not found exported service: a.Greeter:20880, message:RpcInvocation [attachments={path=a.Greeter, token=s3cr-e.t_1}]# token=...}]",
                "com.alibaba.dubbo.rpc.RpcException: Failed to invoke remote proxy method hi to dubbo://192.0.2.2:20880/a.Greeter?side=provider&token=s3cr-e.t_1&version=1.0, cause: x# &token=...&version=1.0",
                "com.alibaba.dubbo.rpc.RpcException: Failed to invoke remote proxy method hi to registry://192.0.2.3:2181/R?export=dubbo%3A%2F%2F192.0.2.2%3A20880%2Fa.Greeter%3Ftoken%3Ds3cr-e.t_1%26side%3Dprovider&pid=1, cause: x# token%3D...%26side%3Dprovider&pid=1",
                "com.alibaba.dubbo.rpc.RpcException: Failed to invoke remote proxy method hi to a://b?c=d%3Fexport%3De%253Ftoken%253Ds3cr-e.t_1%2526side%253Dprovider# token%253D...%2526side",
                "com.alibaba.dubbo.rpc.RpcException: Forbid invoke remote service x, consumer incorrect token is s3cr-e.t_1# token is ..."
            })
    void tokensAreNotRepeated(String recorded, String rest) {
        String detail = ErrorText.detail(70, recorded + "\n\tat a.B.c(B.java:1)", "");
        assertThat(detail).contains(rest).doesNotContain("s3cr", "e.t_1");
    }
}
