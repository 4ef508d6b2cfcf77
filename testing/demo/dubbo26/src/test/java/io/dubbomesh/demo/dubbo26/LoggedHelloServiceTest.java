package io.dubbomesh.demo.dubbo26;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class LoggedHelloServiceTest {
    @TempDir
    private Path directory;

    @Test
    void eachCallIsLoggedInTheFileBeforeItContinues() throws IOException {
        Path file = directory.resolve("provider.log");
        LoggedHelloService service = new LoggedHelloService(
                text -> {
                    assertThat(file).content().contains("1_99162322");
                    return 7;
                },
                directory);
        assertThat(service.hash("hello")).isEqualTo(7);
        service.hash("");
        assertThat(Files.readAllLines(file)).hasSize(2).last().asString().endsWith(": 2_0");
    }
}
