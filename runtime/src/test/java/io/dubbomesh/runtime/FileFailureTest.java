package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class FileFailureTest {
    @TempDir
    Path folder;

    private static String reasonOfReading(Path file) {
        return FileFailure.reason(catchThrowableOfType(IOException.class, () -> Files.readAllBytes(file)));
    }

    @Test
    void theReasonIsToldWithoutTheNameOfTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThat(reasonOfReading(folder.resolve("none"))).isEqualTo("no such file");
        assertThat(reasonOfReading(folder)).isEqualTo("Is a directory");
        assertThat(reasonOfReading(file.resolve("below"))).isEqualTo("Not a directory");
        assertThat(FileFailure.reason(catchThrowableOfType(IOException.class, () -> Files.newDirectoryStream(file))))
                .isEqualTo("not a directory");
        assertThat(FileFailure.reason(new AccessDeniedException("/a"))).isEqualTo("permission denied");
        assertThat(FileFailure.reason(new FileSystemException("/a", null, "a symbolic link")))
                .isEqualTo("a symbolic link");
    }

    @Test
    void aFailureWithoutAReasonIsToldByItsKind() {
        assertThat(FileFailure.reason(new FileSystemException("/a"))).isEqualTo("FileSystemException");
        assertThat(FileFailure.reason(new MalformedInputException(1))).isEqualTo("Input length = 1");
    }
}
