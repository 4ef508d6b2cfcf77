package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Peak;
import io.dubbomesh.chaos.row.PingDelay;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.SingleCalls;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.HttpAnswer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Providers whose answers are whole frames with values that are meant to harm. */
public final class HostileValueRows {

    /**
     * The classes that an agent may load while it reads any value. Many of the names that values bear are the JDK's;
     * its packages with things that do something when they are made are not among these.
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
            "ch.qos.logback.");

    /** {@code [1.234s][info][class,load] java.lang.Object source: jrt:/java.base} */
    private static final Pattern LOADED = Pattern.compile("(?m)([^ \\]]+) source: ");

    private static final int LARGE_AT_ONCE = 16;
    private static final int SMALL_AT_ONCE = 60;

    private static final int MAX_NAMES = 5;

    private static final int OK = 200;
    private static final int THROWN = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int SERVICE_ERROR = 70;
    private static final int MAX_LINE = 2048;
    private static final String EXCEPTION = "x-dubbo-exception";
    private static final String FORGED = "lost\r\nSet-Cookie: forged=1\r\n\r\n2001-01-01 ERROR Forged\n\u001b[2J";

    private HostileValueRows() {}

    public static List<Row> rows() {
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

    private static void values(Site site, Figures figures) throws Exception {
        Path loads = site.directory().resolve("classes.log");
        Mesh mesh = Mesh.of(site, 1).start();
        HostileProvider hostile = HostileProvider.start(site, mesh, "-Xlog:class+load:file=" + loads);
        Part agent = hostile.agent();
        // Each way through the reader is walked once, so that what the agent loads for itself is loaded.
        Map<Integer, Integer> statuses = new TreeMap<>();
        List<String> others = new ArrayList<>(HostileValues.excessive());
        others.addAll(HostileValues.eachTag());
        others.addAll(HostileValues.costly());
        others.addAll(HostileValues.costlyForTheirLength());
        List<String> first = new ArrayList<>(HostileValues.naming(HostileValues.HARMLESS));
        first.addAll(others);
        PingDelay delay = site.closed(PingDelay.of(agent));
        meet(hostile, first, new TreeMap<>());
        List<String> denied = HostileValues.naming(HostileValues.DENIED);
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
        meetAtOnce(hostile, HostileValues.largeNumbers(), LARGE_AT_ONCE, statuses);
        double heldUpByListsMs = delay.longestMs();
        meetAtOnce(hostile, HostileValues.largeNumber(), SMALL_AT_ONCE, statuses);
        double heldUpByNumbersMs = delay.longestMs();
        Calls calls = load.stop();
        String loaded = Files.readString(loads);
        long named = 0;
        for (String name : HostileValues.DENIED) {
            named += Figures.linesWith(loaded, name);
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
                        Figures.linesWith(agent.log(), "StackOverflowError")
                                + Figures.linesWith(agent.log(), "OutOfMemoryError"))
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

    /** Sends as many calls, all of which are answered when the last of them has come. */
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

    private static void exceptions(Site site, Figures figures) throws Exception {
        Path accessLog = site.directory().resolve("access.log");
        Mesh mesh = Mesh.of(site, 1).consumer("-Daccess.log=" + accessLog).start();
        HostileProvider hostile = HostileProvider.start(site, mesh);
        String large = FORGED + "x".repeat(1 << 20);
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put("unchecked", HostileValues.exception("java.lang.IllegalStateException", "broken"));
        bodies.put("checked", HostileValues.exception("com.example.OrderException", "no such order"));
        bodies.put("message with lines", HostileValues.exception("com.example.OrderException", FORGED));
        bodies.put("message of 1 MB", HostileValues.exception("com.example.OrderException", large));
        bodies.put(
                "class with lines", HostileValues.exception("com.example.A" + FORGED.replace("forged", "class"), "x"));
        bodies.put("class of 60 KB", HostileValues.exception("com.example." + "A".repeat(60_000), "x"));
        bodies.put("cause that is itself", "90" + HostileValues.object("com.example.A", "cause", "51 90"));
        bodies.put("no object as exception", "90" + HostileValues.chunks(FORGED));
        Map<String, Integer> wanted = new LinkedHashMap<>();
        bodies.keySet().forEach(name -> wanted.put(name, THROWN));
        wanted.put("no object as exception", BAD_GATEWAY);
        bodies.put("null", "92");
        bodies.put("null as value", "91 4e");
        bodies.put("a text for a number", "91" + HostileValues.chunks(FORGED));
        bodies.put(
                "attachments with lines",
                "94 91 'H'" + HostileValues.chunks("k" + FORGED) + "01'v' 01'k'" + HostileValues.chunks(FORGED)
                        + "'Z'");
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
        HttpAnswer failure = hostile.callAnsweredWith(SERVICE_ERROR, HostileValues.chunks(large));
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
                .equal("right of 20 calls afterwards", SingleCalls.rightAnswers(mesh.consumer(), 20), 20);
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
