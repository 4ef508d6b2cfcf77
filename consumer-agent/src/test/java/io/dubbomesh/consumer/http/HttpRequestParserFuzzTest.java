package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** Bytes that nobody thought of: the outcome is a declared one and the same however they arrive. */
class HttpRequestParserFuzzTest {
    private static final HttpLimits NARROW = new HttpLimits(40, 100, 4, 20);

    private static final List<String> PARTS = List.of(
            "POST / HTTP/1.1\r\n",
            "GET /a?b HTTP/1.1\r\n",
            "PUT http://a/ HTTP/1.0\r\n",
            "Host: a\r\n",
            "Content-Length: 3\r\n",
            "Transfer-Encoding: chunked\r\n",
            "\r\n",
            "\r\n",
            "\r\n",
            "abc",
            "3\r\nabc\r\n",
            "0\r\n",
            "1;a=\"b\"\r\n",
            "X: ",
            "\r",
            "\n",
            " ",
            ":",
            "\t",
            "\0",
            "a",
            "F",
            "Connection: close\r\n",
            "Expect: 100-continue\r\n",
            "X-Dubbo-Attachment-a: %41\r\n",
            "tracestate: a\r\n",
            "X-Dubbo-Attachments: {\"a\":\"b\"}\r\n",
            "Content-Type: application/json;charset=\"utf-8\"\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
            "\u00e4",
            ";",
            ",",
            "%",
            "*",
            "HTTP/1.1");

    @Property(tries = 4000)
    void answersAnyPartsTheSameWayHoweverTheyArrive(@ForAll("parts") byte[] bytes, @ForAll Random random) {
        requireTheSame(HttpLimits.DEFAULTS, bytes, random);
        requireTheSame(NARROW, bytes, random);
    }

    @Property(tries = 2000)
    void answersNoiseTheSameWayHoweverItArrives(@ForAll byte[] bytes, @ForAll Random random) {
        requireTheSame(HttpLimits.DEFAULTS, bytes, random);
    }

    @Property(tries = 4000)
    void answersADamagedRequestTheSameWayHoweverItArrives(@ForAll("parts") byte[] start, @ForAll Random random) {
        byte[] sound = RequestFeed.bytes(
                "PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nX-Request-Timeout: 5\r\n\r\n"
                        + "3;a=b\r\nabc\r\n0\r\nt: u\r\n\r\nPOST / HTTP/1.1\r\nHost: b\r\nContent-Length: 2\r\n\r\nhi");
        for (int damages = random.nextInt(3); damages >= 0; damages--) {
            sound[random.nextInt(sound.length)] = start.length == 0 ? (byte) random.nextInt(256) : start[0];
        }
        requireTheSame(HttpLimits.DEFAULTS, sound, random);
    }

    private static void requireTheSame(HttpLimits limits, byte[] bytes, Random random) {
        List<String> whole = RequestFeed.of(limits, bytes);
        assertThat(RequestFeed.of(limits, bytes, RequestFeed.everyByte(bytes.length)))
                .isEqualTo(whole);
        int[] cuts = random.ints(3, 0, bytes.length + 1).sorted().toArray();
        assertThat(RequestFeed.of(limits, bytes, cuts)).isEqualTo(whole);
    }

    @Provide
    Arbitrary<byte[]> parts() {
        return Arbitraries.of(PARTS).list().ofMaxSize(14).map(list -> RequestFeed.bytes(String.join("", list)));
    }
}
