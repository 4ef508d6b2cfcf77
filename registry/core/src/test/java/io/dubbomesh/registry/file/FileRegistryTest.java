package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class FileRegistryTest {
    private static final String GREETER = "com.example.Greeter";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final FileTimes FAST = new FileTimes(50, 300, 1_000);

    @TempDir
    Path folder;

    @RegisterExtension
    final RecordedLog log = new RecordedLog(Registry.class);

    private final Watcher watcher = new Watcher();
    private Registry registry;

    @BeforeEach
    void open() {
        registry = new FileRegistry(folder.resolve("mesh"), FAST);
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private Registration registered(String host) throws Exception {
        Registration registration = registry.registration(
                new RegistrationRequest(host, 30000, 3, 180, Map.of(GREETER, List.of(new Variant("1.0", "a")))));
        registration.register();
        Await.until("registered", registration::registered);
        return registration;
    }

    private Path file(String name) {
        return folder.resolve("mesh").resolve(GREETER).resolve(name);
    }

    @Test
    void anAgentIsOneFileForEachServiceWithTheValueOfEtcd() throws Exception {
        assertThat(registered(null).registered()).isTrue();

        assertThat(file("127.0.0.1_30000"))
                .hasContent("{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"}]}");
        assertThat(file("").toFile().list()).containsExactly("127.0.0.1_30000");
    }

    @Test
    void theColonsOfIpv6AreNotPartOfTheFileName() throws Exception {
        registered("2001:db8::7");
        registry.watch(watcher);

        assertThat(file("[2001-db8--7]_30000")).exists();
        watcher.awaitEndpoints(SECOND, GREETER, "[2001:db8::7]:30000*3");
    }

    @Test
    void aFolderThatDoesNotExistIsAnEmptyRegistry() throws Exception {
        registry.watch(watcher);

        assertThat(watcher.await(SECOND, directory -> true).endpoints(GREETER)).isNull();
    }

    @Test
    void onlyTheSelectedServicesAreRegistered() throws Exception {
        String clock = "com.example.Clock";
        List<Variant> both = List.of(new Variant("1.0", "a"), new Variant("", ""));
        Registration registration = registry.registration(
                new RegistrationRequest("192.0.2.7", 30000, 3, 180, Map.of(GREETER, both, clock, both)));
        registry.watch(watcher);
        registration.select(Map.of(GREETER, List.of(new Variant("1.0", "a"))));
        registration.register();
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3");
        assertThat(file("192.0.2.7_30000"))
                .hasContent("{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"}]}");
        assertThat(folder.resolve("mesh").resolve(clock)).doesNotExist();

        registration.select(Map.of(GREETER, both, clock, both));
        watcher.awaitEndpoints(SECOND, clock, "192.0.2.7:30000*3");
        assertThat(file("192.0.2.7_30000")).content().contains("{\"version\":\"\",\"group\":\"\"}");

        registration.select(Map.of(GREETER, both));
        watcher.awaitEndpoints(SECOND, clock);
        Await.until(
                "the file is deleted",
                () -> !Files.exists(folder.resolve("mesh").resolve(clock).resolve("192.0.2.7_30000")));
        assertThat(registration.registered()).isTrue();
        assertThat(file("192.0.2.7_30000")).exists();
    }

    @Test
    void aDeregistrationIsToldFromAFileThatLapsed() throws Exception {
        registry.watch(watcher);
        Registration registration = registered("192.0.2.7");
        registered("192.0.2.8");
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3", "192.0.2.8:30000*3");

        CompletableFuture<Void> deregistered = registration.deregister();
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.8:30000*3");
        assertThat(deregistered).succeedsWithin(SECOND);
        Directory directory = watcher.await(SECOND, now -> now.isDeregistered(GREETER, "192.0.2.7:30000"));
        assertThat(directory.isDeregistered(GREETER, "192.0.2.8:30000")).isFalse();

        Files.writeString(file("192.0.2.9_30000"), "");
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.8:30000*3", "192.0.2.9:30000*1");
        Files.delete(file("192.0.2.9_30000"));
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.8:30000*3");
        assertThat(watcher.await(SECOND, now -> true).isDeregistered(GREETER, "192.0.2.9:30000"))
                .isFalse();
    }

    @Test
    void aFileThatIsNotTouchedIsIgnoredAfterTheStaleTime() throws Exception {
        registry.watch(watcher);
        registered("192.0.2.7");
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3");
        Files.writeString(file("192.0.2.8_30000"), "");
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3", "192.0.2.8:30000*1");

        watcher.awaitEndpoints(Duration.ofSeconds(3), GREETER, "192.0.2.7:30000*3");

        Files.setLastModifiedTime(file("192.0.2.8_30000"), FileTime.from(Instant.now()));
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3", "192.0.2.8:30000*1");
    }

    @Test
    void aFileOfAFormerRunIsIgnored() throws Exception {
        registered("192.0.2.7");
        Files.writeString(file("192.0.2.8_30000"), "");
        Files.setLastModifiedTime(
                file("192.0.2.8_30000"), FileTime.from(Instant.now().minusSeconds(60)));

        registry.watch(watcher);

        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3");
    }

    @Test
    void filesThatAreNoEndpointsAreIgnored() throws Exception {
        registered("192.0.2.7");
        Files.writeString(file("192.0.2.8_30000"), "nonsense");
        Files.writeString(file("169.254.0.1_30000"), "");
        Files.writeString(file("README"), "");
        Files.writeString(file(".192.0.2.9_30000"), "");
        Files.createDirectory(file("192.0.2.9_30000"));
        Files.writeString(folder.resolve("mesh").resolve("stray"), "");

        registry.watch(watcher);

        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3");
        assertThat(watcher.all().get(0).services()).containsExactly(GREETER);
    }

    @Test
    void agentsOfOtherUsersCanReadFilesAndDirectories() throws Exception {
        registered("192.0.2.7");

        assertThat(permissions(file("192.0.2.7_30000"))).isEqualTo("rw-r--r--");
        assertThat(permissions(file(""))).isEqualTo("rwxr-xr-x");
        assertThat(permissions(folder.resolve("mesh"))).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aFileOfAFormerRunThatOthersCannotReadIsReplaced() throws Exception {
        registered("192.0.2.7").close();
        Path file = file("192.0.2.7_30000");
        Files.writeString(file, "{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"}]}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        registered("192.0.2.7");

        assertThat(permissions(file)).isEqualTo("rw-r--r--");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aLinkIsNotFollowedAndAPipeIsNotOpened() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "S3CRET");
        Path elsewhere = Files.createDirectory(folder.resolve("com.example.Elsewhere"));
        Files.writeString(elsewhere.resolve("192.0.2.8_30000"), "5");
        Files.createDirectories(file(""));
        Files.createSymbolicLink(file("192.0.2.8_30000"), secret);
        Files.createSymbolicLink(folder.resolve("mesh").resolve("com.example.Clock"), elsewhere);
        Process made = new ProcessBuilder("mkfifo", file("192.0.2.9_30000").toString()).start();
        assertThat(made.waitFor()).isZero();
        registry.watch(watcher);

        registered("192.0.2.7");

        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3");
        assertThat(watcher.newest().services()).containsExactly(GREETER);
        assertThat(log.lines()).noneMatch(line -> line.contains("S3CRET"));
        assertThat(log.warnings()).hasSize(3).allMatch(line -> line.startsWith("registry entry "));
    }

    @Test
    void aLinkInThePlaceOfAFileOrOfItsDirectoryEndsTheEndpoint() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "5");
        Path clock = folder.resolve("mesh").resolve("com.example.Clock");
        Files.createDirectories(file(""));
        Files.createDirectories(clock);
        Files.writeString(file("192.0.2.7_30000"), "");
        Files.writeString(clock.resolve("192.0.2.7_30000"), "");
        registry.watch(watcher);
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*1");
        watcher.awaitEndpoints(SECOND, "com.example.Clock", "192.0.2.7:30000*1");

        Files.delete(file("192.0.2.7_30000"));
        Files.createSymbolicLink(file("192.0.2.7_30000"), other);
        Files.move(clock, folder.resolve("moved"));
        Files.createSymbolicLink(clock, folder.resolve("moved"));

        watcher.awaitEndpoints(SECOND, GREETER);
        watcher.awaitEndpoints(SECOND, "com.example.Clock");
    }

    @Test
    void aLinkInThePlaceOfAnAgentsFileIsReplaced() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "5");
        Files.createDirectories(file(""));
        Files.createSymbolicLink(file("192.0.2.7_30000"), other);

        assertThat(registered("192.0.2.7").registered()).isTrue();

        assertThat(Files.isSymbolicLink(file("192.0.2.7_30000"))).isFalse();
        assertThat(other).hasContent("5");
    }

    /** Each turn touches the file before it is read. */
    @Test
    void aFileThatIsDeletedOrBlockedBetweenTwoTouchesIsWrittenAgain() throws Exception {
        registry.close();
        registry = new FileRegistry(folder.resolve("mesh"), new FileTimes(50, 0, 1_000));
        Registration registration = registered("192.0.2.7");
        Path file = file("192.0.2.7_30000");

        Files.delete(file);
        Await.until("the file", () -> Files.exists(file));

        Files.delete(file);
        // A link to itself cannot be touched by any user, root included.
        Files.createSymbolicLink(file, file);
        Await.until("the file", () -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));

        Files.delete(file);
        assertThat(registration.deregister()).succeedsWithin(SECOND);
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void aLeftoverThatTheAgentCannotReadIsReplaced() throws Exception {
        Files.createDirectories(file(""));
        Files.writeString(file("192.0.2.7_30000"), "5");
        Files.setPosixFilePermissions(file("192.0.2.7_30000"), PosixFilePermissions.fromString("---------"));

        registered("192.0.2.7");

        assertThat(permissions(file("192.0.2.7_30000"))).isEqualTo("rw-r--r--");
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void aServiceWhoseNameCannotBeAFileIsRefusedOnceAndTheOthersAreRegistered() throws Exception {
        List<Variant> one = List.of(new Variant("1.0", "a"));
        Registration registration = registered("192.0.2.7");

        registration.select(Map.of("com.example.Clock\0", one, GREETER, one));
        Await.until("the line", () -> !log.warnings().isEmpty());
        registration.changeWeight(4);
        Await.untilAsserted(
                SECOND, () -> assertThat(file("192.0.2.7_30000")).content().startsWith("{\"weight\":4,"));
        registration.select(Map.of(GREETER, one));
        registration.changeWeight(5);
        Await.untilAsserted(
                SECOND, () -> assertThat(file("192.0.2.7_30000")).content().startsWith("{\"weight\":5,"));
        assertThat(log.warnings())
                .containsExactly(folder.resolve("mesh") + "/com.example.Clock\0 cannot be written: no file can have"
                        + " this name (Nul character not allowed; expected: a locale with UTF-8, as LC_ALL=C.UTF-8);"
                        + " this is tried again");
        assertThat(registration.deregister()).succeedsWithin(SECOND);
        assertThat(file("192.0.2.7_30000")).doesNotExist();
    }

    @Test
    void theWeightOfServicesThatHaveFilesIsChangedBesideOneWhoseNameCannotBeAFile() throws Exception {
        registered("192.0.2.7");

        registry.changeWeight(List.of("com.example.Clock\0", GREETER), new HostPort("192.0.2.7", 30000), 4);

        assertThat(file("192.0.2.7_30000")).content().startsWith("{\"weight\":4,");
        assertThatThrownBy(() ->
                        registry.changeWeight(List.of("com.example.Clock\0"), new HostPort("192.0.2.7", 30000), 4))
                .isInstanceOf(FixedWeightException.class)
                .hasMessageContaining("no file of 192.0.2.7:30000");
    }

    @Test
    void aServiceWhoseNameIsTooLongForAFileIsRefusedOnceAndTheOthersAreRegistered() throws Exception {
        List<Variant> one = List.of(new Variant("1.0", "a"));
        String service = "com.example." + "a".repeat(244);
        Registration registration = registered("192.0.2.7");

        registration.select(Map.of(service, one, GREETER, one));
        Await.until("the line", () -> !log.warnings().isEmpty());
        registration.changeWeight(4);

        Await.untilAsserted(
                SECOND, () -> assertThat(file("192.0.2.7_30000")).content().startsWith("{\"weight\":4,"));
        assertThat(log.warnings())
                .containsExactly(folder.resolve("mesh") + "/" + service + " cannot be written: no file can have this"
                        + " name (256 bytes; expected: 255 at most); this is tried again");
    }

    @Test
    void anUnreadableEntryIsReportedOnceAndDoesNotHideOthers() throws Exception {
        registered("192.0.2.7");
        // A link to itself cannot be opened by any user, root included.
        Path file = file("192.0.2.8_30000");
        Files.createSymbolicLink(file, file);
        Path service = folder.resolve("mesh").resolve("com.example.Clock");
        Files.createSymbolicLink(service, service);

        registry.watch(watcher);

        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3");
        Files.writeString(file("192.0.2.9_30000"), "");
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*3", "192.0.2.9:30000*1");
        assertThat(log.warnings())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("registry entry " + file + " cannot be read: "))
                .anyMatch(line -> line.startsWith("registry entry " + service + " cannot be read: "))
                .allMatch(line ->
                        line.endsWith("; make it readable for this agent's user (files 0644, directories 0755)"));
    }
}
