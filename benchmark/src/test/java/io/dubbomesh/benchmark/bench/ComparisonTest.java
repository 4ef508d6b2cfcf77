package io.dubbomesh.benchmark.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

import javax.xml.parsers.DocumentBuilderFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The harness as a whole, with wrk and its script, before a server in this process. */
@Timeout(120)
class ComparisonTest {
    private static final String ANSWER = "as expected";
    private static final Path FORM = Path.of("wrk/form.lua").toAbsolutePath();

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Programs programs;
    private HttpServer good;
    private HttpServer failing;

    @BeforeEach
    void start() throws IOException {
        programs = new Programs(directory);
        good = serverThatAnswers(200);
        failing = serverThatAnswers(500);
    }

    @AfterEach
    void stop() throws InterruptedException {
        programs.close();
        good.stop(0);
        failing.stop(0);
        threads.shutdownNow();
    }

    @Test
    void measuresSidesInTurnAndReportsWhatWasWrong() throws Exception {
        Program counted = programs.start("a <counted> program", List.of("sleep", "300"));
        List<Side> sides = List.of(side("good", good, counted), side("failing", failing, counted));
        Point point = Point.of(4);
        Comparison comparison = new Comparison(
                "a title & more",
                0,
                sides,
                List.of(point),
                new Plan(1, 2, 1),
                programs,
                new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));

        comparison.run();

        assertThat(comparison.rounds()).extracting(Round::side).containsExactly("good", "failing", "failing", "good");
        Round first = comparison.rounds().get(0);
        assertThat(first.load().requests()).isPositive();
        assertThat(first.load().badStatuses()).isZero();
        assertThat(first.load().curve()).hasSizeGreaterThan(10);
        assertThat(first.acceptedConnections()).isGreaterThanOrEqualTo(4);
        assertThat(comparison.rounds().get(1).load().badStatuses())
                .isEqualTo(comparison.rounds().get(1).load().requests());
        assertThat(comparison.wrong()).isPositive().isLessThan(comparison.checked());

        Report report = new Report(
                "contest",
                "20261121T000000Z",
                new Machine("CPU <1>", 2, "6.18", "17", "abc"),
                new Options(Map.of()),
                new Installation(directory, List.of("-Xmx1m"), List.of("-Xmx2m"), List.of("-Xmx3m")));
        report.add(comparison);
        assertThat(report.failures()).anyMatch(failure -> failure.startsWith("failing, 4 connections, round 1: "));
        assertThat(report.failures()).anyMatch(failure -> failure.endsWith("compared answers were wrong"));
        assertIsWellFormed(Html.page(report));
        assertThat(roundsOf(report)).isEqualTo(4);
    }

    private static Side side(String name, HttpServer server, Program counted) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        return new Side(name, url, FORM, Map.of("ANSWER", ANSWER), List.of(counted), List.of());
    }

    private HttpServer serverThatAnswers(int status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, ANSWER.length());
            exchange.getResponseBody().write(ANSWER.getBytes(UTF_8));
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void assertIsWellFormed(String html) throws Exception {
        String withoutType = html.substring(html.indexOf("<html"));
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(withoutType)))
                        .getElementsByTagName("svg")
                        .getLength())
                .isEqualTo(3);
    }

    private static int roundsOf(Report report) throws IOException {
        StringWriter out = new StringWriter();
        Json.write(report, out);
        int rounds = 0;
        try (JsonParser json = new JsonFactory().createParser(out.toString())) {
            while (json.nextToken() != null) {
                if ("round".equals(json.currentName()) && json.currentToken().isNumeric()) {
                    rounds++;
                }
            }
        }
        return rounds;
    }
}
