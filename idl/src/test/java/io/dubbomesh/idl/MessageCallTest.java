package io.dubbomesh.idl;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.Streaming;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.CallArguments.Form;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.protocol.request.Invocation;
import io.dubbomesh.protocol.request.RequestFormat;
import io.dubbomesh.protocol.triple.TripleRequest;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class MessageCallTest {
    private static final ServiceDefinition KINDS =
            MessageJsonTest.FILES.definition("test.kinds.Kinds", DefinitionSource.CLASS_FILES);

    /** A protocol whose request is the message alone. */
    private static final RequestFormat.Factory BARE = new RequestFormat.Factory() {
        @Override
        public RequestFormat of(MethodName name, Invocation invocation, ExportedAs exported) {
            return new RequestFormat() {
                @Override
                public void write(ByteBuf out, long requestId, boolean oneWay, CallArguments call)
                        throws CallException {
                    invocation.writeMessage(out, call);
                }

                @Override
                public void checkArguments(ByteBuf scratch, CallArguments call) throws CallException {
                    invocation.writeMessage(scratch.clear(), call);
                }

                @Override
                public boolean isUnknownMethod(ByteBuf in, int offset) {
                    return false;
                }
            };
        }

        @Override
        public boolean takesMessages() {
            return true;
        }
    };

    private static DubboRequest prepare(String method) throws CallException {
        MethodName name = new MethodName("com.example.kinds.Kinds", method, MethodName.UNKNOWN_TYPES, "", "");
        return DubboRequest.prepare(name, BARE, KINDS, ExportedAs.INTERFACE);
    }

    private static String encoded(DubboRequest request, Form form, String arguments) throws CallException {
        ByteBuf in = Unpooled.buffer();
        if (form == Form.TEXTS) {
            in.writeInt(arguments.length());
        }
        in.writeCharSequence(arguments, UTF_8);
        ByteBuf out = Unpooled.buffer();
        assertThat(request.encode(out, 1, false, new CallArguments().set(form, in, 0, in.writerIndex())))
                .isFalse();
        return ByteBufUtil.hexDump(out);
    }

    private static String answered(DubboRequest request, String body, boolean isText, Outcome outcome) {
        ByteBuf in = Unpooled.buffer();
        ByteBuf bytes = Hex.buffer(body);
        DubboHeader.write(in, Serialization.HESSIAN2.id(), 20, 7, bytes.readableBytes());
        in.writeBytes(bytes);
        ByteBuf out = Unpooled.buffer();
        ResultFormat format = ResultFormat.of(isText, false, false);
        assertThat(new DubboResponseReader().read(in, 0, format, request.resultType(), out))
                .isEqualTo(outcome);
        return out.toString(out.readerIndex() + 2, out.readableBytes() - 2, UTF_8);
    }

    @Test
    void theMessageIsTheArgumentInEachForm() throws CallException {
        DubboRequest echo = prepare("echo");
        assertThat(echo.isMessage()).isTrue();
        assertThat(echo.isGeneric()).isFalse();
        assertThat(echo.throughInvoke()).isNull();
        assertThat(encoded(echo, Form.ARRAY, "[{\"int32\":1}]")).isEqualTo("0801");
        assertThat(encoded(echo, Form.OBJECT, "[{\"int32\":1}]")).isEqualTo("0801");
        assertThat(encoded(echo, Form.TEXTS, "{\"int32\":1}")).isEqualTo("0801");
    }

    @Test
    void aRequestOfTripleHasTheBareMessageAndTheNameOfTheMethodInItsFile() throws CallException {
        MethodName name = new MethodName("com.example.kinds.Kinds", "echo", MethodName.UNKNOWN_TYPES, "", "");
        RequestFormat.Factory triple = TripleRequest.to("10.0.0.1:50051", false, Serialization.HESSIAN2);
        DubboRequest request = DubboRequest.prepare(name, triple, KINDS, ExportedAs.INTERFACE);
        ByteBuf in = Unpooled.copiedBuffer("[{\"int32\":1}]", UTF_8);
        ByteBuf out = Unpooled.buffer();

        request.encode(out, 1, false, new CallArguments().set(Form.OBJECT, in, 0, in.writerIndex()));

        assertThat(out.toString(ISO_8859_1))
                .isEqualTo("\0\0\0W\u0083\u0086"
                        + "\1\u000e10.0.0.1:50051"
                        + "\4\35/com.example.kinds.Kinds/Echo"
                        + "\0\2te\10trailers"
                        + "\u000f\20\26application/grpc+proto"
                        + "\0\0\0\7\0\0\0\0\2\10\1");
        out.clear();
        assertThat(catchThrowableOfType(
                        CallException.class,
                        () -> request.encode(
                                out, 1, false, new CallArguments().set(Form.ARRAY, in, 0, in.writerIndex() - 1))))
                .hasMessageStartingWith("arguments: malformed JSON");
        assertThat(out.writerIndex()).isZero();
    }

    @Test
    void theAnswerIsTheMessageInTheBytesOfTheValue() throws CallException {
        // A result without attachments (91), of five bytes (25).
        assertThat(answered(prepare("GetURL"), "91 25 0a03612262", false, Outcome.OK))
                .isEqualTo("\"a\\\"b\"");
        assertThat(answered(prepare("GetURL"), "91 25 0a03612262", true, Outcome.OK))
                .isEqualTo("a\"b");
        assertThat(answered(prepare("Nothing"), "91 20", true, Outcome.OK)).isEqualTo("{}");
        // With an empty map of attachments.
        assertThat(answered(prepare("GetURL"), "94 23 0a0161 48 5a", false, Outcome.OK))
                .isEqualTo("\"a\"");
        assertThat(answered(prepare("GetURL"), "91 22 0a05", false, Outcome.PROVIDER_ERROR))
                .contains("\"detail\":\"provider's answer: not a google.protobuf.StringValue: ");
        assertThat(answered(prepare("GetURL"), "91 01 61", false, Outcome.PROVIDER_ERROR))
                .contains("provider's answer: a value that is no message");
    }

    @Test
    void unknownMethodsAndStreamsOfTheClientAreRefused() {
        CallException unknown = catchThrowableOfType(CallException.class, () -> prepare("none"));
        assertThat(unknown.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND);
        assertThat(unknown)
                .hasMessage("service com.example.kinds.Kinds has no method none (it has: Echo(test.kinds.Kind);"
                        + " GetURL(java.lang.String); At(java.time.Instant); Nothing(google.protobuf.Empty);"
                        + " Watch(test.kinds.Kind);"
                        + " Upload(org.apache.dubbo.common.stream.StreamObserver<test.kinds.Kind>))");
        CallException stream = catchThrowableOfType(CallException.class, () -> prepare("upload"));
        assertThat(stream.outcome()).isEqualTo(Outcome.NOT_IMPLEMENTED);
        assertThat(stream)
                .hasMessage("method Upload(test.kinds.Kind) takes a stream of messages, which a request of HTTP cannot"
                        + " send");
        assertThat(catchThrowableOfType(CallException.class, () -> prepare("$invoke")))
                .hasMessage("method $invoke cannot be called by clients");
    }

    @Test
    void aProtocolWithoutMessagesCallsTheMethodOfTheInterface() throws CallException {
        MethodName name = new MethodName("com.example.kinds.Kinds", "Echo", MethodName.UNKNOWN_TYPES, "", "");
        assertThat(DubboRequest.prepare(name, Serialization.HESSIAN2, KINDS).isMessage())
                .isFalse();
    }

    @Test
    void aDefinitionDescribesMessagesByTypesWhoseJsonIsAlike() {
        assertThat(KINDS.methods().get(1))
                .isEqualTo(new MethodDefinition("GetURL", List.of("java.lang.String"), "java.lang.String"));
        assertThat(KINDS.methods())
                .extracting(MethodDefinition::streaming)
                .containsExactly(
                        Streaming.NONE,
                        Streaming.NONE,
                        Streaming.NONE,
                        Streaming.NONE,
                        Streaming.SERVER,
                        Streaming.CLIENT);
        assertThat(KINDS.methods().get(4).messageType()).isEqualTo("test.kinds.Kind");
        Map<String, String> fields = KINDS.types().get("test.kinds.Kind").fields();
        assertThat(fields)
                .containsEntry("int32", "int")
                .containsEntry("int64", "java.lang.String")
                .containsEntry("uint32", "long")
                .containsEntry("bytes", "java.lang.String")
                .containsEntry("color", "test.kinds.Color")
                .containsEntry("inner", "test.kinds.Inner")
                .containsEntry("numbers", "java.util.List<java.lang.String>")
                .containsEntry("byName", "java.util.Map<java.lang.String,java.lang.String>")
                .containsEntry("byNumber", "java.util.Map<java.lang.String,test.kinds.Inner>")
                .containsEntry("maybe", "java.lang.Integer")
                .containsEntry("snakeCaseName", "java.lang.String")
                .containsEntry("at", "java.time.Instant")
                .containsEntry("boxed", "java.lang.String")
                .containsEntry("boxedFlag", "java.lang.Boolean")
                .containsEntry("struct", "java.util.Map<java.lang.String,java.lang.Object>")
                .containsEntry("value", "java.lang.Object");
        assertThat(KINDS.types().get("test.kinds.Color").constants())
                .containsExactly("COLOR_UNSPECIFIED", "RED", "BLUE");
        assertThat(KINDS.types())
                .containsOnlyKeys("test.kinds.Kind", "test.kinds.Inner", "test.kinds.Color", "google.protobuf.Empty");
        assertThat(KINDS.unknownTypes()).isEmpty();
        assertThat(KINDS.from(DefinitionSource.PROVIDER).messages()).isSameAs(KINDS.messages());
        assertThat(KINDS.ofMethods("Echo").messages()).isSameAs(KINDS.messages());
    }

    @Test
    void servicesOfTheSameDescriptorsAreEqual() throws Exception {
        byte[] set;
        try (var in = getClass().getResourceAsStream("/proto/kinds.desc")) {
            set = in.readAllBytes();
        }
        ProtoFiles other = ProtoFiles.ofSets(List.of(set));
        assertThat(other.service("test.kinds.Kinds"))
                .isEqualTo(KINDS.messages())
                .hasSameHashCodeAs(KINDS.messages())
                .isNotEqualTo(other.service("test.legacy.Legacy"));
    }
}
