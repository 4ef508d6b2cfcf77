package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Exchange;
import io.dubbomesh.chaos.site.Site;

import java.math.BigInteger;
import java.util.ArrayList;
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
    private static final List<String> CODINGS_IN_DOUBT = List.of(
            "chunked, identity",
            "chunked,identity",
            "identity",
            "identity, chunked",
            "xchunked",
            "chunkedx",
            "chunked, xchunked",
            "xchunked, chunked",
            "chunked, chunked",
            "chunked chunked",
            "chunked identity",
            "chunked, gzip",
            "gzip",
            "gzip, chunked",
            "chunked, gzip, chunked",
            "trailers",
            "chunked;q=1",
            "chunked;",
            "chunked; a",
            "chunked/",
            "chunked=1",
            "chunk",
            "chun ked",
            "chun\tked",
            "\u000bchunked",
            "chunked\u000b",
            "\u000cchunked",
            "chunked\0",
            "\0chunked",
            "chun\0ked",
            "chunked\u007f",
            "\u00a0chunked",
            "chunked\u00a0",
            "chun\u00e7ked",
            "\"chunked\"",
            "'chunked'",
            "(chunked)",
            "",
            "\t",
            ",",
            ", chunked, identity");
    /** That no name of a field may have: 0 to 31, and DEL. */
    private static final char[] CONTROLS = controls();

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
        doubts.put("Content-Length twice, once with a zero in front", right + "Content-Length: 0" + length + "\r\n");
        doubts.put("Content-Length three times", right.repeat(3));
        for (String value : lengthsInDoubt(length)) {
            doubts.put("Content-Length: " + shown(value), "Content-Length: " + value + "\r\n");
        }
        doubts.put("a blank before the colon", "Content-Length : " + length + "\r\n");
        doubts.put("a tab before the colon", "Content-Length\t: " + length + "\r\n");
        doubts.put("a folded line", "Content-Length:\r\n " + length + "\r\n");
        doubts.put("a control character in the name", "Content-Length\u0001: " + length + "\r\n");
        for (String name : List.of("Content-Length", "Transfer-Encoding")) {
            for (int at : new int[] {0, name.length() / 2, name.length()}) {
                for (char control : CONTROLS) {
                    String broken = name.substring(0, at) + control + name.substring(at);
                    // A length of its own, so that it is clear where the body ends if the field is taken for another
                    // one.
                    String value = name.equals("Content-Length") ? ": 0\r\n" : ": chunked\r\n";
                    doubts.put("byte %d at %d of %s".formatted((int) control, at, name), broken + value + right);
                }
            }
        }
        doubts.put("a line feed alone", "Content-Length: " + length + "\n");
        doubts.put("a line feed alone behind Transfer-Encoding", "Transfer-Encoding: chunked\n" + right);
        doubts.put("a line feed alone in front of its value", "Transfer-Encoding:\nchunked\r\n");
        doubts.put("a carriage return alone in front of its value", "Transfer-Encoding:\rchunked\r\n");
        doubts.put("a carriage return alone behind its value", "Transfer-Encoding: chunked\rX: y\r\n");
        doubts.put("two carriage returns behind its value", "Transfer-Encoding: chunked\r\r\n");
        doubts.put("a carriage return alone", "X: a\rContent-Length: 0\r\n" + right);
        doubts.put("a NUL in a value", "X: a\0\r\n" + right);
        doubts.put("a field without a colon", "Content-Length\r\n" + right);
        for (String value : CODINGS_IN_DOUBT) {
            String coding = "Transfer-Encoding: " + value + "\r\n";
            doubts.put("Transfer-Encoding: " + shown(value), coding);
            doubts.put("Transfer-Encoding: " + shown(value) + " and a length", coding + right);
        }
        doubts.put("Transfer-Encoding twice", CHUNKED + CHUNKED);
        doubts.put("Transfer-Encoding twice, the other identity", CHUNKED + "Transfer-Encoding: identity\r\n");
        doubts.put("Transfer-Encoding twice, the first identity", "Transfer-Encoding: identity\r\n" + CHUNKED);
        doubts.put("Transfer-Encoding twice, the other unknown", CHUNKED + "Transfer-Encoding: cow\r\n");
        doubts.put("Transfer-Encoding in a folded line", "Transfer-Encoding:\r\n chunked\r\n");
        doubts.put("the same, folded by a tab", "Transfer-Encoding:\r\n\tchunked\r\n");
        doubts.put("a folded list", "Transfer-Encoding: chunked,\r\n identity\r\n");
        doubts.put("a coding in two lines", "Transfer-Encoding: chun\r\n ked\r\n");
        doubts.put("a folded line behind chunked", CHUNKED + " , identity\r\n");
        doubts.put("a folded line behind chunked, and a length", right + CHUNKED + " identity\r\n");
        doubts.put("a blank before its colon", "Transfer-Encoding : chunked\r\n");
        doubts.put("a tab before its colon", "Transfer-Encoding\t: chunked\r\n");
        doubts.put("a blank before its colon, and a length", "Transfer-Encoding : chunked\r\n" + right);
        doubts.put("another blank before its name", " Transfer-Encoding: chunked\r\n");
        doubts.put("a blank in its name", "Transfer Encoding: chunked\r\n" + right);
        doubts.put("no name", ": chunked\r\n" + right);
        return doubts;
    }

    /** What is no length, or one of a body that is too large. */
    private static List<String> lengthsInDoubt(int length) {
        List<String> values = new ArrayList<>(List.of(
                length + ", " + length,
                length + "," + length,
                length + ", 0",
                "0, " + length,
                length + ",",
                "," + length,
                length + ",," + length,
                "+" + length,
                "+0",
                "-0",
                "-1",
                "-" + length,
                "- " + length,
                "0x" + Integer.toHexString(length),
                "0X" + length,
                "x" + length,
                "a",
                length + "h",
                "0o" + length,
                "1e2",
                length + "_0",
                length + " 0",
                length + "\t0",
                length + ".0",
                length + ";",
                length + ";a=b",
                "\"" + length + "\"",
                "'" + length + "'",
                "(" + length + ")",
                "\0" + length,
                length + "\0",
                "\u000b" + length,
                length + "\u000c",
                "\u00a0" + length,
                length + "\u00b2",
                length + "\u007f",
                "",
                "\t",
                "2147483648",
                "4294967296",
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551616",
                "1" + "0".repeat(99),
                "\u0660"));
        // Whose lower 32 or 64 bits are the length.
        values.add(Long.toString((1L << 32) + length));
        values.add(BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(length)).toString());
        return values;
    }

    private static char[] controls() {
        char[] controls = new char[' ' + 1];
        for (char i = 0; i < ' '; i++) {
            controls[i] = i;
        }
        controls[' '] = 0x7f;
        return controls;
    }

    private static String shown(String value) {
        StringBuilder shown = new StringBuilder();
        for (char each : value.toCharArray()) {
            shown.append(each >= ' ' && each <= '~' ? Character.toString(each) : "<%02x>".formatted((int) each));
        }
        return shown.length() > 60 ? value.length() + " characters" : shown.toString();
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
        String right = "Content-Length: " + first.length() + "\r\n";
        for (String fields : List.of(
                CHUNKED,
                right + CHUNKED,
                CHUNKED + right,
                "Content-Length: 0\r\n" + CHUNKED,
                CHUNKED + "Connection: keep-alive\r\n")) {
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
                    "refused or right: " + shown(fields.strip()),
                    exchange.isRefusedBy(400, 413, 501) || RawRequests.isRight(exchange, "first", "behind"));
        }
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
        bodies.put("a line feed behind an extension", size + ";a\n" + first + "\r\n" + end);
        bodies.put("a carriage return in an extension", size + ";a\rb\r\n" + first + "\r\n" + end);
        bodies.put("a carriage return in front of an extension", size + "\r;a\r\n" + first + "\r\n" + end);
        bodies.put("DEL in an extension", size + ";a=\u007f\r\n" + first + "\r\n" + end);
        bodies.put("byte 1 in an extension", size + ";\u0001\r\n" + first + "\r\n" + end);
        bodies.put("a line feed in a quoted extension", size + ";a=\"\n\"\r\n" + first + "\r\n" + end);
        bodies.put("an escaped line break in a quoted extension", size + ";a=\"\\\r\n\"\r\n" + first + "\r\n" + end);
        bodies.put("a quoted extension without its end", size + ";a=\"\r\n" + first + "\r\n" + end);
        bodies.put("an extension without its value", size + ";a=\r\n" + first + "\r\n" + end);
        bodies.put("text behind a quoted extension", size + ";a=\"b\"c\r\n" + first + "\r\n" + end);
        bodies.put("an extension of 64 KiB", size + ";a=" + "b".repeat(65_536) + "\r\n" + first + "\r\n" + end);
        for (int digits : new int[] {9, 16, 17, 100}) {
            bodies.put("a size of " + digits + " digits", "f".repeat(digits) + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("a size beyond 32 bits", "1000000" + "0".repeat(2) + size + "\r\n" + first + "\r\n" + end);
        for (int digits : new int[] {9, 16, 17, 100}) {
            String zeros = "0".repeat(digits - 1 - size.length());
            bodies.put("a 1 in front of " + digits, "1" + zeros + size + "\r\n" + first + "\r\n" + end);
            bodies.put("an 8 in front of " + digits, "8" + zeros + size + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("a size of 2^31", "80000000\r\n" + first + "\r\n" + end);
        bodies.put("a size of 2^31-1", "7fffffff\r\n" + first + "\r\n" + end);
        bodies.put("a size of 2^63-1", "7fffffffffffffff\r\n" + first + "\r\n" + end);
        for (String prefix : List.of("0x", "-", "+", " ", "\t", "_")) {
            bodies.put("a size behind " + shown(prefix), prefix + size + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("no size", "\r\n" + first + "\r\n" + end);
        bodies.put("a size that is no number", "g\r\n" + first + "\r\n" + end);
        bodies.put("two sizes", size + " " + size + "\r\n" + first + "\r\n" + end);
        bodies.put("a carriage return alone behind the data", size + "\r\n" + first + "\r" + end);
        bodies.put("two line breaks behind the data", size + "\r\n" + first + "\r\n\r\n" + end);
        bodies.put("a line feed alone behind the last size", size + "\r\n" + first + "\r\n0\n\r\n");
        bodies.put("a line feed alone as the end", size + "\r\n" + first + "\r\n0\r\n\n");
        bodies.put("no empty line at the end", size + "\r\n" + first + "\r\n0\r\n");
        bodies.put("a line feed alone behind a trailer", size + "\r\n" + first + "\r\n0\r\nX: y\n\r\n");
        bodies.put("a NUL in a trailer", size + "\r\n" + first + "\r\n0\r\nX: \0\r\n\r\n");
        bodies.put("a control character in a trailer's name", size + "\r\n" + first + "\r\n0\r\nX\u0001: y\r\n\r\n");
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
        // Such a size is right, and a bound of its digits is allowed.
        String size = Integer.toHexString(first.length());
        for (int digits : new int[] {9, 16, 17, 100}) {
            String zeros = "0".repeat(digits - size.length());
            for (String body : List.of(
                    zeros + size + "\r\n" + first + "\r\n0\r\n\r\n",
                    size + "\r\n" + first + "\r\n" + "0".repeat(digits) + "\r\n\r\n")) {
                Exchange exchange =
                        requests.send(RawRequests.head(CHUNKED) + body + RawRequests.post("behind", RawRequests.CLOSE));
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
