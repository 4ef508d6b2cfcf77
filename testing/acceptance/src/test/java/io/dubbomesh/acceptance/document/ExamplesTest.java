package io.dubbomesh.acceptance.document;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how the programs of {@code examples/} treat failures; {@link SnippetsTest} shows that their calls reach a real
 * service.
 */
@Timeout(120)
class ExamplesTest {
    private static final Duration TO_RUN = Duration.ofSeconds(90);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 examples/python/shop.py",
                "go run examples/go/shop.go",
                "node examples/node/shop.mjs",
                "java examples/java/Shop.java"
            })
    void onlyACallThatWasNotExecutedIsRepeated(String program) throws Exception {
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " by "
                    + exchange.getRequestHeaders().getFirst("X-Request-Timeout"));
            switch (requests.size()) {
                case 1 -> answer(exchange, 503, "{\"code\":\"OVERLOADED\",\"detail\":\"the queue is full\"}");
                case 2 -> answer(exchange, 200, "{\"item\":\"tea\",\"total\":7.00,\"day\":\"2027-01-01\"}");
                case 3 -> answer(exchange, 200, "\"Welcome\"");
                default -> answer(exchange, 504, "{\"code\":\"TIMEOUT\",\"detail\":\"sent 2000 ms ago\"}");
            }
        });

        RunningProcess process = run(program);

        assertThat(process.awaitExit(TO_RUN)).as(process.output()).isZero();
        String buy = "POST /io.dubbomesh.demo.shop.Shop/buy by 2000";
        assertThat(requests)
                .containsExactly(
                        buy, buy, "POST /io.dubbomesh.demo.shop.Shop/greet?version=2.0.0&group=blue by 2000", buy);
        assertThat(process.output()).contains("2027-01-01", "Welcome", "TIMEOUT");
    }

    private RunningProcess run(String program) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of(program.split(" ")),
                        Stream.of("http://127.0.0.1:" + server.getAddress().getPort()))
                .map(word ->
                        word.startsWith("examples/") ? Path.of("../..", word).toString() : word)
                .toList();
        Path log = Path.of("target", "logs", "ExamplesTest", command.get(0) + ".log");
        return RunningProcess.start(log, command);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Retry-After", "0");
        exchange.getResponseHeaders()
                .set("Content-Type", status == 200 ? "application/json" : "application/problem+json");
        exchange.sendResponseHeaders(status, body.length());
        exchange.getResponseBody().write(body.getBytes(UTF_8));
        exchange.close();
    }
}
