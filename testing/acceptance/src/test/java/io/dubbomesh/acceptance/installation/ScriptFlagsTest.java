package io.dubbomesh.acceptance.installation;

import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the scripts start the agents with the flags of an installed one, whichever Java there is. */
class ScriptFlagsTest {
    @TempDir
    private Path javaHome;

    /** Makes the files of a JDK that the scripts look at. */
    private void makeJdk(String version) throws Exception {
        Files.createDirectory(javaHome.resolve("bin"));
        for (String program : List.of("java", "javac")) {
            Files.writeString(javaHome.resolve("bin/" + program), "#!/bin/sh\n")
                    .toFile()
                    .setExecutable(true);
        }
        Files.writeString(javaHome.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    private List<String> flags(String find, String flags) throws Exception {
        Path scripts = Path.of("../..", "scripts", "lib.sh").toRealPath();
        String output = CompletedProcess.run(
                        "env",
                        "JAVA_HOME=" + javaHome,
                        "bash",
                        "-c",
                        "source " + scripts + "; " + find + "; for flag in " + flags + "; do echo \"$flag\"; done")
                .requireSuccess();
        return output.lines().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"17.0.15", "21.0.2", "25.0.1"})
    void theAgentsOfTheScriptsHaveTheFlagsOfAnInstalledOne(String version) throws Exception {
        makeJdk(version);

        List<String> installed = flags("find_java", "$agent_jvm $(version_flags) $agent_memory");
        assertThat(flags("find_jdk", "\"${agent_flags[@]}\"")).isEqualTo(installed);
        assertThat(installed).contains("-Xmx64m", "-XX:+UseSerialGC");
        if (Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"))) {
            assertThat(installed.contains("-XX:TrimNativeHeapInterval=10000")).isEqualTo(!version.startsWith("21"));
        }
        assertThat(installed.contains("--sun-misc-unsafe-memory-access=allow")).isEqualTo(version.startsWith("25"));
    }
}
