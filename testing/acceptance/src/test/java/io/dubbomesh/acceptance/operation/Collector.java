package io.dubbomesh.acceptance.operation;

import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.SpanReceiver;
import io.dubbomesh.testsupport.SpanReceiver.Span;
import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The receiver of the agents' spans. */
abstract class Collector {
    /** Returns the value of {@code otel.exporter.otlp.endpoint}. */
    abstract String endpoint();

    /** All that have come so far. */
    abstract List<Span> spans() throws Exception;

    abstract void close() throws Exception;

    /** The real collector that the property {@code collector} names, else a receiver in this process. */
    static Collector start(Path logs) throws Exception {
        String program = System.getProperty("collector", "");
        return program.isEmpty() ? new Receiver() : new Real(program, logs);
    }

    private static final class Receiver extends Collector {
        private final SpanReceiver receiver = new SpanReceiver();

        Receiver() throws IOException {}

        @Override
        String endpoint() {
            return receiver.endpoint();
        }

        @Override
        List<Span> spans() {
            return receiver.spans();
        }

        @Override
        void close() {
            receiver.close();
        }
    }

    /** Prints the spans that it gets, see testing/acceptance/src/test/collector. */
    private static final class Real extends Collector {
        private static final Pattern SPAN = Pattern.compile("""
                Span #\\d+
                 +Trace ID +: ([0-9a-f]+)
                 +Parent ID +: ([0-9a-f]*)
                 +ID +: ([0-9a-f]+)
                 +Name +: (.+)
                 +Kind +: (\\w+)
                (?: +TraceState.*\\n)? +Start time +: ([0-9-]+) ([0-9:.]+) .*
                """);

        private final int port = Ports.free();
        private final RunningProcess process;

        Real(String program, Path logs) throws Exception {
            String config = """
                    receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%d"}}}}
                    exporters: {debug: {verbosity: detailed}}
                    service:
                      telemetry: {metrics: {level: none}}
                      pipelines: {traces: {receivers: [otlp], exporters: [debug]}}
                    """.formatted(port);
            process =
                    RunningProcess.start(logs.resolve("collector.log"), List.of(program, "--config", "yaml:" + config));
            process.awaitOutput("Everything is ready", Duration.ofSeconds(60));
        }

        @Override
        String endpoint() {
            return "http://127.0.0.1:" + port;
        }

        @Override
        List<Span> spans() {
            return SPAN.matcher(process.output()).results().map(Real::span).toList();
        }

        private static Span span(MatchResult printed) {
            Instant start = Instant.parse(printed.group(6) + 'T' + printed.group(7) + 'Z');
            return new Span(
                    printed.group(1),
                    printed.group(3),
                    printed.group(2),
                    printed.group(4),
                    printed.group(5).equals("Server") ? Span.SERVER : Span.CLIENT,
                    start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                    0,
                    Map.of(),
                    false);
        }

        @Override
        void close() throws Exception {
            process.kill();
        }
    }
}
