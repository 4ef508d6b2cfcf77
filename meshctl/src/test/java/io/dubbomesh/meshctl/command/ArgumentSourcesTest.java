package io.dubbomesh.meshctl.command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArgumentSourcesTest {
    @TempDir
    Path folder;

    private static List<String> read(String... typed) {
        return ArgumentSources.read(List.of(typed), new ByteArrayInputStream("[1,\n2]\n\n".getBytes(UTF_8)));
    }

    @Test
    void aFileAndStandardInputGiveTheirTextWithoutTheLastLineBreak() throws IOException {
        Path file = Files.writeString(folder.resolve("a.json"), "{\"item\":\"t\u00e9\"}\r\n");

        assertThat(read("@" + file, "-", "x")).containsExactly("{\"item\":\"t\u00e9\"}", "[1,\n2]\n", "x");
    }

    @Test
    void textThatBeginsWithAnAtIsDoubled() {
        assertThat(read("@@ana", "a@b", "-1", "--")).containsExactly("@ana", "a@b", "-1", "--");
    }

    @Test
    void whatCannotBeReadIsNamedOnce() throws IOException {
        Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff});

        assertThatThrownBy(() -> read("@" + folder.resolve("none")))
                .hasMessage("@" + folder.resolve("none")
                        + ": no such file (expected: @FILE, or @@TEXT for text that begins with @)");
        assertThatThrownBy(() -> read("@" + folder)).hasMessageStartingWith("@" + folder + ": Is a directory");
        assertThatThrownBy(() -> read("@" + bytes)).hasMessage("@" + bytes + ": not text in UTF-8");
        assertThatThrownBy(() -> read("-", "-")).hasMessage("-: standard input is one argument (expected: - once)");
    }
}
