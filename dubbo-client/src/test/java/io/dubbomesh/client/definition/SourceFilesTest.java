package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.javadoc.ServiceTexts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class SourceFilesTest {
    @TempDir
    Path directory;

    private Path jar(String name, String... sources) throws IOException {
        Path jar = directory.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (int i = 0; i < sources.length; i++) {
                out.putNextEntry(new ZipEntry("a/File" + i + ".java"));
                out.write(sources[i].getBytes(UTF_8));
            }
            out.putNextEntry(new ZipEntry("a/text.txt"));
            out.write("/** No source. */ interface T {}".getBytes(UTF_8));
        }
        return jar;
    }

    @Test
    void theFirstFileThatHasATypeCounts() throws Exception {
        Path first = jar("first.jar", "package a; /** First. */ public interface A { /** M. */ void m(); }");
        Path sources = Files.createDirectories(directory.resolve("src/a"));
        Files.writeString(sources.resolve("A.java"), "package a; /** Second. */ interface A {}");
        Files.writeString(sources.resolve("B.java"), "package a; /** B. */ class B {}");
        Path broken = Files.writeString(directory.resolve("broken.jar"), "no jar");

        ServiceTexts texts = new SourceFiles(List.of(broken, first, directory.resolve("src"))).texts();

        assertThat(texts.services().keySet()).containsExactly("a.A");
        assertThat(texts.ofService("a.A").description()).isEqualTo("First.");
        assertThat(texts.ofMethod("a.A", "m").description()).isEqualTo("M.");
        assertThat(texts.ofClass("a.B")).isEqualTo("B.");
    }

    @Test
    void aJarThatHasChangedIsReadAgain() throws Exception {
        Path jar = jar("a.jar", "/** First. */ interface A {}");
        SourceFiles files = new SourceFiles(List.of(jar));
        ServiceTexts first = files.texts();
        assertThat(files.texts()).isSameAs(first);

        jar("a.jar", "/** Another. */ interface A {}");
        ServiceTexts second = files.texts();

        assertThat(second.ofService("A").description()).isEqualTo("Another.");
        assertThat(second.revision()).isNotEqualTo(first.revision());
    }

    @Test
    void aLongFileIsPassedOver() throws Exception {
        Path jar = jar("a.jar", "/** Long. */ interface L {" + " ".repeat(1 << 20) + "}", "/** A. */ interface A {}");

        assertThat(new SourceFiles(List.of(jar)).texts().services().keySet()).containsExactly("A");
    }

    @Test
    void thereIsABoundOfTypes() throws Exception {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            many.append("/** A. */ interface A").append(i).append(" {}\n");
        }
        Path jar = jar("a.jar", many.toString(), "/** Z. */ interface Z {}");
        Path other = jar("b.jar", "/** Z. */ interface Z {}");

        assertThat(new SourceFiles(List.of(jar, other)).texts().services()).hasSize(5000);
    }

    @Test
    void jarsOfSourcesAreFoundBesideThoseOfClasses() throws Exception {
        Path sources = jar("shop-1.0-sources.jar");

        assertThat(SourceFiles.beside(List.of(
                        directory.resolve("shop-1.0.jar"), directory.resolve("other.jar"), directory, Path.of("/"))))
                .containsExactly(sources);
    }
}
