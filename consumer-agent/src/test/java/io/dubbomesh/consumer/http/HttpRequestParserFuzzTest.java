package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import io.dubbomesh.testsupport.random.RandomValues;
import io.dubbomesh.testsupport.random.Tries;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Random bytes: the outcome is a declared one, and the same however they arrive. */
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

    @Test
    void partsOfRequestsHaveTheSameResultHoweverTheyArrive() {
        Tries.run(4000, random -> {
            byte[] bytes = RequestFeed.bytes(random.joined(14, PARTS));
            requireTheSame(HttpLimits.DEFAULTS, bytes, random);
            requireTheSame(NARROW, bytes, random);
        });
    }

    @Test
    void randomBytesHaveTheSameResultHoweverTheyArrive() {
        Tries.run(2000, random -> requireTheSame(HttpLimits.DEFAULTS, random.bytes(255), random));
    }

    @Test
    void aDamagedRequestHasTheSameResultHoweverItArrives() {
        Tries.run(4000, random -> {
            byte[] sound = RequestFeed.bytes(
                    "PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nX-Request-Timeout: 5\r\n\r\n"
                            + "3;a=b\r\nabc\r\n0\r\nt: u\r\n\r\nPOST / HTTP/1.1\r\nHost: b\r\nContent-Length: 2\r\n\r\nhi");
            byte damage =
                    random.oneIn(2) ? (byte) random.random().nextInt(256) : RequestFeed.bytes(random.pick(PARTS))[0];
            for (int damages = random.between(1, 3); damages > 0; damages--) {
                sound[random.random().nextInt(sound.length)] = damage;
            }
            requireTheSame(HttpLimits.DEFAULTS, sound, random);
        });
    }

    private static void requireTheSame(HttpLimits limits, byte[] bytes, RandomValues random) {
        List<String> whole = RequestFeed.of(limits, bytes);
        assertThat(RequestFeed.of(limits, bytes, RequestFeed.everyByte(bytes.length)))
                .isEqualTo(whole);
        assertThat(RequestFeed.of(limits, bytes, random.cuts(bytes.length, 3))).isEqualTo(whole);
    }
}
