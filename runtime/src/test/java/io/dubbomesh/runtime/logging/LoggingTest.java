package io.dubbomesh.runtime.logging;

import ch.qos.logback.classic.LoggerContext;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class LoggingTest {
    private static final Logger log = LoggerFactory.getLogger("io.dubbomesh.consumer.Routes");

    @TempDir
    Path directory;

    @AfterEach
    void backToStandardOutput() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.start();
        new Logging().configure(context);
    }

    @Test
    void eachEventIsALineInTheFile() throws IOException {
        start(Map.of());
        log.info("endpoint {} joined", "192.0.2.7:30000");

        assertThat(written())
                .singleElement()
                .asString()
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d\\d:\\d\\d"
                        + " INFO  \\[[^]]+] Routes: endpoint 192\\.0\\.2\\.7:30000 joined");
    }

    @Test
    void aMessageCannotForgeALine() throws IOException {
        start(Map.of());
        log.warn("method {} is unknown", "say\r\n2026-11-20 INFO  [main] Routes: all is well\u001b[2J");

        assertThat(written()).singleElement().asString().endsWith("all is well\\u001b[2J is unknown");
    }

    @Test
    void anExceptionCannotForgeALine() throws IOException {
        start(Map.of());
        Exception cause = new IllegalStateException("x".repeat(1_000_000));
        log.error("failed", new IOException("first\nINFO all is well", cause));

        List<String> lines = written();
        assertThat(lines.get(0)).endsWith(" ERROR [" + Thread.currentThread().getName() + "] Routes: failed");
        assertThat(lines.get(1)).isEqualTo("\tjava.io.IOException: first\\nINFO all is well");
        assertThat(lines.get(2)).startsWith("\t\tat io.dubbomesh.runtime.logging.LoggingTest.");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("\tcaused by java.lang.IllegalStateException: xxx"))
                .singleElement()
                .asString()
                .hasSizeLessThan(4200);
        assertThat(lines.subList(1, lines.size())).allMatch(line -> line.startsWith("\t"));
    }

    @Test
    void aLevelThatWasChangedGoesBackToTheSetting() {
        start(Map.of("logs.level", "error"));
        Loggers.set(Loggers.OURS, "trace");
        Loggers.set(Loggers.OURS, null);
        assertThat(Loggers.level(Loggers.OURS)).isEqualTo("error");
    }

    @Test
    void ourLoggersHaveTheLevelThatIsSetAndOthersWarn() throws IOException {
        start(Map.of("logs.level", "DEBUG"));
        log.trace("no");
        log.debug("yes 1");
        LoggerFactory.getLogger("io.netty.Any").info("no");
        LoggerFactory.getLogger("org.apache.Any").warn("yes 2");
        java.util.logging.Logger jdk = java.util.logging.Logger.getLogger("com.sun.Any");
        jdk.info("no");
        jdk.log(java.util.logging.Level.WARNING, "yes {0}", 3);
        jdk.log(java.util.logging.Level.SEVERE, "yes {oops", new Object[] {4});

        assertThat(written())
                .extracting(line -> line.substring(line.indexOf(' ') + 1).replaceAll("\\[.*?] ", ""))
                .containsExactly("DEBUG Routes: yes 1", "WARN  Any: yes 2", "WARN  Any: yes 3", "ERROR Any: yes {oops");
    }

    /** Any peer can cause one for each connection. */
    @Test
    void warningsOfTlsAboutSingleConnectionsAreLoggedForDebuggingOnly() throws IOException {
        start(Map.of("logs.level", "info"));
        LoggerFactory.getLogger("io.netty.handler.ssl.SslHandler").warn("no");
        start(Map.of("logs.level", "debug"));
        LoggerFactory.getLogger("io.netty.handler.ssl.SslHandler").warn("yes");

        assertThat(written())
                .extracting(line -> line.substring(line.indexOf("SslHandler: ")))
                .containsExactly("SslHandler: yes");
    }

    @Test
    void filesAreRolledAtTheirSizeAndAsManyKeptAsSet() throws Exception {
        start(Map.of("logs.max-file-size", "64 KiB", "logs.max-files", "3"));
        String message = "x".repeat(4000);
        Path third = directory.resolve("agent.2.log");
        int count = 0;
        while (!Files.exists(third) || count < 200) {
            log.info("{} {}", count++, message);
            Thread.onSpinWait();
        }
        Logging.stop();

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("agent.log", "agent.1.log", "agent.2.log");
        }
    }

    @Test
    void aDirectoryThatIsAFileIsRefused() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> settings(Map.of("logs.dir", file.toString())))
                .isInstanceOf(SettingsException.class)
                .hasMessage("logs.dir: " + file + " (expected: a directory that can be created)");
    }

    @Test
    void anUnknownLevelIsRefused() {
        assertThatThrownBy(() -> settings(Map.of("logs.level", "loud")))
                .hasMessage("logs.level: loud (expected: error, warn, info, debug, trace)");
    }

    private void start(Map<String, String> changes) {
        Map<String, String> properties = new HashMap<>(changes);
        properties.put("logs.dir", directory.toString());
        Logging.start(settings(properties), "agent");
    }

    private List<String> written() throws IOException {
        Logging.stop();
        return Arrays.asList(Files.readString(directory.resolve("agent.log")).split("\n"));
    }

    private static LogSettings settings(Map<String, String> properties) {
        Settings settings = Settings.of("test-reference.conf", properties, Map.of());
        LogSettings logSettings = LogSettings.from(settings);
        settings.check();
        return logSettings;
    }
}
