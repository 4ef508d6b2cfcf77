package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RequestAttachmentsTest {
    private static final String START = "POST / (root) 1.1 keep-alive NONE ";

    private static String result(String fields) {
        return RequestFeed.of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n" + fields + "\r\n\r\n")
                .get(0)
                .substring(START.length());
    }

    @Test
    void attachmentsBecomeABlockOfLengthsAndText() {
        try (HttpRequestParser parser = parsed("X-Dubbo-Attachment-Ab: c\r\n")) {
            byte[] expected = {0, 2, 'A', 'b', 0, 1, 'c'};
            byte[] block = new byte[CallHeaders.of(parser).attachments().readableBytes()];
            CallHeaders.of(parser).attachments().getBytes(0, block);
            assertThat(block).isEqualTo(expected);
        }
    }

    private static HttpRequestParser parsed(String fields) {
        HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT);
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n" + fields + "\r\n";
        parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(request)));
        return parser;
    }

    @Test
    void theNameIsTakenAsSentAndTheValuePercentDecoded() {
        assertThat(result("x-dubbo-attachment-User.Id: %E4%BD%A0+1%0a%00")).isEqualTo("[User.Id=\u4f60+1\n\0] <>");
        assertThat(result("X-Dubbo-Attachment-a:")).isEqualTo("[a=] <>");
        assertThat(result("X-Dubbo-Attachment-a: \u00c3\u00a4")).isEqualTo("[a=\u00e4] <>");
        assertThat(result("X-Dubbo-Attachment-dubbo.tag: gray")).isEqualTo("[dubbo.tag=gray] <>");
    }

    @Test
    void forgetsThoseOfTheRequestBefore() {
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n";
        assertThat(RequestFeed.of(request + "X-Dubbo-Attachment-a: b\r\n\r\n" + request + "\r\n"))
                .containsExactly(START + "[a=b] <>", START + "<>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%zz", "%C3", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "\u00e4"})
    void aValueThatIsNotTextIsRejected(String value) {
        assertThat(result("X-Dubbo-Attachment-a: " + value)).startsWith("rejected BAD_REQUEST: attachment a: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "generic",
                "PATH",
                "Interface",
                "version",
                "group",
                "token",
                "timeout",
                "_TO",
                "_to",
                "timeout-countdown",
                "dubbo",
                "async",
                "remote.application",
                "serialization_id",
                "sys_callback_arg-0",
                "Sys_Callback_Arg-1",
                "_isCallBackServiceInvoke",
                "_isStubServiceInvoke",
                "dubbo.stub.event",
                "callback.service.instid",
                "token-bin",
                "Generic-BIN"
            })
    void reservedKeysAreRejected(String key) {
        String expected = "rejected BAD_REQUEST: attachment " + key + " is reserved <>";
        assertThat(result("X-Dubbo-Attachment-" + key + ": a")).isEqualTo(expected);
        assertThat(result("X-Dubbo-Attachments: {\"" + key + "\":\"a\"}")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id",
                "paths",
                "_TO_",
                "sys_callback_arg",
                "dubbo.",
                "generics",
                "-TO",
                "-bin",
                "id-bin",
                "token-bins"
            })
    void keysThatOnlyResembleReservedOnesAreAccepted(String key) {
        assertThat(result("X-Dubbo-Attachment-" + key + ": a")).isEqualTo("[" + key + "=a] <>");
    }

    @Test
    void anAttachmentWithoutANameIsRejected() {
        assertThat(result("X-Dubbo-Attachment-: a")).startsWith("rejected BAD_REQUEST: an attachment without a name");
        assertThat(result("X-Dubbo-Attachments: {\"\":\"\"}")).startsWith("rejected BAD_REQUEST");
    }

    @Test
    void aKeyThatIsGivenTwiceIsRejected() {
        assertThat(result("X-Dubbo-Attachment-a: b\r\nX-Dubbo-Attachment-b: b\r\nX-Dubbo-Attachment-a: b"))
                .isEqualTo("rejected BAD_REQUEST: attachment a is given twice <>");
        assertThat(result("X-Dubbo-Attachment-a: b\r\nX-Dubbo-Attachments: {\"a\":\"c\"}"))
                .startsWith("rejected");
        assertThat(result("X-Dubbo-Attachment-a: b\r\nX-Dubbo-Attachment-A: b")).isEqualTo("[a=b] [A=b] <>");
    }

    @Test
    void theMembersOfAJsonObjectAreAttachments() {
        assertThat(result("X-Dubbo-Attachments: {}")).isEqualTo("<>");
        assertThat(result("x-dubbo-ATTACHMENTS: {\"a\" : \"b\\u4f60\\ud83d\\ude00\", \"c d\":\"\u00c3\u00a4\"} "))
                .isEqualTo("[a=b\u4f60\ud83d\ude00] [c d=\u00e4] <>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "[]",
                "null",
                "\"a\"",
                "{",
                "{\"a\"}",
                "{\"a\":1}",
                "{\"a\":null}",
                "{\"a\":{}}",
                "{\"a\":[\"b\"]}",
                "{a:\"b\"}",
                "{\"a\":\"b\"} x",
                "{\"a\":\"b\"}{}",
                "{\"a\":\"b\",}",
                "{\"a\":\"\\ud800\"}",
                "{\"\\udc00\":\"a\"}",
                "{\"a\":\"b",
                "{\":exception\":\"a\"}",
                "{\"a\\nb\":\"a\"}",
                "{\"a\":\"\u00e4\"}",
                "{\"a\":\"b\",\"a\":\"b\"}"
            })
    void anyOtherJsonIsRejected(String json) {
        assertThat(result("X-Dubbo-Attachments: " + json))
                .startsWith("rejected BAD_REQUEST: ")
                .endsWith(" <>");
    }

    @Test
    void tracingFieldsAreCopied() {
        assertThat(result("TraceParent: 00-4bf9-00f0-01\r\nTRACESTATE: a=1\r\nbaggage: k=%20v"))
                .isEqualTo("[traceparent=00-4bf9-00f0-01] [tracestate=a=1] [baggage=k=%20v] <>");
    }

    @Test
    void joinsTheListsAmongThemAndKeepsOneParent() {
        assertThat(result(
                        "tracestate: a=1\r\ntraceparent: x\r\nbaggage: b\r\ntracestate: c=3\r\ntraceparent: y\r\nbaggage: d"
                                + "\r\ntracestate: e"))
                .isEqualTo("[traceparent=x] [baggage=b,d] [tracestate=a=1,c=3,e] <>");
    }

    @Test
    void aTraceThatIsNotTextIsLeftOut() {
        assertThat(result("tracestate: \u00e4\r\nbaggage: a")).isEqualTo("[baggage=a] <>");
    }

    @Test
    void moreThanABlockCanHoldIsRejected() {
        HttpLimits roomy = new HttpLimits(4096, 1 << 20, 64, 1 << 20);
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n";
        String value = "a".repeat(0x8000);
        for (String fields : new String[] {
            "X-Dubbo-Attachment-a: " + value + "\r\nX-Dubbo-Attachment-b: " + value + "\r\n",
            "X-Dubbo-Attachment-a: " + value + value + "\r\n",
            "X-Dubbo-Attachments: {\"a\":\"" + value + value + "\"}\r\n",
            "X-Dubbo-Attachments: {\"a\":\"" + value + "\",\"b\":\"" + value + "\"}\r\n",
            "tracestate: " + value + "\r\ntracestate: " + value + "\r\n",
            "baggage: " + value + value + "\r\nbaggage: a\r\n"
        }) {
            assertThat(RequestFeed.of(roomy, RequestFeed.bytes(request + fields + "\r\n"))
                            .get(0))
                    .contains("rejected HEAD_TOO_LARGE: attachments of more than 65535 bytes");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Dubbo-Attachment-path: x",
                "X-Dubbo-Attachment-c: d%zz",
                "X-Dubbo-Attachment-:",
                "X-Dubbo-Attachment-a: c",
                "X-Dubbo-Attachments: {\"path\":\"x\"}",
                "X-Dubbo-Attachments: {\"a\":\"c\"}"
            })
    void whatIsRejectedLeavesTheEntriesAroundItWhole(String rejected) {
        try (HttpRequestParser parser =
                parsed("X-Dubbo-Attachment-a: b\r\n" + rejected + "\r\nX-Dubbo-Attachment-e: f\r\n")) {
            assertThat(CallHeaders.of(parser).rejection()).isNotNull();
            byte[] expected = {0, 1, 'a', 0, 1, 'b', 0, 1, 'e', 0, 1, 'f'};
            assertThat(ByteBufUtil.getBytes(CallHeaders.of(parser).attachments()))
                    .isEqualTo(expected);
        }
    }

    @Test
    void anAttachmentThatHasNoRoomIsLeftOutWhole() {
        HttpLimits roomy = new HttpLimits(4096, 1 << 20, 64, 1 << 20);
        String value = "a".repeat(0xffff - 32);
        try (HttpRequestParser parser =
                new HttpRequestParser(roomy, UnpooledByteBufAllocator.DEFAULT, new CallHeaders())) {
            parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
                    + "baggage: " + value + "\r\nbaggage: " + value + "\r\ntracestate: " + value
                    + "\r\nX-Dubbo-Attachment-c: " + value + "\r\nX-Dubbo-Attachment-d: e\r\n\r\n")));
            assertThat(RequestFeed.attachments(parser)).containsExactly("baggage=" + value, "d=e");
        }
    }

    @Test
    void noLargeValueIsKeptAfterARequest() {
        HttpRequestParser parser = RequestFeed.newParser(PooledByteBufAllocator.DEFAULT);
        String large = "a".repeat(2000);
        ByteBuf in =
                Unpooled.wrappedBuffer(RequestFeed.bytes("GET /" + large + " HTTP/1.1\r\nHost: a\r\nX-Dubbo-Group: "
                        + large + "\r\nX-Dubbo-Attachment-a: " + large + "\r\n\r\n"));
        assertThat(parser.parse(in)).isEqualTo(HttpRequestParser.Result.REQUEST);
        assertThat(CallHeaders.of(parser).group().readableBytes()).isEqualTo(2000);
        assertThat(parser.parse(in)).isEqualTo(HttpRequestParser.Result.NEED_DATA);
        assertThat(parser.target().capacity()).isLessThan(2000);
        assertThat(CallHeaders.of(parser).attachments().capacity()).isLessThan(2000);
        assertThat(CallHeaders.of(parser).group()).isNull();
        parser.close();
    }
}
