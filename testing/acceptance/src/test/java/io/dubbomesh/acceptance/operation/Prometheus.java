package io.dubbomesh.acceptance.operation;

import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.process.CompletedProcess;
import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A real Prometheus that scrapes agents, and its tool. */
final class Prometheus {
    private static final Pattern VALUE = Pattern.compile("\"value\":\\[[^,]+,\"([^\"]+)\"]");

    private final int port;
    private final RunningProcess process;

    private Prometheus(int port, RunningProcess process) {
        this.port = port;
        this.process = process;
    }

    /** Scrapes these admin ports twice a second, with native histograms. */
    static Prometheus start(Path directory, int... adminPorts) throws IOException {
        StringBuilder targets = new StringBuilder();
        for (int adminPort : adminPorts) {
            targets.append(targets.isEmpty() ? "" : ", ")
                    .append("'127.0.0.1:")
                    .append(adminPort)
                    .append('\'');
        }
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 500ms}
                scrape_configs:
                  - job_name: dubbomesh
                    static_configs: [{targets: [%s]}]
                """.formatted(targets));
        int port = Ports.free();
        return new Prometheus(
                port,
                RunningProcess.start(
                        directory.resolve("prometheus.log"),
                        List.of(
                                "prometheus",
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + directory.resolve("prometheus"),
                                "--enable-feature=native-histograms",
                                "--web.listen-address=127.0.0.1:" + port)));
    }

    /** The value of a query with one result; empty for none. */
    OptionalDouble query(String expression) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8))
                        .toURL()
                        .openConnection();
        connection.setConnectTimeout(5000);
        connection.setReadTimeout(5000);
        try {
            String answer = new String(connection.getInputStream().readAllBytes(), UTF_8);
            Matcher value = VALUE.matcher(answer);
            return value.find() ? OptionalDouble.of(Double.parseDouble(value.group(1))) : OptionalDouble.empty();
        } finally {
            connection.disconnect();
        }
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    /** Runs promtool; returns what it has printed if its exit code is not 0, else an empty text. */
    static String promtool(String input, String... arguments) {
        List<String> command =
                Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList();
        CompletedProcess tool = CompletedProcess.run(new ProcessBuilder(command), input);
        return tool.exitCode() == 0 ? "" : tool.output();
    }
}
