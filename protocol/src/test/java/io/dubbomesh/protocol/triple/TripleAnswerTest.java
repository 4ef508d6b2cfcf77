package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class TripleAnswerTest {
    private static final String BOB = "\n\10hessian4\22\4\3Bob\32\20java.lang.String";

    @Test
    void aValueGoesOverAsItIs() {
        AnswerOf answer = AnswerOf.grpc()
                .message("\n\10hessian4\22\4\3Bob\32\20java.lang.String")
                .trailer("grpc-status", "0")
                .read();

        assertThat(answer.out.toString(1, answer.out.writerIndex() - 1, ISO_8859_1))
                .isEqualTo("\u00da\u00bb\2\24\0\0\u0012\u0034\u0056\u0078\u009a\u00bc\0\0\0\5\u0091\3Bob");
        assertThat(answer.outcome).isEqualTo(Outcome.OK);
        assertThat(answer.document).isEqualTo("\"Bob\"");
        assertThat(answer.attachments).isEmpty();
    }

    @Test
    void aNullAndNoResultAreTheTypeWithoutAValue() {
        AnswerOf nothing = AnswerOf.grpc()
                .message("\n\10hessian4\22\1N\32\4void")
                .trailer("grpc-status", "0")
                .read();
        AnswerOf jsonb = AnswerOf.grpc()
                .message("\n\11fastjson2\22\5\0\0\0\1\u00af\32\4void")
                .trailer("grpc-status", "0")
                .read();

        assertThat(nothing.body()).isEqualTo("\u0092");
        assertThat(nothing.document).isEqualTo("null");
        assertThat(jsonb.body()).isEqualTo("\0\0\0\1\2");
        assertThat(jsonb.document).isEqualTo("null");
    }

    @Test
    void aValueOfFastjson2HasTheLengthsOfBoth() {
        AnswerOf answer = AnswerOf.grpc()
                .message("\n\11fastjson2\22\10\0\0\0\4LBob\32\20java.lang.String")
                .trailer("grpc-status", "0")
                .requests(Serialization.FASTJSON2)
                .read();

        assertThat(answer.body()).isEqualTo("\0\0\0\1\1\0\0\0\4LBob");
        assertThat(answer.document).isEqualTo("\"Bob\"");
    }

    @Test
    void fieldsOfTheWrapperMayHaveAnyOrderAndUnknownOnesAreSkipped() {
        AnswerOf answer = AnswerOf.grpc()
                .message("\32\3int\22\1\u0097\50\7\75\1\2\3\4\61\1\2\3\4\5\6\7\10\n\10hessian2")
                .trailer("grpc-status", "0")
                .read();

        assertThat(answer.document).isEqualTo("7");
    }

    @Test
    void trailersAreAttachments() {
        AnswerOf answer = AnswerOf.grpc()
                .header("accept-encoding", "gzip,snappy")
                .message(BOB)
                .trailer("plainkey", "v 1+%\u00fc")
                .trailer("number", "7")
                .trailer("bytes-bin", "AAEC")
                .trailer("tri-header-convert", "%7B%22plainkey%22%3A%22plainKey%22%7D")
                .trailer("grpc-status", "0")
                .trailer("grpc-message", "")
                .read();

        assertThat(answer.document).isEqualTo("\"Bob\"");
        assertThat(answer.attachments).containsOnly(entry("number", "7"), entry("plainKey", "v 1+%\u00fc"));
        assertThat(answer.body()).startsWith("\u0094\3Bob");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%7B", "[]", "%7B%22plainkey%22%3A7%7D", "%", "%zz%7B%7D", ""})
    void namesStayAsTheyAreIfTheirCapitalsAreMalformed(String converted) {
        AnswerOf answer = AnswerOf.grpc()
                .message(BOB)
                .trailer("plainkey", "v")
                .trailer("tri-header-convert", converted)
                .trailer("grpc-status", "0")
                .read();

        assertThat(answer.outcome).isEqualTo(Outcome.OK);
        assertThat(answer.attachments).containsOnly(entry("plainkey", "v"));
    }

    @Test
    void aBareMessageIsTheValueAsBytes() {
        AnswerOf answer = AnswerOf.grpc()
                .bareMessage()
                .message("\10\7")
                .trailer("a", "b")
                .trailer("grpc-status", "0")
                .read();

        assertThat(answer.body()).startsWith("\u0094\42\10\7");
        assertThat(answer.attachments).containsOnly(entry("a", "b"));
        assertThat(AnswerOf.grpc()
                        .bareMessage()
                        .message("")
                        .trailer("grpc-status", "0")
                        .read()
                        .body())
                .isEqualTo("\u0091\40");
    }

    @ParameterizedTest
    @CsvSource({
        "1, '', PROVIDER_ERROR, provider answered with status 80: CANCELLED",
        "2, Internal Server Error, PROVIDER_ERROR, provider answered with status 50: the provider could not send its result: Internal Server Error",
        "2, no such thing, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: UNKNOWN : no such thing",
        "3, bad, BAD_REQUEST, provider answered with status 40: INVALID_ARGUMENT : bad",
        "4, late, TIMEOUT, provider answered with status 31: DEADLINE_EXCEEDED : late",
        "5, x, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: NOT_FOUND : x",
        "6, x, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: ALREADY_EXISTS : x",
        "7, x, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: PERMISSION_DENIED : x",
        "8, x, OVERLOADED, provider answered with status 101: RESOURCE_EXHAUSTED : x",
        "9, x, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: FAILED_PRECONDITION : x",
        "10, x, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: ABORTED : x",
        "11, x, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: OUT_OF_RANGE : x",
        "12, unknown method hi, METHOD_NOT_FOUND, provider answered with status 40: not implemented by Triple: unknown method hi",
        "12, unknown service a.B, SERVICE_NOT_FOUND, provider answered with status 60: no such service by Triple: unknown service a.B",
        "13, x, PROVIDER_ERROR, provider answered with status 80: INTERNAL : x",
        "14, x, OVERLOADED, provider answered with status 101: UNAVAILABLE : x",
        "15, x, PROVIDER_ERROR, provider answered with status 80: DATA_LOSS : x",
        "16, x, SERVICE_EXCEPTION, org.apache.dubbo.rpc.StatusRpcException: UNAUTHENTICATED : x",
        "17, x, PROVIDER_ERROR, provider answered with status 80: an answer of Triple with grpc-status 17",
        "-1, x, PROVIDER_ERROR, provider answered with status 80: an answer of Triple with no status of gRPC",
        "OK, x, PROVIDER_ERROR, provider answered with status 80: an answer of Triple with no status of gRPC",
    })
    void eachStatusOfGrpcHasItsOutcome(String code, String message, Outcome outcome, String detail) {
        AnswerOf alone = AnswerOf.grpc()
                .header("grpc-status", code)
                .header("grpc-message", message)
                .alone()
                .read();
        AnswerOf behindAMessage = AnswerOf.grpc()
                .message(BOB)
                .trailer("grpc-status", code)
                .trailer("grpc-message", message)
                .read();

        assertThat(alone.outcome).isEqualTo(outcome);
        assertThat(alone.detail()).isEqualTo(detail);
        assertThat(behindAMessage.outcome).isEqualTo(outcome);
        assertThat(behindAMessage.detail()).isEqualTo(detail);
        assertThat(alone.isUnknownMethod("a.B", "hi")).isFalse();
        assertThat(alone.status()).as("executed, maybe").isNotEqualTo(DubboStatus.POOL_EXHAUSTED);
    }

    /** Behind a server of gRPC is no Dubbo; its status is what its clients in Java see. */
    @ParameterizedTest
    @CsvSource({
        "2, '', SERVICE_EXCEPTION, io.grpc.StatusRuntimeException: UNKNOWN",
        "2, Server error, SERVICE_EXCEPTION, io.grpc.StatusRuntimeException: UNKNOWN: Server error",
        "3, bad, BAD_REQUEST, provider answered with status 40: INVALID_ARGUMENT : bad",
        "5, no item 7, SERVICE_EXCEPTION, io.grpc.StatusRuntimeException: NOT_FOUND: no item 7",
        "9, x, SERVICE_EXCEPTION, io.grpc.StatusRuntimeException: FAILED_PRECONDITION: x",
        "14, x, OVERLOADED, provider answered with status 101: UNAVAILABLE : x",
    })
    void aStatusOfAServiceOfProtobufIsAnExceptionOfGrpc(String code, String message, Outcome outcome, String detail) {
        AnswerOf answer = AnswerOf.grpc()
                .bareMessage()
                .header("grpc-status", code)
                .header("grpc-message", message)
                .alone()
                .read();

        assertThat(answer.outcome).isEqualTo(outcome);
        assertThat(answer.detail()).isEqualTo(detail);
    }

    /** What the stack of a refusal begins with, and what Dubbo 2 would answer with it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RpcException: java.lang.RuntimeException | GenericFilter.invoke | BAD_ARGUMENT",
                "RpcException: java.lang.Error | GenericFilter.invoke | BAD_ARGUMENT",
                "RpcException: java.lang.NumberFormatException: For input string: \"a\" | GenericFilter.invoke | BAD_ARGUMENT",
                "RpcException: a.B | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: a.b.FailedException | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: java.lang.Unknown | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: a.B.find(a.Query) | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: a.B.find(a.Query, int) | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: a.B$C.find([La.Query;,[I) | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: a.B.find() | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: No such method find in class interface a.B | GenericFilter.invoke | METHOD_NOT_FOUND",
                "RpcException: a.B.find(a.Query) | a.B.find | SERVICE_EXCEPTION",
                "RpcException: java.lang.RuntimeException | a.B.find | SERVICE_EXCEPTION",
            })
    void theFilterOfGenericCallsSaysWhatIsWrongWithThem(String first, String frame, Outcome outcome) {
        String caller = frame.startsWith("Generic") ? "org.apache.dubbo.rpc.filter." + frame : frame;

        AnswerOf answer = failed("org.apache.dubbo.rpc." + first, "\tat " + caller + "(X.java:1)");

        assertThat(answer.outcome).as(answer.document).isEqualTo(outcome);
    }

    /** Dubbo 3.0 and 3.1 send what the conversion of arguments has thrown as it is. */
    @Test
    void whatTheConversionOfArgumentsThrowsIsAFaultOfAnArgument() {
        AnswerOf date = failed(
                "java.lang.IllegalStateException: Failed to parse date soon",
                "\tat org.apache.dubbo.common.utils.CompatibleTypeUtils.compatibleTypeConvert(CompatibleTypeUtils.java:112)",
                "\tat org.apache.dubbo.common.utils.PojoUtils.realize0(PojoUtils.java:333)");
        AnswerOf localDate = failed(
                "java.time.format.DateTimeParseException: Text 'soon' could not be parsed at index 0",
                "\tat java.base/java.time.format.DateTimeFormatter.parseResolved0(DateTimeFormatter.java:2108)",
                "\tat java.base/java.time.format.DateTimeFormatter.parse(DateTimeFormatter.java:2010)",
                "\tat java.time.LocalDate.parse(LocalDate.java:435)",
                "\tat org.apache.dubbo.common.utils.CompatibleTypeUtils.compatibleTypeConvert(CompatibleTypeUtils.java:126)");
        AnswerOf ofService = failed(
                "java.time.format.DateTimeParseException: Text 'soon' could not be parsed at index 0",
                "\tat java.base/java.time.format.DateTimeFormatter.parse(DateTimeFormatter.java:2010)",
                "\tat a.Diary.next(Diary.java:7)",
                "\tat org.apache.dubbo.common.utils.CompatibleTypeUtils.compatibleTypeConvert(CompatibleTypeUtils.java:126)");

        assertThat(date.outcome).isEqualTo(Outcome.BAD_ARGUMENT);
        assertThat(date.detail()).contains("Failed to parse date soon (expected: as 2026-11-21 10:00:00");
        assertThat(localDate.outcome).isEqualTo(Outcome.BAD_ARGUMENT);
        assertThat(ofService.outcome).isEqualTo(Outcome.SERVICE_EXCEPTION);
    }

    private static AnswerOf failed(String... stack) {
        int colon = stack[0].indexOf(": ");
        return AnswerOf.grpc()
                .generic()
                .header("grpc-status", "2")
                .header("grpc-message", stack[0].substring(colon + 2))
                .stack(stack)
                .alone()
                .read();
    }

    /** What was executed may fail with the answer to a call of its own. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | 12 | Method : hi not found of service:a.B | true",
                "200 | 12 | Method :hi[[int, java.util.Date]] not found of service:a.B | true",
                "500 | 2 | unimplemented method:hi | true",
                "500 | 2 | Cannot invoke \"java.util.List.iterator()\" because \"methodDescriptors\" is null | true",
                "200 | 12 | Method : log not found of service:a.B | false",
                "200 | 12 | Method : hi not found of service:a.Audit | false",
                "200 | 12 | Method : hi not found of service:a.Bee | false",
                "200 | 12 | Method : hi not found of service:a.B.C | false",
                "200 | 12 | Method :hi[[int]] not found of service:a.Audit | false",
                "200 | 12 | Method :high[[int]] not found of service:a.B | false",
                "200 | 12 | audit: Method : hi not found of service:a.B | false",
                "200 | 12 | audit: Service not found:a.B, hi | false",
                "200 | 12 | no such method by Triple: Method : hi not found of service:a.B | false",
                "200 | 12 | unimplemented method:hi | false",
                "200 | 12 | Cannot invoke \"java.util.List.iterator()\" because \"x\" is null | false",
                "500 | 2 | unimplemented method:high | false",
                "500 | 3 | Service not found:a.B, hi | false",
                "200 | 3 | Method : hi not found of service:a.B | false",
                "200 | 12 | '' | false",
            })
    void aMethodIsUnknownOnlyIfDubboItselfSaysSoOfThisOne(String http, String code, String message, boolean unknown) {
        for (Serialization requests : List.of(Serialization.HESSIAN2, Serialization.FASTJSON2)) {
            AnswerOf answer = new AnswerOf()
                    .header(":status", http)
                    .header("content-type", "application/grpc")
                    .header("grpc-status", code)
                    .header("grpc-message", message)
                    .alone()
                    .requests(requests)
                    .read();

            assertThat(answer.isUnknownMethod("a.B", "hi")).isEqualTo(unknown);
        }
    }

    /** What was executed may have called a provider that ends. */
    @ParameterizedTest
    @CsvSource({
        "404, 12, Invoker for gRPC not found, true",
        "200, 12, Invoker for gRPC not found, false",
        "404, 5, Invoker for gRPC not found, false",
        "404, 12, audit: Invoker for gRPC not found, false",
        "200, 12, unknown service a.B, false",
    })
    void aServiceIsUnexportedOnlyIfTheProviderSaysSoOfARequest(
            String http, String code, String message, boolean unexported) {
        AnswerOf answer = new AnswerOf()
                .header(":status", http)
                .header("content-type", "application/grpc")
                .header("grpc-status", code)
                .header("grpc-message", message)
                .alone()
                .read();

        assertThat(answer.isUnexported()).isEqualTo(unexported);
    }

    @ParameterizedTest
    @CsvSource({
        "404, text/html, HTTP status 404 and content type text/html",
        "503, , HTTP status 503 and content type none",
        "200, application/json, HTTP status 200 and content type application/json",
        ", , HTTP status none and content type none",
    })
    void anAnswerThatIsNotGrpcIsAnErrorOfTheProvider(String status, String type, String reason) {
        AnswerOf answer = new AnswerOf();
        if (status != null) {
            answer.header(":status", status);
        }
        if (type != null) {
            answer.header("content-type", type);
        }

        answer.data("<html>").read();

        assertThat(answer.outcome).isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(answer.detail())
                .isEqualTo(
                        "provider answered with status 80: an answer of Triple with " + reason + ", which is not gRPC");
    }

    @Test
    void aMessageOfGrpcIsPercentEncodedUtf8() {
        AnswerOf answer = AnswerOf.grpc()
                .header("grpc-status", "5")
                .header("grpc-message", "100%25 +%20gr%C3%BCn%E4%B8%AD 5% %zz %4")
                .alone()
                .read();

        assertThat(answer.detail()).endsWith("NOT_FOUND : 100% + gr\u00fcn\u4e2d 5% %zz %4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|no message",
                "'\0\0\0'|ends within the prefix of a message",
                "'\0\0\0\0\5abc'|ends within a message of 5 bytes, behind 3",
                "'\0\u00ff\u00ff\u00ff\u00ffabc'|ends within a message of 4294967295 bytes, behind 3",
                "'\0\0\0\0\1ab'|1 bytes behind the message",
                "'\0\0\0\0\0\0\0\0\0\0'|5 bytes behind the message",
                "'\1\0\0\0\1a'|a message that is compressed by gzip",
                "'\2\0\0\0\1a'|a message whose first byte is 2",
                "'\0\0\0\0\3\12\5a'|a length reaches beyond the message",
                "'\0\0\0\0\2\22\u0080'|ends within a number",
                "'\0\0\0\0\13\22\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\1'|a length reaches beyond the message",
                "'\0\0\0\0\14\22\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\1'|a number of more than 64 bits",
                "'\0\0\0\0\2\7a'|a field that has no number",
                "'\0\0\0\0\2\13a'|a field of wire type 3",
                "'\0\0\0\0\3\21ab'|ends within a field",
                "'\0\0\0\0\2\25a'|ends within a field",
                "'\0\0\0\0\5\12\3abc'|a value in the serialization \\\"abc\\\", which is not read: set the provider's serialization to hessian2",
                "'\0\0\0\0\3\22\1N'|a value in the serialization \\\"\\\", which is not read: set the provider's serialization to hessian2",
                "'\0\0\0\0\12\12\10hessian4'|a wrapper without a value",
                "'\0\0\0\0\14\12\10hessian4\22\0'|a wrapper without a value",
            })
    void aMalformedMessageIsAnErrorOfTheProvider(String data, String reason) {
        AnswerOf answer = AnswerOf.grpc()
                .header("grpc-encoding", "gzip")
                .data(data)
                .trailer("grpc-status", "0")
                .read();

        assertThat(answer.outcome).isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(answer.detail()).isEqualTo("provider answered with status 80: an answer of Triple with " + reason);
    }

    @Test
    void aStreamThatEndsWithoutTrailersHasNoStatus() {
        AnswerOf answer = AnswerOf.grpc().message(BOB).read();

        assertThat(answer.outcome).isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(answer.detail()).endsWith("an answer of Triple with no status of gRPC");
    }

    @Test
    void errorsAreInTheSerializationOfRequests() {
        AnswerOf answer = AnswerOf.grpc()
                .header("grpc-status", "3")
                .alone()
                .requests(Serialization.FASTJSON2)
                .read();

        assertThat(answer.detail()).isEqualTo("provider answered with status 40: INVALID_ARGUMENT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "CgI", "GgUKBnR5cGU", "GgA", "AA"})
    void malformedDetailsLeaveTheStatus(String details) {
        AnswerOf answer = AnswerOf.grpc()
                .header("grpc-status", "5")
                .header("grpc-message", "x")
                .header("grpc-status-details-bin", details)
                .alone()
                .read();

        assertThat(answer.detail()).isEqualTo("org.apache.dubbo.rpc.StatusRpcException: NOT_FOUND : x");
    }

    @Test
    void everyPrefixOfAMessageIsAnsweredByOneFrame() {
        byte[] whole = ("\0\0\0\0\40" + BOB).getBytes(ISO_8859_1);
        for (int length = 0; length < whole.length; length++) {
            AnswerOf answer = AnswerOf.grpc()
                    .data(Arrays.copyOf(whole, length))
                    .trailer("grpc-status", "0")
                    .read();
            assertThat(answer.outcome).isEqualTo(Outcome.PROVIDER_ERROR);
        }
    }
}
