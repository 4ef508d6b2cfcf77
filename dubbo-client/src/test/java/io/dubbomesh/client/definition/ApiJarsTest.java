package io.dubbomesh.client.definition;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ApiJarsTest {
    @TempDir
    Path directory;

    /** What is run when the files have not been used for a while. */
    private final Deque<Runnable> later = new ArrayDeque<>();

    private Path jar(String className) throws IOException {
        Path jar = directory.resolve("a.jar");
        Path unfinished = directory.resolve("a.tmp");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(unfinished))) {
            out.putNextEntry(new ZipEntry(className + ".class"));
            out.write(1);
        }
        Files.deleteIfExists(jar);
        return Files.move(unfinished, jar);
    }

    /** Each discovery of a gateway is of one service, and would read all class files for the subclasses. */
    @Test
    void discoveriesAtTheSameTimeShareTheFilesAndTheSubclasses() throws Exception {
        ApiJars jars = new ApiJars(List.of(jar("A")));

        try (ApiJars.Use first = jars.open();
                ApiJars.Use second = jars.open()) {
            assertThat(second.files()).isSameAs(first.files());
            assertThat(second.classes().subtypes()).isSameAs(first.classes().subtypes());
            assertThat(second.classes()).isNotSameAs(first.classes());
        }
    }

    @Test
    void filesStayOpenUntilNoDiscoveryHasUsedThemForAWhile() throws Exception {
        ApiJars jars = new ApiJars(List.of(jar("A")), later::add);
        ApiJars.Use first = jars.open();
        ApiJars.Use second = jars.open();

        first.close();
        assertThat(later).isEmpty();
        second.close();
        ApiJars.Use third = jars.open();
        assertThat(third.files()).isSameAs(first.files());
        later.remove().run();
        assertThat(third.files().find("A")).containsExactly(1);

        third.close();
        later.remove().run();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> third.files().find("A"));
    }

    @Test
    void filesAreReadAnewWhenTheyHaveNotBeenUsedForAWhile() throws Exception {
        ApiJars jars = new ApiJars(List.of(jar("A")), later::add);
        ApiJars.Use first = jars.open();
        first.close();
        later.remove().run();
        jar("B");

        try (ApiJars.Use second = jars.open()) {
            assertThat(second.files().find("A")).isNull();
            assertThat(second.files().find("B")).containsExactly(1);
            assertThat(second.classes().subtypes()).isNotSameAs(first.classes().subtypes());
        }
    }

    @Test
    void afterAFailureTheNextDiscoveryOpensThemAgain() throws Exception {
        ApiJars jars = new ApiJars(List.of(directory.resolve("a.jar")));
        assertThatExceptionOfType(IOException.class).isThrownBy(jars::open).withMessageContaining("a.jar");
        jar("A");

        try (ApiJars.Use use = jars.open()) {
            assertThat(use.files().find("A")).containsExactly(1);
        }
    }
}
