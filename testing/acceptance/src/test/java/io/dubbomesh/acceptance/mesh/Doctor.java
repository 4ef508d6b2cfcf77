package io.dubbomesh.acceptance.mesh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What {@code meshctl doctor} says of an agent. */
public record Doctor(int exitCode, List<String> lines) {
    private static final String ARROW = "      -> ";

    /** Runs it, as an operator does. */
    public static Doctor of(Agent agent) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-cp",
                        String.join(":", jar("meshctl"), jar("consumer-agent"), jar("provider-agent")),
                        "io.dubbomesh.meshctl.Meshctl",
                        "doctor",
                        "--admin=http://127.0.0.1:" + agent.adminPort())
                .redirectErrorStream(true)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Doctor(process.exitValue(), lines);
    }

    private static String jar(String module) throws IOException {
        Path jar = Path.of("../..", module, "target", module + ".jar");
        if (!Files.exists(jar)) {
            throw new AssertionError(jar + " is missing: build it first (mvn package)");
        }
        return jar.toString();
    }

    /** The lines of findings that are not OK. */
    public List<String> findings() {
        return lines.stream().filter(line -> line.matches("(WARN|FAIL) .*")).toList();
    }

    /** With … for what differs, both. */
    public void assertFinds(String finding, String remedy) {
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (pattern(finding).matcher(lines.get(i)).matches()) {
                assertThat(lines.get(i + 1)).matches(pattern(ARROW + remedy));
                return;
            }
        }
        assertThat(lines).as("what doctor says").contains(finding);
    }

    private static Pattern pattern(String text) {
        return Pattern.compile(Pattern.quote(text).replace("…", "\\E.*\\Q"));
    }
}
