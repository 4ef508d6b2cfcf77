package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.key.CallKey;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CallKeyTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, UTF_8);
    }

    private static long hash(String text) {
        ByteBuf in = bytes(text);
        return CallKey.hash(in, 0, in.writerIndex());
    }

    private static long key(String sources, String request) throws Exception {
        CallReader reader = new CallReader(
                new CallSettings(32, 16, 5_000_000_000L, 60_000, CallKey.parse(sources)),
                new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8)));
        try (HttpRequestParser parser =
                new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, reader.newFields())) {
            // A request before has keys of its own.
            ByteBuf in = bytes(
                    HttpSocket.request("POST /a.B/m", "[7]", JSON, "X-User: 7", "X-Dubbo-Attachment-t: 7") + request);
            assertThat(parser.parse(in)).isEqualTo(HttpRequestParser.Result.REQUEST);
            reader.read(parser);
            assertThat(parser.parse(in)).isEqualTo(HttpRequestParser.Result.REQUEST);
            return reader.read(parser).key();
        }
    }

    private static String json(String body, String... headers) {
        return HttpSocket.request("POST /a.B/m", body, with(JSON, headers));
    }

    private static String form(String parameters, String... headers) {
        return HttpSocket.request("POST /", "interface=a.B&method=m&" + parameters, with(FORM, headers));
    }

    private static String[] with(String first, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = first;
        return all;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"ana\"]         | ana",
                " [ \"ana\" , 1 ]  | ana",
                "[ 42 ]            | 42",
                "42                | 42",
                " \"ana\"          | ana",
                "[\"a,]\\\"na\",2] | a,]\\\"na",
                "[{\"a\": [1,2]}]  | {\"a\": [1,2]}",
                "{\"a\": [1,2]}    | {\"a\": [1,2]}",
                "[[1, 2], 3]       | [1, 2]",
                "[true]            | true"
            })
    void anArgumentInJsonIsTheTextOfItsValue(String body, String text) throws Exception {
        assertThat(key("argument:0", json(body))).isEqualTo(hash(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", " ", "[null]", "null", "[\"\"]", "[ ]", "["})
    void whatIsNoArgumentInJsonIsNoKey(String body) throws Exception {
        assertThat(key("argument:0", json(body))).isEqualTo(CallKey.NONE);
    }

    @Test
    void anArgumentInJsonIsFoundByItsIndex() throws Exception {
        String body = "[{\"a\":[1,\"],\"]}, \"\\\\\" , 3,[4,5] ]";
        assertThat(key("argument:0", json(body))).isEqualTo(hash("{\"a\":[1,\"],\"]}"));
        assertThat(key("argument:1", json(body))).isEqualTo(hash("\\\\"));
        assertThat(key("argument:2", json(body))).isEqualTo(hash("3"));
        assertThat(key("argument:3", json(body))).isEqualTo(hash("[4,5]"));
        assertThat(key("argument:4", json(body))).isEqualTo(CallKey.NONE);
        assertThat(key("argument:1", json("\"only one\""))).isEqualTo(CallKey.NONE);
    }

    @Test
    void anArgumentOfAFormIsItsTextWithoutEscapes() throws Exception {
        String types = "parameterTypesString=Ljava%2Flang%2FString%3BI&";
        assertThat(key("argument:0", form(types + "parameter=ana&parameter=42")))
                .isEqualTo(hash("ana"));
        assertThat(key("argument:1", form(types + "parameter=ana&parameter=42")))
                .isEqualTo(hash("42"));
        assertThat(key("argument:0", form(types + "parameter=an%C3%A4+b&parameter=42")))
                .isEqualTo(key("argument:0", form(types + "parameter=an%c3%a4%20b&parameter=42")))
                .isEqualTo(hash("an\u00e4 b"));
        assertThat(key("argument:2", form(types + "parameter=ana&parameter=42")))
                .isEqualTo(CallKey.NONE);
        assertThat(key("argument:0", form(types + "parameter=&parameter=42"))).isEqualTo(CallKey.NONE);
        String text = "x".repeat(40_000);
        assertThat(key("argument:0", form(types + "parameter=%78" + text + "&parameter=42")))
                .isEqualTo(hash("x" + text));
    }

    @Test
    void aHeaderFieldIsFoundInAnyCaseAndWithAllItsValues() throws Exception {
        assertThat(key("header:X-User", json("[]", "x-uSER:  ana "))).isEqualTo(hash("ana"));
        assertThat(key("header:X-User", json("[]"))).isEqualTo(CallKey.NONE);
        assertThat(key("header:X-User", json("[]", "X-User:"))).isEqualTo(CallKey.NONE);
        assertThat(key("header:X-User", json("[]", "X-User: a", "X-User: b")))
                .isEqualTo(key("header:X-User", json("[]", "X-User: a", "X-User: b")))
                .isNotEqualTo(key("header:X-User", json("[]", "X-User: b", "X-User: a")))
                .isNotEqualTo(hash("a"));
    }

    /** The agent needs it for other ends, which it goes on to serve. */
    @Test
    void aHeaderFieldThatTheAgentReadsCanBeAKey() throws Exception {
        assertThat(key("header:X-Dubbo-Version", json("[]", "X-Dubbo-Version: 1.0")))
                .isEqualTo(hash("1.0"));
        assertThat(key("header:User-Agent", json("[]", "User-Agent: shop/1"))).isEqualTo(hash("shop/1"));
        assertThat(key("header:Host", json("[]"))).isNotEqualTo(CallKey.NONE);
        assertThat(key("header:traceparent,attachment:traceparent", json("[]", "traceparent: x")))
                .isEqualTo(hash("x"));
    }

    @Test
    void anAttachmentIsFoundByItsExactName() throws Exception {
        assertThat(key("attachment:tenant", json("[]", "X-Dubbo-Attachment-tenant: an%C3%A4")))
                .isEqualTo(key("attachment:tenant", json("[]", "X-Dubbo-Attachments: {\"tenant\":\"an\\u00e4\"}")))
                .isEqualTo(hash("an\u00e4"));
        assertThat(key("attachment:tenant", json("[]", "X-Dubbo-Attachment-Tenant: ana")))
                .isEqualTo(CallKey.NONE);
        assertThat(key("attachment:tenant", json("[]", "X-Dubbo-Attachment-tenant: ")))
                .isEqualTo(CallKey.NONE);
    }

    @Test
    void theFirstSourceThatACallHasCounts() throws Exception {
        String sources = "header:X-User, attachment:tenant , argument:0";
        assertThat(key(sources, json("[5]", "X-User: ana", "X-Dubbo-Attachment-tenant: t")))
                .isEqualTo(hash("ana"));
        assertThat(key(sources, json("[5]", "X-Dubbo-Attachment-tenant: t"))).isEqualTo(hash("t"));
        assertThat(key(sources, json("[5]"))).isEqualTo(hash("5"));
        assertThat(key(sources, json("[]"))).isEqualTo(CallKey.NONE);
    }

    @Test
    void aKeyOfSeveralPartsNeedsAllOfThem() throws Exception {
        String sources = "attachment:tenant + argument:0, argument:1";
        long both = key(sources, json("[5,6]", "X-Dubbo-Attachment-tenant: t"));
        assertThat(both)
                .isEqualTo(key(sources, json("[5,7]", "X-Dubbo-Attachment-tenant: t")))
                .isNotEqualTo(key(sources, json("[4,6]", "X-Dubbo-Attachment-tenant: t")))
                .isNotEqualTo(key(sources, json("[5,6]", "X-Dubbo-Attachment-tenant: u")))
                .isNotEqualTo(key("argument:0+attachment:tenant", json("[5,6]", "X-Dubbo-Attachment-tenant: t")));
        assertThat(key(sources, json("[5,6]"))).isEqualTo(hash("6"));
    }

    @Test
    void withoutSourcesThereIsNoKey() throws Exception {
        CallReader reader = new CallReader(
                new CallSettings(32, 16, 5_000_000_000L, 60_000),
                new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8)));
        try (HttpRequestParser parser =
                new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, reader.newFields())) {
            parser.parse(bytes(json("[5]")));
            assertThat(reader.read(parser).key()).isEqualTo(CallKey.NONE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cookie:a                     | cookie:a",
                "header                       | header",
                "header:                      | header:",
                "header:X User                | header:X User",
                "argument:-1                  | argument:-1",
                "argument:255                 | argument:255",
                "argument:a                   | argument:a",
                "attachment:                  | attachment:",
                "attachment::exception        | attachment::exception",
                "argument:0,                  | empty",
                "argument:0++argument:1       | empty",
                "''                           | empty"
            })
    void aWrongSourceIsNamed(String text, String wrong) {
        assertThatThrownBy(() -> CallKey.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(wrong + " (expected: header:NAME, attachment:NAME or argument:INDEX,"
                        + " + between parts of one key, commas between sources)");
    }

    @Test
    void anAttachmentIsNotNamedByItsHeaderField() {
        assertThatThrownBy(() -> CallKey.parse("header:x-dubbo-Attachment-tenant"))
                .hasMessage("header:x-dubbo-Attachment-tenant (expected: attachment:tenant)");
    }
}
