package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.ServiceKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class DefinitionCacheTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "1.0", "g");
    private static final String TEXT = "{\"methods\":[]}";

    @TempDir
    private Path directory;

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static void age(Path file, long seconds) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
    }

    @Test
    void whatWasPutIsFoundByAnotherAgentThatSharesTheDirectory() throws Exception {
        new DefinitionCache(directory).put(GREETER, "demo", "r1", TEXT);

        assertThat(new DefinitionCache(directory).get(GREETER, "demo", "r1")).isEqualTo(TEXT);
        assertThat(files()).singleElement().satisfies(file -> {
            assertThat(file.getFileName().toString()).matches("a\\.Greeter-[0-9a-f]{32}\\.json");
            assertThat(file).hasContent("12b075d6cc7d142a4abe22c6c30f9d04d0f32f9e6c49feea459f3fc80110b0f1\n" + TEXT);
        });
    }

    @Test
    void interfaceVersionGroupApplicationAndRevisionTellDefinitionsApart() {
        DefinitionCache cache = new DefinitionCache(directory);
        cache.put(GREETER, "demo", "r1", TEXT);

        assertThat(cache.get(new ServiceKey("a.Greeter2", "1.0", "g"), "demo", "r1"))
                .isNull();
        assertThat(cache.get(new ServiceKey("a.Greeter", "1.1", "g"), "demo", "r1"))
                .isNull();
        assertThat(cache.get(new ServiceKey("a.Greeter", "1.0", "h"), "demo", "r1"))
                .isNull();
        assertThat(cache.get(GREETER, "shop", "r1")).isNull();
        assertThat(cache.get(GREETER, "demo", "r2")).isNull();
    }

    @Test
    void aNameThatIsAPathStaysInTheDirectory() throws Exception {
        ServiceKey odd = new ServiceKey("../../a/" + "x".repeat(400), "", "");
        DefinitionCache cache = new DefinitionCache(directory);
        cache.put(odd, "", "", TEXT);

        assertThat(cache.get(odd, "", "")).isEqualTo(TEXT);
        assertThat(files()).hasSize(1);
    }

    @Test
    void aDamagedFileIsIgnoredAndReplaced() throws Exception {
        DefinitionCache cache = new DefinitionCache(directory);
        cache.put(GREETER, "demo", "r1", TEXT);
        Path file = files().get(0);
        String sound = Files.readString(file);

        for (String damaged :
                List.of("", "x", sound.substring(0, sound.length() - 1), sound.replace("methods", "methodz"))) {
            Files.writeString(file, damaged);
            assertThat(cache.get(GREETER, "demo", "r1")).as(damaged).isNull();
        }
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(cache.get(GREETER, "demo", "r1")).isNull();

        cache.put(GREETER, "demo", "r1", TEXT);
        assertThat(cache.get(GREETER, "demo", "r1")).isEqualTo(TEXT);
    }

    @Test
    void thoseThatWereNotUsedForLongestGoWhenThereAreTooMany() throws Exception {
        DefinitionCache cache = new DefinitionCache(directory, 2, Long.MAX_VALUE);
        cache.put(GREETER, "demo", "r1", TEXT);
        age(files().get(0), 100);
        cache.put(GREETER, "demo", "r2", TEXT);
        for (Path file : files()) {
            age(
                    file,
                    Files.getLastModifiedTime(file)
                                    .toInstant()
                                    .isBefore(Instant.now().minusSeconds(50))
                            ? 100
                            : 40);
        }
        assertThat(cache.get(GREETER, "demo", "r1")).isNotNull();

        cache.put(GREETER, "demo", "r3", TEXT);

        assertThat(cache.get(GREETER, "demo", "r1")).isNotNull();
        assertThat(cache.get(GREETER, "demo", "r2")).isNull();
        assertThat(cache.get(GREETER, "demo", "r3")).isNotNull();
    }

    @Test
    void theSizeOfAllTogetherIsBounded() throws Exception {
        DefinitionCache cache = new DefinitionCache(directory, 100, 3_000);
        for (int i = 0; i < 10; i++) {
            cache.put(GREETER, "demo", "r" + i, "x".repeat(900));
        }

        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }
        assertThat(bytes).isBetween(900L, 3_000L);
        assertThat(cache.get(GREETER, "demo", "r9")).isNotNull();
    }

    @Test
    void whatAKilledAgentHasLeftIsDeletedAndForeignFilesStay() throws Exception {
        Path left = directory.resolve("123.tmp");
        Path young = directory.resolve("456.tmp");
        Path foreign = directory.resolve("notes.txt");
        for (Path file : List.of(left, young, foreign)) {
            Files.writeString(file, "x");
        }
        age(left, 100);

        new DefinitionCache(directory, 1, 1_000_000).put(GREETER, "demo", "r1", TEXT);

        assertThat(left).doesNotExist();
        assertThat(young).exists();
        assertThat(foreign).exists();
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsDoneWithout() throws Exception {
        Path file = directory.resolve("file");
        Files.writeString(file, "x", UTF_8);
        DefinitionCache cache = new DefinitionCache(file.resolve("cache"));

        cache.put(GREETER, "demo", "r1", TEXT);

        assertThat(cache.get(GREETER, "demo", "r1")).isNull();
    }
}
