package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Exchange;
import io.dubbomesh.chaos.site.Site;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Requests in pieces, several at once, and such that leave it open where they end. */
final class FramingRows {
    private static final int SEED = 20_180_601;
    private static final int SEGMENTS = 7;
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

    private FramingRows() {}

    static List<Row> rows() {
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
                + RawRequests.head(CHUNKED) + RawRequests.chunk(RawRequests.form("two")) + "0\r\n\r\n"
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
                || !exchange.rest().isEmpty()) {
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

    /** The fields that say where the body ends. */
    private static Map<String, String> doubts(int length) {
        Map<String, String> doubts = new LinkedHashMap<>();
        String right = "Content-Length: " + length + "\r\n";
        doubts.put("both", right + CHUNKED);
        doubts.put("both, the other first", CHUNKED + right);
        doubts.put("Content-Length twice", right + "Content-Length: 0\r\n");
        doubts.put("Content-Length twice, the same", right + right);
        doubts.put("a list", "Content-Length: " + length + ", " + length + "\r\n");
        for (String value : List.of(
                "+" + length,
                "-1",
                "0x" + length,
                length + "_0",
                length + " 0",
                length + ".0",
                "",
                "9223372036854775808",
                "18446744073709551616",
                "4294967296",
                "\u0660")) {
            doubts.put("Content-Length: " + FramingRows.shown(value), "Content-Length: " + value + "\r\n");
        }
        doubts.put("a blank before the colon", "Content-Length : " + length + "\r\n");
        doubts.put("a tab before the colon", "Content-Length\t: " + length + "\r\n");
        doubts.put("a folded line", "Content-Length:\r\n " + length + "\r\n");
        doubts.put("a control character in the name", "Content-Length\u0001: " + length + "\r\n");
        doubts.put("a line feed alone", "Content-Length: " + length + "\n");
        doubts.put("a carriage return alone", "X: a\rContent-Length: 0\r\n" + right);
        doubts.put("a NUL in a value", "X: a\0\r\n" + right);
        doubts.put("a field without a colon", "Content-Length\r\n" + right);
        for (String value : List.of(
                "chunked, identity",
                "identity",
                "identity, chunked",
                "xchunked",
                "chunked, xchunked",
                "chunked, chunked",
                "chunked;q=1",
                "chunk",
                "\u000bchunked",
                "chunked\0",
                "\"chunked\"",
                "",
                "gzip, chunked",
                ", chunked, identity")) {
            doubts.put("Transfer-Encoding: " + shown(value), "Transfer-Encoding: " + value + "\r\n");
        }
        doubts.put("Transfer-Encoding twice", CHUNKED + CHUNKED);
        doubts.put("Transfer-Encoding twice, the other identity", CHUNKED + "Transfer-Encoding: identity\r\n");
        doubts.put("Transfer-Encoding in a folded line", "Transfer-Encoding:\r\n chunked\r\n");
        doubts.put("a blank before its colon", "Transfer-Encoding : chunked\r\n");
        doubts.put("another blank before its name", " Transfer-Encoding: chunked\r\n");
        return doubts;
    }

    private static String shown(String value) {
        return value.replaceAll("[^ -~]", "?");
    }

    private static void lengthsInDoubt(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String first = RawRequests.form("first");
        String hidden = RawRequests.post("hidden", "");
        int refused = 0;
        Map<String, String> doubts = doubts(first.length());
        for (Map.Entry<String, String> doubt : doubts.entrySet()) {
            // The body is chunked as well as long enough, whoever reads it how.
            Exchange counted = requests.send(RawRequests.head(doubt.getValue()) + first + hidden);
            Exchange chunked = requests.send(RawRequests.head(doubt.getValue()) + "0\r\n\r\n" + hidden);
            boolean good = counted.isRefusedBy(400, 413, 501) && chunked.isRefusedBy(400, 413, 501);
            refused += good ? 1 : 0;
            if (!good) {
                figures.fail(doubt.getKey() + ": " + counted + "; " + chunked);
            }
        }
        String tail = RawRequests.head(CHUNKED).replace("HTTP/1.1", "HTTP/1.0") + "0\r\n\r\n" + hidden;
        figures.holds("chunked in HTTP/1.0 is refused", requests.send(tail).isRefusedBy(400, 501));
        for (String allowed :
                List.of("Content-Length: 0" + first.length(), "content-LENGTH:\t" + first.length() + " \t")) {
            Exchange exchange = requests.send(RawRequests.head(RawRequests.CLOSE + allowed + "\r\n") + first);
            figures.holds("allowed: " + shown(allowed), RawRequests.isRight(exchange, "first"));
        }
        Exchange spelled = requests.send(RawRequests.head(RawRequests.CLOSE + "transfer-ENCODING: \tCHUNKED \r\n")
                + RawRequests.chunk(first) + "0\r\n\r\n");
        figures.holds("allowed: CHUNKED", RawRequests.isRight(spelled, "first"))
                .equal("refused of " + doubts.size(), refused, doubts.size())
                .holds("no hidden request was executed", !requests.isExecuted("hidden"));
        requests.requireAlive(figures);
    }

    private static Map<String, String> brokenBodies(String first) {
        Map<String, String> bodies = new LinkedHashMap<>();
        String size = Integer.toHexString(first.length());
        String end = "0\r\n\r\n";
        bodies.put("a line feed alone behind the size", size + "\n" + first + "\r\n" + end);
        bodies.put("a carriage return alone behind the size", size + "\r" + first + "\r\n" + end);
        bodies.put("a line feed alone behind the data", size + "\r\n" + first + "\n" + end);
        bodies.put("nothing behind the data", size + "\r\n" + first + end);
        bodies.put("more data than the size", Integer.toHexString(first.length() - 1) + "\r\n" + first + "\r\n" + end);
        bodies.put("less data than the size", Integer.toHexString(first.length() + 1) + "\r\n" + first + "\r\n" + end);
        bodies.put("a NUL in an extension", size + ";a=\0\r\n" + first + "\r\n" + end);
        bodies.put("a line break in a quoted extension", size + ";a=\"\r\n\"\r\n" + first + "\r\n" + end);
        bodies.put("a line feed in an extension", size + ";a\n\r\n" + first + "\r\n" + end);
        bodies.put("an extension without its value", size + ";a=\r\n" + first + "\r\n" + end);
        bodies.put("text behind a quoted extension", size + ";a=\"b\"c\r\n" + first + "\r\n" + end);
        bodies.put("an extension of 64 KiB", size + ";a=" + "b".repeat(65_536) + "\r\n" + first + "\r\n" + end);
        for (int digits : new int[] {9, 16, 17, 100}) {
            bodies.put("a size of " + digits + " digits", "f".repeat(digits) + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("a size beyond 32 bits", "1000000" + "0".repeat(2) + size + "\r\n" + first + "\r\n" + end);
        for (String prefix : List.of("0x", "-", "+", " ", "\t", "_")) {
            bodies.put("a size behind " + shown(prefix), prefix + size + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("no size", "\r\n" + first + "\r\n" + end);
        bodies.put("a size that is no number", "g\r\n" + first + "\r\n" + end);
        bodies.put("two sizes", size + " " + size + "\r\n" + first + "\r\n" + end);
        bodies.put("a trailer without a colon", size + "\r\n" + first + "\r\n0\r\nX\r\n\r\n");
        bodies.put("a trailer with a blank before its colon", size + "\r\n" + first + "\r\n0\r\nX : y\r\n\r\n");
        bodies.put("a folded trailer", size + "\r\n" + first + "\r\n0\r\nX: y\r\n z\r\n\r\n");
        bodies.put("trailers without an end", size + "\r\n" + first + "\r\n0\r\n" + "X: y\r\n".repeat(2_000) + "\r\n");
        return bodies;
    }

    private static void brokenChunks(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String first = RawRequests.form("first");
        String hidden = RawRequests.post("hidden", "");
        Map<String, String> bodies = brokenBodies(first);
        int refused = 0;
        for (Map.Entry<String, String> body : bodies.entrySet()) {
            Exchange exchange = requests.send(RawRequests.head(CHUNKED) + body.getValue() + hidden);
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
            Exchange exchange = requests.send(RawRequests.head(CHUNKED) + RawRequests.chunk(first) + "0\r\n" + trailer
                    + "\r\n\r\n" + RawRequests.post("behind", RawRequests.CLOSE));
            figures.holds(
                    "trailer " + trailer + ": refused or dropped",
                    exchange.isRefusedBy(400) || RawRequests.isRight(exchange, "first", "behind"));
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
                    Exchange exchange = requests.send(RawRequests.head(RawRequests.CLOSE + CHUNKED) + chunks + "000"
                            + extension + "\r\n" + trailers + "\r\n");
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
