package io.dubbomesh.benchmark.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.benchmark.process.CpuTime;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.benchmark.report.Report;
import io.dubbomesh.benchmark.report.Spread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import javax.xml.parsers.DocumentBuilderFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The harness as a whole, with wrk and its script, and a server in this process. */
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
    void sidesAreMeasuredInTurnAndWrongAnswersAreReported() throws Exception {
        Program counted = programs.start("a <counted> program", List.of("sleep", "300"));
        List<Side> sides = List.of(side("good", good, counted), side("failing", failing, counted));
        Comparison comparison = new Comparison("a title & more", 0, sides, List.of(Point.of(4)), new Plan(1, 2, 1));
        Report report = new Report("contest", "CPU <1>", Map.of());
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);

        comparison.run(new Harness(programs, new Wrk(programs, FORM), report, nowhere));

        assertThat(comparison.rounds()).extracting(Round::side).containsExactly("good", "failing", "failing", "good");
        Round first = comparison.rounds().get(0);
        assertThat(first.load().requests()).isPositive();
        assertThat(first.load().badStatuses()).isZero();
        assertThat(first.load().curve()).hasSizeGreaterThan(10);
        assertThat(first.acceptedConnections()).isGreaterThanOrEqualTo(4);
        LoadResult failed = comparison.rounds().get(1).load();
        assertThat(failed.badStatuses()).isEqualTo(failed.requests());
        assertThat(report.wrong()).isPositive().isLessThan(report.checked());
        assertThat(report.failures()).anyMatch(failure -> failure.startsWith("failing, 4 connections, round 1: "));
        assertThat(report.failures()).anyMatch(failure -> failure.endsWith("compared answers were wrong"));
        assertIsWritten(report);
    }

    private void assertIsWritten(Report report) throws Exception {
        Path html = directory.resolve("report.html");
        report.writeHtml(html);
        String page = Files.readString(html).replaceFirst("<!DOCTYPE html>", "");
        Path xml = Files.writeString(directory.resolve("report.xml"), page);
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(xml.toFile())
                        .getElementsByTagName("img")
                        .getLength())
                .isEqualTo(3);
        Path json = directory.resolve("report.json");
        report.writeJson(json);
        JsonNode tree = new ObjectMapper().readTree(json.toFile());
        assertThat(tree.get("rounds")).hasSize(4);
        assertThat(tree.at("/rounds/0/round/load/qps").asDouble()).isPositive();
        assertThat(tree.at("/tables/0/rows/0/requests~1s/median").asDouble()).isPositive();
    }

    @Test
    void threeSlicesInARowWithinFivePerCentAreSteady() {
        assertThat(Comparison.isSteady(List.of(10.0, 10.0))).isFalse();
        assertThat(Comparison.isSteady(List.of(10.0, 10.2, 10.5))).isTrue();
        assertThat(Comparison.isSteady(List.of(10.0, 10.2, 10.6))).isFalse();
        assertThat(Comparison.isSteady(List.of(50.0, 20.0, 10.5, 10.0, 10.2))).isTrue();
        assertThat(Comparison.isSteady(List.of(10.0, 10.0, 10.0, 20.0))).isFalse();
    }

    @Test
    void aChangeIsTheRatioOfEachPair() {
        List<Round> before = List.of(round(1, "before", 1000, 4000), round(2, "before", 1000, 5000));
        List<Round> after = List.of(round(1, "after", 2000, 8000), round(2, "after", 1000, 4000));
        assertThat(Spread.ratios(after, before, Round::cpuUsPerRequest)).containsExactly(1.0, 0.8);
    }

    private static Round round(int number, String side, long requests, long cpuUs) {
        LoadResult load = new LoadResult(requests, 1_000_000, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, Map.of());
        Usage own = new Usage("agent", new CpuTime(cpuUs / 2, cpuUs / 2), 1, 1, null, 0);
        Usage shared = new Usage("provider", new CpuTime(77, 77), 1, 1, null, 0);
        return new Round(number, Point.of(64), side, load, List.of(own, shared), 1, 0, 64);
    }

    private static Side side(String name, HttpServer server, Program counted) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        return new Side(name, url, Map.of("ANSWER", ANSWER), List.of(counted), List.of());
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
}
