package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpAnswer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Providers whose answers are whole frames with values that are meant to harm. */
final class HostileValueRows {
    private static final int DEEP = 10_000;
    private static final String INT_MAX = "49 7fffffff";
    private static final String BIG_INTEGER = "43 14 'java.math.BigInteger' 92 06'signum' 03'mag'";
    private static final String[] DENIED = {
        "com.sun.rowset.JdbcRowSetImpl",
        "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
        "javax.swing.UIDefaults$ProxyLazyValue",
        "javax.script.ScriptEngineManager",
        "javax.naming.ldap.Rdn$RdnEntry",
        "javax.management.BadAttributeValueExpException",
        "java.rmi.server.UnicastRemoteObject",
        "sun.print.UnixPrintService",
        "java.beans.EventHandler"
    };

    private static final String[] HARMLESS = {"com.example.NotThere"};

    /**
     * What an agent may load while it reads a value, whatever the value is. Many of the names that values bear are the JDK's; its packages with things
     * that do something when they are made are not among these.
     */
    private static final List<String> EXPECTED_CLASSES = List.of(
            "java.io.",
            "java.lang.",
            "java.math.",
            "java.net.",
            "java.nio.",
            "java.security.",
            "java.text.",
            "java.time.",
            "java.util.",
            "jdk.internal.",
            "sun.net.",
            "sun.nio.",
            "sun.security.",
            "sun.util.",
            "jdk.proxy",
            "io.dubbomesh.",
            "io.netty.",
            "org.slf4j.",
            "ch.qos.logback.",
            // The client of etcd keeps the lease meanwhile.
            "io.etcd.jetcd.",
            "io.grpc.",
            "io.vertx.core.",
            "dev.failsafe.",
            "com.google.common.",
            "com.google.protobuf.");

    /** {@code [1.234s][info][class,load] java.lang.Object source: jrt:/java.base} */
    private static final Pattern LOADED = Pattern.compile("(?m)([^ \\]]+) source: ");

    private static final int LARGE_AT_ONCE = 16;
    private static final int SMALL_AT_ONCE = 60;
    /** The most that a number may have, of 32 bits each. */
    private static final int MAX_WORDS = 1_024;
    /** Of an exception, and how many exceptions may be causes in each other. */
    private static final int MAX_FIELDS = 64;

    private static final int MAX_CAUSES = 16;
    private static final int MAX_NAMES = 5;

    private static final int OK = 200;
    private static final int THROWN = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int SERVICE_ERROR = 70;
    private static final int MAX_LINE = 2048;
    private static final String EXCEPTION = "x-dubbo-exception";
    private static final String FORGED = "lost\r\nSet-Cookie: forged=1\r\n\r\n2001-01-01 ERROR Forged\n\u001b[2J";

    private HostileValueRows() {}

    static List<Row> rows() {
        return List.of(
                Row.of(
                        "P4",
                        "a provider answers with Hessian that names classes, nests 10,000 levels, declares 2^31-1 elements, long texts,"
                                + " references that grow or lead nowhere, maps with objects as keys, each tag, millions of values that are"
                                + " costly to write, values of a few KiB that take long for their length, lists of large numbers, 16 at"
                                + " once, and one large number, 60 at once",
                        "200 where it is a value, 500 where it is an exception, else 502; no class loaded but the agent's own, Netty's and"
                                + " those of the JDK's base that are not named; no error of the stack or the"
                                + " heap; the event loop held up for at most 50 ms; memory at most 32 MiB up; calls of a good provider right",
                        HostileValueRows::values),
                Row.of(
                        "P5",
                        "a provider throws: checked, unchecked, with CR and LF or 1 MB in message and class name, with a cause that is"
                                + " itself; returns null, a text for a number, attachments with lines; fails with 1 MB of text",
                        "500 with X-Dubbo-Exception, 502, or 200 for values; no message in a header; no line of a log forged or longer than"
                                + " 2,048 characters",
                        HostileValueRows::exceptions));
    }

    private static String object(String className, String field, String value) {
        return "'C'" + DubboFrame.text(className) + "91" + DubboFrame.text(field) + "60" + value;
    }

    private static List<String> naming(String[] classNames) {
        List<String> bodies = new ArrayList<>();
        for (String name : classNames) {
            String text = DubboFrame.text(name);
            bodies.add("91" + object(name, "dataSourceName", DubboFrame.text("ldap://127.0.0.1/x")));
            bodies.add("91 'M'" + text + "01'a' 91 'Z'");
            bodies.add("91 'V'" + text + "91" + object(name, "value", "4e"));
            bodies.add("91 'V'" + DubboFrame.text("[" + name) + "91 4e");
            bodies.add("91 'H'" + object(name, "value", "4e") + "91 'Z'");
            bodies.add("91" + object("java.lang.Class", "name", text));
            bodies.add("91 'M'" + DubboFrame.text("java.util.HashMap") + DubboFrame.text("@type") + text + "'Z'");
            bodies.add("90" + object(name, "detailMessage", DubboFrame.text("x")));
            bodies.add("90" + object("java.lang.Exception", "cause", "'C'" + text + "90 61"));
            bodies.add("95 'H' 01'a'" + object(name, "value", "4e") + "'Z'");
        }
        return bodies;
    }

    private static List<String> excessive() {
        List<String> bodies = new ArrayList<>();
        for (String level : List.of("79", "'W'", "71 01'a'", "'H' 01'a'", "'H'", "'M' 01'a' 01'a'", "'C' 01'A' 90")) {
            String nested = Hex.of(Hex.bytes(level)).repeat(DEEP);
            bodies.add("91" + nested);
            bodies.add("91" + nested + "90" + "5a".repeat(DEEP));
            bodies.add("95 'H' 01'a'" + nested);
        }
        bodies.add("91 'C' 01'A' 91 01'x'" + "60".repeat(DEEP));
        bodies.add("90 'C' 01'A' 91 05'cause'" + "60".repeat(DEEP));
        for (String length : List.of(INT_MAX, "49 80000000", "49 ffffffff")) {
            for (String kind : List.of("'X'", "'V' 01't'", "71", "'C' 01'A'", "'O'", "'Q'")) {
                bodies.add("91" + kind + length);
                bodies.add("90" + kind + length);
            }
        }
        for (String chunk : List.of("'R' ffff", "'S' ffff", "'A' ffff", "'B' ffff", "33ff", "37ff")) {
            bodies.add("91" + chunk);
            bodies.add("91" + chunk + "78".repeat(60_000));
        }
        String chunk = "52 ffff" + "78".repeat(0xffff);
        bodies.add("91" + chunk.repeat(100));
        bodies.add("91" + chunk.repeat(16) + "00");
        bodies.add("91" + "410000".repeat(100_000) + "20");
        bodies.add("91" + doubling(30));
        bodies.add("91" + doubling(1_000));
        bodies.add("91 79 'Q' 90");
        bodies.add("91 'H' 01'a' 'Q' 90 'Z'");
        bodies.add("91 79 'Q' 95");
        bodies.add("91 'H' 79 91 92 'H' 91 92 'Z' 93 'Z'");
        bodies.add("91 'H' 'C' 01'A' 91 01'x' 60 91 92 'Z'");
        return bodies;
    }

    /** The longest lists, or nearly, of what takes long to be read or written. */
    private static List<String> costly() {
        Random random = new Random(20261123);
        StringBuilder dates = new StringBuilder();
        StringBuilder doubles = new StringBuilder();
        for (int i = 0; i < 340_000; i++) {
            dates.append("4b").append(Hex.u32(i));
            doubles.append("44").append(Hex.u64(Double.doubleToLongBits(random.nextDouble())));
        }
        return List.of(
                "91" + list(4_000_000, "90".repeat(4_000_000)),
                "91" + list(340_000, dates.toString()),
                "91" + list(340_000, doubles.toString()),
                "91" + list(1_000_000, "48 91 91 5a".repeat(1_000_000)),
                "91 43 14 'java.math.BigDecimal' 91 05'value'" + list(2_000_000, "60 01 31".repeat(2_000_000)),
                "91" + list(60_000, ("43 01 61 90" + "4e").repeat(60_000)),
                largeNumbers());
    }

    /** A frame of each is short enough for the event loop to read it itself. */
    private static List<String> costlyForTheirLength() {
        String dates = list(500, "4b 00000000".repeat(500));
        return List.of(
                largeNumber(),
                // Maps in each other, written as objects until a key is no text and then as pairs: the dates 128 times.
                "91" + "48 01'a'".repeat(7) + dates + "91 91 5a".repeat(7),
                exceptionThatRefersTo(dates),
                exceptionThatRefersTo(list(2_000, "91".repeat(2_000))),
                exceptionThatRefersTo("60 91" + list(MAX_WORDS, "8f".repeat(MAX_WORDS))),
                fieldsThatCollide(),
                "91" + list(5_000, ("44" + Hex.u64(Double.doubleToLongBits(1.2345678e-300))).repeat(5_000)));
    }

    /** Of 9,865 decimal digits, in little more than 1 KiB. */
    private static String largeNumber() {
        return "91" + BIG_INTEGER + "60 91" + list(MAX_WORDS, "8f".repeat(MAX_WORDS));
    }

    /** The first field of each exception is the value, and all others refer to it. */
    private static String exceptionThatRefersTo(String value) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < MAX_FIELDS; i++) {
            names.append(DubboFrame.text("f" + i));
        }
        return "90" + BIG_INTEGER + "43 03'a.X' 49" + Hex.u32(MAX_FIELDS + 1) + names + "05'cause'" + "61" + value
                + "5191".repeat(MAX_FIELDS - 1) + ("61" + "5191".repeat(MAX_FIELDS)).repeat(MAX_CAUSES) + "4e";
    }

    /** Names of fields that differ and have the same hash in common tables. */
    private static String fieldsThatCollide() {
        int fields = 1_024;
        int letters = 90;
        StringBuilder hex = new StringBuilder("91");
        for (int i = 0; i < 4; i++) {
            hex.append("43 01'a' 49").append(Hex.u32(fields));
            for (int name = 0; name < fields; name++) {
                hex.append("04")
                        .append(Hex.text((char) ('!' + name / letters) + "x" + (char) ('!' + name % letters) + "y"));
            }
        }
        return hex + "4e";
    }

    /** Of 9,865 and of 2,467 decimal digits. */
    private static String largeNumbers() {
        int large = 12;
        int small = 51;
        StringBuilder numbers = new StringBuilder(BIG_INTEGER);
        for (int i = 0; i < large + small; i++) {
            int words = i < large ? MAX_WORDS : 256;
            numbers.append("60 91").append(list(words, "49 ffffffff".repeat(words)));
        }
        return "91" + list(large + small, numbers.toString());
    }

    private static String list(int length, String values) {
        return "58 49" + Hex.u32(length) + values;
    }

    /** Lists of two, the second of which refers to the first: so many levels make 2 to that power of values. */
    private static String doubling(int levels) {
        StringBuilder body = new StringBuilder("7a".repeat(levels)).append("7a9191");
        for (int i = levels; i > 0; i--) {
            body.append("51 49").append(Hex.u32(i));
        }
        return body.toString();
    }

    private static List<String> eachTag() {
        List<String> bodies = new ArrayList<>();
        Random random = new Random(20261123);
        byte[] tail = new byte[24];
        for (int tag = 0; tag < 256; tag++) {
            random.nextBytes(tail);
            bodies.add(Hex.u8(tag));
            bodies.add("91" + Hex.u8(tag));
            bodies.add("91" + Hex.u8(tag) + Hex.of(tail));
            bodies.add("90" + Hex.u8(tag) + Hex.of(tail));
        }
        return bodies;
    }

    private static void values(Site site, Figures figures) throws Exception {
        Path loads = site.directory().resolve("classes.log");
        Mesh mesh = Mesh.of(site, 1).start();
        HostileProvider hostile = HostileProvider.start(site, mesh, "-Xlog:class+load:file=" + loads);
        Part agent = hostile.agent();
        // Each way through the reader is walked once, so that what the agent loads for itself is loaded.
        Map<Integer, Integer> statuses = new TreeMap<>();
        List<String> others = new ArrayList<>(excessive());
        others.addAll(eachTag());
        others.addAll(costly());
        others.addAll(costlyForTheirLength());
        List<String> first = new ArrayList<>(naming(HARMLESS));
        first.addAll(others);
        PingDelay delay = site.closed(PingDelay.of(agent));
        meet(hostile, first, new TreeMap<>());
        List<String> denied = naming(DENIED);
        Load load = mesh.load(Workload.rate(50));
        double before = agent.rssMib();
        int loadedBefore = Files.readString(loads).length();
        delay.longestMs();
        double[] longestMs = new double[1];
        double most = Peak.of(agent).during(() -> {
            longestMs[0] = meet(hostile, denied, statuses);
            longestMs[0] = Math.max(longestMs[0], meet(hostile, others, statuses));
        });
        double heldUpMs = delay.longestMs();
        meetAtOnce(hostile, largeNumbers(), LARGE_AT_ONCE, statuses);
        double heldUpByListsMs = delay.longestMs();
        meetAtOnce(hostile, largeNumber(), SMALL_AT_ONCE, statuses);
        double heldUpByNumbersMs = delay.longestMs();
        Calls calls = load.stop();
        String loaded = Files.readString(loads);
        long named = 0;
        for (String name : DENIED) {
            named += NetworkRows.count(loaded, name);
        }
        Set<String> unexpected = unexpectedClasses(loaded.substring(loadedBefore));
        int answers = statuses.values().stream().mapToInt(count -> count).sum();
        int asWanted =
                statuses.getOrDefault(OK, 0) + statuses.getOrDefault(THROWN, 0) + statuses.getOrDefault(BAD_GATEWAY, 0);
        figures.note(answers + " answers: " + statuses)
                .equal("answers", answers, denied.size() + others.size() + LARGE_AT_ONCE + SMALL_AT_ONCE)
                .none("answered otherwise", answers - asWanted)
                .note("ms of the longest call %.1f".formatted(longestMs[0]))
                .atMost("ms that the event loop was held up", heldUpMs, 50)
                .atMost("by lists of large numbers, " + LARGE_AT_ONCE + " at once", heldUpByListsMs, 50)
                .atMost("by one large number, " + SMALL_AT_ONCE + " at once", heldUpByNumbersMs, 50)
                .none("classes loaded that are named", named)
                .none("others loaded meanwhile that were not expected" + names(unexpected), unexpected.size())
                .none(
                        "errors of the stack or the heap",
                        NetworkRows.count(agent.log(), "StackOverflowError")
                                + NetworkRows.count(agent.log(), "OutOfMemoryError"))
                .atMost("MiB more", most - before, 32)
                .nothingLost(calls, mesh.providers())
                .none("calls of the good provider failed", calls.failed().count())
                .atMost("s until a good answer of this provider", hostile.awaitGoodAnswer(), 5);
    }

    private static Set<String> unexpectedClasses(String log) {
        Set<String> names = new TreeSet<>();
        Matcher lines = LOADED.matcher(log);
        while (lines.find()) {
            String name = lines.group(1);
            if (EXPECTED_CLASSES.stream().noneMatch(name::startsWith)) {
                names.add(name);
            }
        }
        return names;
    }

    private static String names(Set<String> classes) {
        return classes.isEmpty()
                ? ""
                : classes.stream().limit(MAX_NAMES).toList().toString();
    }

    /** As many calls, all of which are answered when the last of them has come. */
    private static void meetAtOnce(HostileProvider hostile, String body, int count, Map<Integer, Integer> statuses)
            throws Exception {
        hostile.awaitGoodAnswer();
        List<String> frames = new ArrayList<>();
        hostile.answerWith((connection, id) -> {
            frames.add(DubboFrame.answer(id, DubboFrame.OK, body));
            if (frames.size() == count) {
                connection.send(String.join("", frames));
            }
        });
        ExecutorService clients = Executors.newFixedThreadPool(count);
        List<Future<HttpAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(clients.submit(() -> hostile.call("bad")));
        }
        clients.shutdown();
        for (Future<HttpAnswer> answer : answers) {
            statuses.merge(answer.get().status(), 1, Integer::sum);
        }
    }

    /** Returns how long the longest call took, in ms. An answer of 500 has to name the exception. */
    private static double meet(HostileProvider hostile, List<String> bodies, Map<Integer, Integer> statuses)
            throws Exception {
        double longestMs = 0;
        for (String body : bodies) {
            long startNs = System.nanoTime();
            HttpAnswer answer = hostile.callAnsweredWith(DubboFrame.OK, body);
            longestMs = Math.max(longestMs, (System.nanoTime() - startNs) / 1e6);
            boolean untagged = answer.status() == THROWN && answer.header(EXCEPTION) == null;
            statuses.merge(untagged ? -THROWN : answer.status(), 1, Integer::sum);
        }
        return longestMs;
    }

    private static String exception(String className, String message) {
        return "90" + object(className, "detailMessage", chunks(message));
    }

    /** A Hessian text of any length. */
    private static String chunks(String text) {
        int most = 0x8000;
        StringBuilder digits = new StringBuilder();
        int at = 0;
        while (text.length() - at > most) {
            digits.append("52").append(Hex.u16(most)).append(Hex.text(text.substring(at, at + most)));
            at += most;
        }
        return digits.append(DubboFrame.text(text.substring(at))).toString();
    }

    private static void exceptions(Site site, Figures figures) throws Exception {
        Path accessLog = site.directory().resolve("access.log");
        Mesh mesh = Mesh.of(site, 1).consumer("-Daccess.log=" + accessLog).start();
        HostileProvider hostile = HostileProvider.start(site, mesh);
        String large = FORGED + "x".repeat(1 << 20);
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put("unchecked", exception("java.lang.IllegalStateException", "broken"));
        bodies.put("checked", exception("com.example.OrderException", "no such order"));
        bodies.put("message with lines", exception("com.example.OrderException", FORGED));
        bodies.put("message of 1 MB", exception("com.example.OrderException", large));
        bodies.put("class with lines", exception("com.example.A" + FORGED.replace("forged", "class"), "x"));
        bodies.put("class of 60 KB", exception("com.example." + "A".repeat(60_000), "x"));
        bodies.put("cause that is itself", "90" + object("com.example.A", "cause", "51 90"));
        bodies.put("no object as exception", "90" + chunks(FORGED));
        Map<String, Integer> wanted = new LinkedHashMap<>();
        bodies.keySet().forEach(name -> wanted.put(name, THROWN));
        wanted.put("no object as exception", BAD_GATEWAY);
        bodies.put("null", "92");
        bodies.put("null as value", "91 4e");
        bodies.put("a text for a number", "91" + chunks(FORGED));
        bodies.put(
                "attachments with lines", "94 91 'H'" + chunks("k" + FORGED) + "01'v' 01'k'" + chunks(FORGED) + "'Z'");
        for (String name : List.of("null", "null as value", "a text for a number", "attachments with lines")) {
            wanted.put(name, OK);
        }
        int theirHeaders = 0;
        int untagged = 0;
        for (Map.Entry<String, String> body : bodies.entrySet()) {
            HttpAnswer answer = hostile.callAnsweredWith(DubboFrame.OK, body.getValue());
            figures.equal(body.getKey() + " becomes", answer.status(), wanted.get(body.getKey()));
            theirHeaders += headersWithMessage(answer);
            untagged += answer.status() == THROWN && answer.header(EXCEPTION) == null ? 1 : 0;
        }
        HttpAnswer failure = hostile.callAnsweredWith(SERVICE_ERROR, chunks(large));
        figures.equal("a failure with 1 MB of text becomes", failure.status(), BAD_GATEWAY)
                .none("headers with a message", theirHeaders + headersWithMessage(failure))
                .none("untagged 500", untagged);
        // It is written every second, at the latest.
        Site.pause(2);
        int forged = 0;
        int longest = 0;
        String logs = Files.readString(accessLog)
                + hostile.agent().log()
                + mesh.consumer().log();
        for (String line : logs.split("[\r\n]")) {
            forged += line.startsWith("Set-Cookie") || line.startsWith("2001-") || line.contains("\u001b") ? 1 : 0;
            longest = Math.max(longest, line.length());
        }
        figures.none("lines of logs forged", forged)
                .atMost("characters of the longest", longest, MAX_LINE)
                .equal("right of 20 calls afterwards", ProviderRows.rightAnswers(mesh.consumer(), 20), 20);
    }

    private static int headersWithMessage(HttpAnswer answer) {
        int with = 0;
        for (Map.Entry<String, String> header : answer.headers().entrySet()) {
            String text = header.getValue();
            with += header.getKey().equals("set-cookie")
                            || text.contains("forged")
                            || text.contains("no such order")
                            || text.contains("xxxx")
                    ? 1
                    : 0;
        }
        return with;
    }
}
