package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.openapi.ServiceTexts.OfClass;
import io.dubbomesh.consumer.openapi.ServiceTexts.OfMethod;
import io.dubbomesh.consumer.openapi.ServiceTexts.OfService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    /** What the operator has written stands above, text by text. */
    @Test
    void textsOfTheOperatorReplaceThoseOfSources() {
        ServiceTexts below = new ServiceTexts(
                "1",
                Map.of(
                        "a.A",
                        new OfService("A", Map.of("m", new OfMethod("m", "r", Map.of("p", "P", "q", "Q")))),
                        "a.B",
                        new OfService("B", Map.of())),
                Map.of("a.C", new OfClass("C", Map.of("f", "F", "g", "G"))));
        ServiceTexts own = new ServiceTexts(
                "2",
                Map.of("a.A", new OfService(null, Map.of("m", new OfMethod("mine", null, Map.of("p", "mine"))))),
                Map.of("a.C", new OfClass("mine", Map.of("f", "mine"))));

        ServiceTexts texts = own.over(below);

        assertThat(texts.ofService("a.A").description()).isEqualTo("A");
        assertThat(texts.ofMethod("a.A", "m")).isEqualTo(new OfMethod("mine", "r", Map.of("p", "mine", "q", "Q")));
        assertThat(texts.ofService("a.B").description()).isEqualTo("B");
        assertThat(texts.ofClass("a.C")).isEqualTo("mine");
        assertThat(texts.ofField("a.C", "f")).isEqualTo("mine");
        assertThat(texts.ofField("a.C", "g")).isEqualTo("G");
        assertThat(texts.revision()).isNotEqualTo(own.revision());
        assertThat(own.over(ServiceTexts.NONE)).isSameAs(own);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Text. | Text.",
                "<p>One<p>two <b>three</b></p> | One~two three",
                "A {@link a.B#c(int) label} and {@link #d} | A label and `d`",
                "{@code a < b} &lt;x&gt; {@literal @y} {@value #Z} {@inheritDoc} | `a < b` <x> `@y` #Z",
                "a {@code {b} c} | a {@code {b} c}",
                "{@unfinished | {@unfinished",
                "@param x | ",
            })
    void aCommentIsMarkdown(String comment, String expected) {
        assertThat(JavadocText.of(' ' + comment + ' ').description())
                .isEqualTo(expected == null ? null : expected.replace("~", "\n\n"));
    }

    @Test
    void aLongCommentIsCut() {
        assertThat(JavadocText.of("x".repeat(3000)).description()).hasSize(2000).endsWith("x...");
    }
}
