package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.load.Exchange;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.RawRequests;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Site;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Requests in pieces, several at once, and such that leave it open where they end. */
public final class FramingRows {
    private static final int SEED = 20_180_601;
    private static final int SEGMENTS = 7;

    private FramingRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                        "H1",
                        "three requests on a connection, cut at every byte, at random and between all bytes",
                        "the same right answers for every cut",
                        FramingRows::cut),
                Row.of(
                        "H2",
                        "1 to 64 requests in one write, a malformed one among them",
                        "right answers before it, then one 400 and the end; nothing behind it executed",
                        FramingRows::pipelined),
                Row.of(
                        "H3",
                        "bodies whose length is said twice, wrongly or in doubt, each with a request behind it that it may hide",
                        "400, 413 or 501 and the end, but for what RFC 9112 allows; no hidden request executed",
                        FramingRows::lengthsInDoubt),
                Row.of(
                        "H4",
                        "chunked bodies that break the grammar, each with a request behind it that it may hide",
                        "400, 413 or 431 and the end; no hidden request executed",
                        FramingRows::brokenChunks),
                Row.of(
                        "H5",
                        "chunked bodies in chunks of many sizes, with extensions and trailers",
                        "right answers",
                        FramingRows::goodChunks));
    }

    private static void cut(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String body = RawRequests.form("three");
        String three = RawRequests.post("one", "")
                + RawRequests.head(RawRequests.CHUNKED) + RawRequests.chunk(RawRequests.form("two")) + "0\r\n\r\n"
                + RawRequests.head(RawRequests.CLOSE + "Content-Length: " + body.length() + "\r\n") + body;
        int length = three.length();
        int different = 0;
        for (int at = 1; at < length; at++) {
            different += isRight(requests, three, at) ? 0 : 1;
        }
        figures.none("of " + (length - 1) + " cuts answered otherwise", different);
        Random random = new Random(SEED);
        int times = site.times(300);
        different = 0;
        for (int i = 0; i < times; i++) {
            different += isRight(
                            requests,
                            three,
                            random.ints(SEGMENTS, 1, length).sorted().toArray())
                    ? 0
                    : 1;
        }
        figures.none("of " + times + " random cuts", different);
        figures.holds(
                "the same byte by byte",
                isRight(requests, three, IntStream.range(1, length).toArray()));
        requests.requireAlive(figures);
    }

    private static boolean isRight(RawRequests requests, String three, int... cuts) throws Exception {
        Exchange exchange = Exchange.of(requests.consumer().address(), three, Exchange.briefly(), cuts);
        return RawRequests.isRight(exchange, "one", "two", "three");
    }

    private static void pipelined(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        int tried = 0;
        int otherwise = 0;
        int executed = 0;
        for (int depth : new int[] {1, 2, 16, 64}) {
            for (int bad = 1; bad <= depth; bad = bad * 2 + 1) {
                StringBuilder all = new StringBuilder();
                for (int i = 1; i <= depth; i++) {
                    String name = "of-" + depth + "-bad-" + bad + "-" + i;
                    all.append(
                            i == bad
                                    ? "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n"
                                    : RawRequests.post(name, ""));
                }
                Exchange exchange = requests.send(all.toString());
                tried++;
                otherwise += isRightUntil(exchange, depth, bad) ? 0 : 1;
                for (int i = bad + 1; i <= depth; i++) {
                    executed += requests.isExecuted("of-" + depth + "-bad-" + bad + "-" + i) ? 1 : 0;
                }
            }
        }
        figures.none("of " + tried + " writes answered otherwise", otherwise)
                .none("executed behind the malformed one", executed);
        requests.requireAlive(figures);
    }

    private static boolean isRightUntil(Exchange exchange, int depth, int bad) {
        if (exchange.answers().size() != bad
                || !exchange.isClosed()
                || !exchange.remainder().isEmpty()) {
            return false;
        }
        for (int i = 1; i < bad; i++) {
            String name = "of-" + depth + "-bad-" + bad + "-" + i;
            if (!exchange.answers().get(i - 1).body().equals(Integer.toString(name.hashCode()))) {
                return false;
            }
        }
        return exchange.answers().get(bad - 1).status() == 400;
    }

    private static void lengthsInDoubt(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String first = RawRequests.form("first");
        String hidden = RawRequests.post("hidden", "");
        int refused = 0;
        Map<String, String> doubts = DoubtfulLengths.of(first.length());
        for (Map.Entry<String, String> doubt : doubts.entrySet()) {
            // The body is complete both as a chunked one and by its length.
            Exchange counted = requests.send(RawRequests.head(doubt.getValue()) + first + hidden);
            Exchange chunked = requests.send(RawRequests.head(doubt.getValue()) + "0\r\n\r\n" + hidden);
            boolean good = counted.isRefusedBy(400, 413, 501) && chunked.isRefusedBy(400, 413, 501);
            refused += good ? 1 : 0;
            if (!good) {
                figures.fail(doubt.getKey() + ": " + counted + "; " + chunked);
            }
        }
        String right = "Content-Length: " + first.length() + "\r\n";
        for (String fields : List.of(
                RawRequests.CHUNKED,
                right + RawRequests.CHUNKED,
                RawRequests.CHUNKED + right,
                "Content-Length: 0\r\n" + RawRequests.CHUNKED,
                RawRequests.CHUNKED + "Connection: keep-alive\r\n")) {
            String head = RawRequests.head(fields).replace("HTTP/1.1", "HTTP/1.0");
            figures.holds(
                    "HTTP/1.0 is refused with " + fields.strip().replace("\r\n", ", "),
                    requests.send(head + "0\r\n\r\n" + hidden).isRefusedBy(400, 501)
                            && requests.send(head + first + hidden).isRefusedBy(400, 501));
        }
        // An empty member of a list is ignored or an error, and a length may have zeros in front (RFC 9110, 5.6.1.2 and
        // 8.6).
        for (String fields : List.of(
                "Transfer-Encoding: chunked,\r\n",
                "Transfer-Encoding: ,chunked\r\n",
                "Transfer-Encoding: chunked, ,\r\n",
                "Content-Length: " + "0".repeat(100) + first.length() + "\r\n")) {
            String body = fields.startsWith("C") ? first : RawRequests.chunk(first) + "0\r\n\r\n";
            Exchange exchange =
                    requests.send(RawRequests.head(fields) + body + RawRequests.post("behind", RawRequests.CLOSE));
            figures.holds(
                    "refused or right: " + RawRequests.shown(fields.strip()),
                    exchange.isRefusedBy(400, 413, 501) || RawRequests.isRight(exchange, "first", "behind"));
        }
        for (String allowed :
                List.of("Content-Length: 0" + first.length(), "content-LENGTH:\t" + first.length() + " \t")) {
            Exchange exchange = requests.send(RawRequests.head(RawRequests.CLOSE + allowed + "\r\n") + first);
            figures.holds("allowed: " + RawRequests.shown(allowed), RawRequests.isRight(exchange, "first"));
        }
        Exchange spelled = requests.send(RawRequests.head(RawRequests.CLOSE + "transfer-ENCODING: \tCHUNKED \r\n")
                + RawRequests.chunk(first) + "0\r\n\r\n");
        figures.holds("allowed: CHUNKED", RawRequests.isRight(spelled, "first"))
                .equal("refused of " + doubts.size(), refused, doubts.size())
                .holds("no hidden request was executed", !requests.isExecuted("hidden"));
        requests.requireAlive(figures);
    }

    private static void brokenChunks(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String first = RawRequests.form("first");
        String hidden = RawRequests.post("hidden", "");
        Map<String, String> bodies = BrokenChunks.of(first);
        int refused = 0;
        for (Map.Entry<String, String> body : bodies.entrySet()) {
            Exchange exchange = requests.send(RawRequests.head(RawRequests.CHUNKED) + body.getValue() + hidden);
            boolean good = exchange.isRefusedBy(400, 413, 431);
            refused += good ? 1 : 0;
            if (!good) {
                figures.fail(body.getKey() + ": " + exchange);
            }
        }
        figures.equal("refused of " + bodies.size(), refused, bodies.size())
                .holds("no hidden request was executed", !requests.isExecuted("hidden"));
        // A recipient may drop such trailers (RFC 9110, section 6.5.1), and must not obey them.
        for (String trailer :
                List.of("Content-Length: 1000", "Transfer-Encoding: chunked", "Host: other", "Connection: close")) {
            Exchange exchange = requests.send(RawRequests.head(RawRequests.CHUNKED) + RawRequests.chunk(first) + "0\r\n"
                    + trailer + "\r\n\r\n" + RawRequests.post("behind", RawRequests.CLOSE));
            figures.holds(
                    "trailer " + trailer + ": refused or dropped",
                    exchange.isRefusedBy(400) || RawRequests.isRight(exchange, "first", "behind"));
        }
        // Such a size is right, and a bound of its digits is allowed.
        String size = Integer.toHexString(first.length());
        for (int digits : new int[] {9, 16, 17, 100}) {
            String zeros = "0".repeat(digits - size.length());
            for (String body : List.of(
                    zeros + size + "\r\n" + first + "\r\n0\r\n\r\n",
                    size + "\r\n" + first + "\r\n" + "0".repeat(digits) + "\r\n\r\n")) {
                Exchange exchange = requests.send(
                        RawRequests.head(RawRequests.CHUNKED) + body + RawRequests.post("behind", RawRequests.CLOSE));
                figures.holds(
                        digits + " digits with zeros in front, " + exchange.statuses() + ": refused or right",
                        exchange.isRefusedBy(400, 413) || RawRequests.isRight(exchange, "first", "behind"));
            }
        }
        requests.requireAlive(figures);
    }

    private static void goodChunks(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String name = "x".repeat(3000);
        String body = RawRequests.form(name);
        int sent = 0;
        int right = 0;
        for (int size : new int[] {1, 2, 7, 100, 1000, body.length()}) {
            for (String extension : List.of("", ";a", ";a=b", ";a=\"b ; \\\"c\"", " ; a = b;c")) {
                for (String trailers : List.of("", "X: y\r\n", "X: y\r\nZ:\r\n")) {
                    // What extensions may take in all is bounded, so the first chunk and the last one have them.
                    StringBuilder chunks = new StringBuilder();
                    for (int at = 0; at < body.length(); at += size) {
                        String data = body.substring(at, Math.min(body.length(), at + size));
                        String here = at == 0 ? extension : "";
                        chunks.append(Integer.toHexString(data.length()))
                                .append(here)
                                .append("\r\n")
                                .append(data)
                                .append("\r\n");
                    }
                    Exchange exchange = requests.send(RawRequests.head(RawRequests.CLOSE + RawRequests.CHUNKED) + chunks
                            + "000" + extension + "\r\n" + trailers + "\r\n");
                    sent++;
                    if (RawRequests.isRight(exchange, name)) {
                        right++;
                    } else {
                        figures.fail("chunks of " + size + extension + ": " + exchange);
                    }
                }
            }
        }
        figures.equal("right of " + sent, right, sent);
        requests.requireAlive(figures);
    }
}
