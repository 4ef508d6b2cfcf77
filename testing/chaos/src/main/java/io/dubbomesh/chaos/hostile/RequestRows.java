package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.load.Exchange;
import io.dubbomesh.chaos.load.Pipeline;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Peak;
import io.dubbomesh.chaos.row.RawRequests;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.HttpSocket;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Requests that are too large, have odd fields, or are none. */
public final class RequestRows {
    private static final int SEED = 20_180_601;
    private static final int LINE = 4096;
    private static final int HEAD = 8192;
    private static final int MIB = 1 << 20;
    private static final int AT_ONCE = 8;
    private static final int FIELDS = 100_000;
    private static final int TEXTS = 1_000_000;
    private static final int FEWEST_TEXTS = 20_000;
    private static final int TEXTS_SECONDS = 60;
    private static final int IN_ONE_WRITE = 50;
    /** With as many calls in flight as the provider agent sends on at once. */
    private static final int CONNECTIONS = 3;

    private static final int MAX_CHARS = 64;

    private RequestRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                        "H6",
                        "a request line of 4 KiB, a head of 8 KiB, 64 fields, bodies of 1 MiB by length and in chunks, each also with one more; 8 bodies at once",
                        "served, and 414, 431, 431, 413 before the body comes; memory at most 4 MiB up for each body",
                        RequestRows::tooLarge),
                Row.of(
                                "H7",
                                "a million random texts, or as many as a minute allows, as parameters of forms, in UTF-8 by percent-encoding; escapes that are none",
                                "the hash that Java has of them; 400 for what is malformed",
                                RequestRows::texts)
                        .within(240),
                Row.of(
                        "H8",
                        "forms with missing, repeated and 100,000 unknown fields, and with names of the same hash",
                        "400 or 413, below 10 ms of CPU each",
                        RequestRows::fields),
                Row.of(
                        "H9",
                        "Expect: 100-continue with a body that waits, that comes at once, that is too long; another Expect",
                        "100 and 200; 413, 417 without waiting for a body",
                        RequestRows::expectations),
                Row.of(
                        "H10",
                        "other methods, targets, versions and protocols than the agent's",
                        "400, 404, 405, 501 or 505, and the end where it is open where the request ends",
                        RequestRows::strangeRequests));
    }

    private static void tooLarge(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        int target = LINE - "POST /? HTTP/1.1".length();
        String line = RawRequests.post("line", RawRequests.CLOSE).replaceFirst("/", "/?" + "a".repeat(target));
        figures.holds("line of 4,096: served", RawRequests.isRight(requests.send(line), "line"))
                .holds(
                        "4,097: 414",
                        requests.send(line.replaceFirst("\\?", "?a")).isRefusedBy(414));
        String head = RawRequests.post("head", RawRequests.CLOSE + "X: \r\n");
        int more = HEAD - (head.indexOf("\r\n\r\n") + 4 - (head.indexOf("\r\n") + 2));
        head = head.replaceFirst("X: ", "X: " + "a".repeat(more));
        figures.holds("head of 8,192: served", RawRequests.isRight(requests.send(head), "head"))
                .holds(
                        "8,193: 431",
                        requests.send(head.replaceFirst("X: ", "X: a")).isRefusedBy(431));
        // With Host, Content-Type, Connection and Content-Length.
        String fields = RawRequests.post("fields", RawRequests.CLOSE + "X: y\r\n".repeat(60));
        figures.holds("64 fields: served", RawRequests.isRight(requests.send(fields), "fields"))
                .holds(
                        "65: 431",
                        requests.send(fields.replaceFirst("X: y", "X: y\r\nX: y"))
                                .isRefusedBy(431));
        String large = "x".repeat(MIB - RawRequests.form("").length());
        figures.holds(
                        "body of 1 MiB by its length: served",
                        RawRequests.isRight(requests.send(RawRequests.post(large, RawRequests.CLOSE)), large))
                .holds(
                        "one more byte, before it is sent: 413",
                        requests.send(RawRequests.head("Content-Length: " + (MIB + 1) + "\r\n"))
                                .isRefusedBy(413));
        String start = RawRequests.head(RawRequests.CLOSE + "Transfer-Encoding: chunked\r\n");
        StringBuilder chunks = new StringBuilder(start);
        String body = RawRequests.form(large);
        for (int i = 0; i < 4; i++) {
            chunks.append(RawRequests.chunk(body.substring(i * MIB / 4, (i + 1) * MIB / 4)));
        }
        figures.holds(
                        "body of 1 MiB in chunks: served",
                        RawRequests.isRight(requests.send(chunks + "0\r\n\r\n"), large))
                .holds(
                        "one more byte: 413",
                        requests.send(chunks + "1\r\nx\r\n0\r\n\r\n").isRefusedBy(413));
        Part consumer = requests.consumer();
        String whole = RawRequests.post(large, RawRequests.CLOSE);
        for (int i = 0; i < AT_ONCE; i++) {
            // What the first ones load is no matter.
            requests.send(whole);
        }
        double before = consumer.rssMib();
        List<HttpSocket> sockets = new ArrayList<>();
        double most = Peak.of(consumer).during(() -> {
            for (int i = 0; i < AT_ONCE; i++) {
                HttpSocket socket = site.closed(new HttpSocket(consumer.port()));
                sockets.add(socket);
                socket.send(whole.substring(0, whole.length() - 1));
            }
            for (HttpSocket socket : sockets) {
                socket.send("x");
            }
            int right = 0;
            for (HttpSocket socket : sockets) {
                right += socket.answer().status() == 200 ? 1 : 0;
            }
            figures.equal("bodies of 1 MiB answered", right, AT_ONCE);
        });
        figures.atMost("MiB more for each of them", Math.max(0, most - before) / AT_ONCE, 4);
        requests.requireAlive(figures);
    }

    private static void texts(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        int count = site.times(TEXTS);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(site.seconds(TEXTS_SECONDS));
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        ExecutorService clients = Executors.newFixedThreadPool(CONNECTIONS);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Random random = new Random(SEED + i);
            ends.add(clients.submit(() -> {
                try (Pipeline connection = new Pipeline(requests.consumer().address())) {
                    while (sent.get() < count && System.nanoTime() - endNs < 0) {
                        wrong.addAndGet(wrongAnswers(connection, random));
                        sent.addAndGet(IN_ONE_WRITE);
                    }
                }
                return null;
            }));
        }
        clients.shutdown();
        for (Future<?> end : ends) {
            end.get();
        }
        figures.none("wrong of " + sent + " texts", wrong.get())
                .atLeast("thousands of texts", sent.get() / 1e3, site.times(FEWEST_TEXTS) / 1e3);
        for (String value : List.of("", "a", "+", "%2B", "%00", "a%00b", "x".repeat(65_536), "%F0%9F%98%80")) {
            String text = URLDecoder.decode(value, UTF_8);
            Exchange exchange = requests.send(RawRequests.post(value, RawRequests.CLOSE));
            figures.holds("right: " + shown(value), RawRequests.isRight(exchange, text));
        }
        for (String value : List.of(
                "%",
                "%4", "a%", "%zz", "%4g", "%%41", "%u0041", "%C0%80", "%ED%A0%80", "%F5%80%80%80", "%80", "%E4%B8")) {
            Exchange exchange = requests.send(RawRequests.post(value, RawRequests.CLOSE));
            figures.holds(shown(value) + ": 400", exchange.isRefusedBy(400));
        }
        requests.requireAlive(figures);
    }

    private static int wrongAnswers(Pipeline connection, Random random) throws IOException {
        List<String> expected = new ArrayList<>();
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < IN_ONE_WRITE; i++) {
            String text = text(random);
            expected.add(Integer.toString(text.hashCode()));
            requests.add(RawRequests.post(encoded(text, random), ""));
        }
        List<String> answers = connection.call(requests);
        int wrong = 0;
        for (int i = 0; i < IN_ONE_WRITE; i++) {
            wrong += answers.get(i).equals(expected.get(i)) ? 0 : 1;
        }
        return wrong;
    }

    private static String shown(String value) {
        return value.isEmpty() ? "nothing" : value.length() > 20 ? value.length() + " characters" : value;
    }

    /** Returns a text of characters of one to four bytes. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(MAX_CHARS); length > 0; length--) {
            int bits = new int[] {7, 7, 11, 16, 20}[random.nextInt(5)];
            int point = random.nextInt(1 << bits);
            text.appendCodePoint(
                    point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
                            ? Character.MIN_SURROGATE - 1
                            : point);
        }
        return text.toString();
    }

    /** Returns the text as a form has it, with some bytes escaped that need not be. */
    private static String encoded(String text, Random random) {
        String encoded = URLEncoder.encode(text, UTF_8);
        return random.nextBoolean() ? encoded : encoded.replace("a", "%61").replace("+", "%20");
    }

    private static void fields(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String good = RawRequests.form("x");
        Map<String, String> forms = new LinkedHashMap<>();
        forms.put("nothing", "");
        forms.put("no method", good.replaceFirst("&method=hash", ""));
        forms.put("no interface", good.replaceFirst("interface=[^&]*&", ""));
        forms.put("the method twice", good + "&method=hash");
        forms.put("100,000 fields without a name", "&".repeat(FIELDS) + good);
        forms.put("100,000 unknown fields", "a=&".repeat(FIELDS) + good);
        forms.put("a name of 1 MB", "n".repeat(1_000_000));
        StringBuilder colliding = new StringBuilder();
        for (int i = 0; i < 1 << 12; i++) {
            for (int bit = 0; bit < 12; bit++) {
                colliding.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            colliding.append("=&");
        }
        forms.put("4,096 names of one hash", colliding + good);
        for (Map.Entry<String, String> form : forms.entrySet()) {
            String body = form.getValue();
            String request = RawRequests.head(RawRequests.CLOSE + "Content-Length: " + body.length() + "\r\n") + body;
            int times = 20;
            double before = requests.consumer().cpuSeconds();
            int refused = 0;
            for (int i = 0; i < times; i++) {
                refused += requests.send(request).isRefusedBy(400, 413) ? 1 : 0;
            }
            double ms = (requests.consumer().cpuSeconds() - before) * 1000 / times;
            figures.equal(form.getKey() + ": refused", refused, times).atMost("ms of CPU for " + form.getKey(), ms, 10);
        }
        requests.requireAlive(figures);
    }

    private static void expectations(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String body = RawRequests.form("expected");
        String expects = RawRequests.CLOSE + "Expect: 100-continue\r\n";
        String head = RawRequests.head(expects + "Content-Length: " + body.length() + "\r\n");
        try (HttpSocket waiting = new HttpSocket(requests.consumer().port())) {
            figures.equal("the body waits", waiting.call(head).status(), 100);
            figures.equal("then it comes", waiting.call(body).status(), 200);
            waiting.assertEnd();
        }
        figures.holds("it comes at once", RawRequests.isRight(requests.send(head + body), "expected"));
        figures.holds(
                "it is too long: 413",
                requests.send(RawRequests.head(expects + "Content-Length: " + (MIB + 1) + "\r\n"))
                        .isRefusedBy(413));
        figures.holds(
                "its length is none: 400",
                requests.send(RawRequests.head(expects + "Content-Length: x\r\n"))
                        .isRefusedBy(400));
        figures.holds(
                "another Expect: 417",
                requests.send(head.replace("100-continue", "200-ok")).isRefusedBy(417));
        figures.holds(
                "no such path: 404 before the body",
                requests.send(head.replace("POST / ", "POST /a/b/c ")).isRefusedBy(404));
        requests.requireAlive(figures);
    }

    private static void strangeRequests(Site site, Figures figures) throws Exception {
        RawRequests requests = RawRequests.at(site);
        String rest = " HTTP/1.1\r\nHost: mesh\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        for (String line : List.of(
                "OPTIONS /",
                "OPTIONS *",
                "TRACE /",
                "PUT /",
                "DELETE /",
                "post /",
                "CONNECT a:443",
                "BREW /",
                "POST /a/b/c")) {
            Exchange exchange = requests.send(line + rest);
            figures.holds(line + ": " + exchange.statuses(), exchange.isRefusedBy(400, 404, 405, 501));
        }
        try (HttpSocket socket = new HttpSocket(requests.consumer().port())) {
            int status = socket.send("HEAD /" + rest).answerHead().status();
            socket.assertEnd();
            figures.equal("HEAD", status, 200);
        }
        String absolute = RawRequests.post("absolute", RawRequests.CLOSE).replaceFirst("POST /", "POST http://mesh/");
        figures.holds(
                "a target with scheme and host is served", RawRequests.isRight(requests.send(absolute), "absolute"));
        Map<String, String> others = new LinkedHashMap<>();
        others.put("HTTP/0.9", "GET /\r\n");
        others.put("HTTP/3.0", "GET / HTTP/3.0\r\nHost: mesh\r\n\r\n");
        others.put("TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003" + "\u0000".repeat(500));
        others.put("NUL in front", "\0POST / HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("byte 1 in front", "\u0001POST / HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("DEL in front", "\u007fPOST / HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("two empty lines in front", "\r\n\r\nPOST / HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("a line feed in front", "\nPOST / HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("a line feed alone behind the line", "POST / HTTP/1.1\nHost: mesh\r\n\r\n");
        others.put("a carriage return alone behind the line", "POST / HTTP/1.1\rHost: mesh\r\n\r\n");
        others.put("two blanks in the line", "POST  / HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("a tab in the line", "POST\t/ HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("a blank behind the line", "POST / HTTP/1.1 \r\nHost: mesh\r\n\r\n");
        others.put("a blank in the target", "POST /a b HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("http/1.1", "POST / http/1.1\r\nHost: mesh\r\n\r\n");
        others.put("HTTP/1.01", "POST / HTTP/1.01\r\nHost: mesh\r\n\r\n");
        others.put("a blank before the first field", "POST / HTTP/1.1\r\n Host: mesh\r\n\r\n");
        others.put("a blank in front", " POST / HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("a NUL in the target", "POST /a\0 HTTP/1.1\r\nHost: mesh\r\n\r\n");
        others.put("no Host", "POST / HTTP/1.1\r\n\r\n");
        others.put("two Hosts", "POST / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
        others.put("a Host that is none", "POST / HTTP/1.1\r\nHost: a/b\r\n\r\n");
        byte[] noise = new byte[4096];
        new Random(SEED).nextBytes(noise);
        others.put("noise", new String(noise, ISO_8859_1));
        for (Map.Entry<String, String> other : others.entrySet()) {
            Exchange exchange = requests.send(other.getValue());
            figures.holds(other.getKey() + ": " + exchange.statuses(), exchange.isRefusedBy(400, 405, 501, 505));
        }
        requests.requireAlive(figures);
    }
}
