package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.process.CompletedProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** The output of {@code meshctl doctor} about an agent. */
public record Doctor(int exitCode, List<String> lines) {
    private static final String ARROW = "      -> ";

    /** Runs it, as an operator does. */
    public static Doctor of(Agent agent) throws Exception {
        CompletedProcess doctor = CompletedProcess.run(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                String.join(":", jar("meshctl"), jar("consumer-agent"), jar("provider-agent")),
                "io.dubbomesh.meshctl.Meshctl",
                "doctor",
                "--admin=http://127.0.0.1:" + agent.adminPort());
        return new Doctor(doctor.exitCode(), doctor.output().lines().toList());
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
