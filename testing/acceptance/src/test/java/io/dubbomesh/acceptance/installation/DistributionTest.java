package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.document.ShownOutput;
import io.dubbomesh.acceptance.document.Snippet;
import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Program;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The release as scripts/dist.sh makes it: unpacked, looked through and run. It is built anew with
 * {@code -Dtest.all=true}, or where this build has no SBOM; otherwise it holds the jars of this build.
 */
@Timeout(600)
class DistributionTest {
    private static final Duration TO_BUILD = Duration.ofMinutes(20);
    private static final Duration TO_RUN = Duration.ofMinutes(5);
    private static final Pattern COMPONENT =
            Pattern.compile("\"purl\" ?: ?\"pkg:maven/([^/]+)/([^@]+)@([^?]+)\\?(?:classifier=([^&]+)&)?type=jar\"");

    /** To a file, by a relative path. */
    private static final Pattern LINK = Pattern.compile("]\\((?![a-z]+:)([^)#\\s]+)(?:#[^)]*)?\\)");

    private static Path release;
    private static Path installed;
    private static Path sbom;

    @BeforeAll
    @Timeout(1500)
    static void makeAndUnpack() throws Exception {
        release = Mesh.named("DistributionTest-release").directory();
        List<String> command = new ArrayList<>(List.of("bash", "../../scripts/dist.sh"));
        if (!Selection.isAll() && Files.exists(Path.of("../../dist/target/sbom.json"))) {
            command.add("--built");
        }
        command.add(release.toString());
        run(TO_BUILD, command.toArray(String[]::new));
        run(TO_RUN, "bash", "-c", "cd " + release + " && for file in *.tar.gz; do tar -xzf $file; done");
        installed = only("glob:**/dubbo-mesh-*[!z]", Files::isDirectory);
        sbom = only("glob:**.cdx.json", Files::isRegularFile);
    }

    private static Path only(String glob, java.util.function.Predicate<Path> kind) throws IOException {
        try (Stream<Path> files = Files.list(release)) {
            List<Path> found = files.filter(kind)
                    .filter(release.getFileSystem().getPathMatcher(glob)::matches)
                    .toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }

    /** Returns the output, with the standard error. */
    private static String run(Duration time, String... command) throws Exception {
        return run(0, time, command);
    }

    private static String run(int exitCode, Duration time, String... command) throws Exception {
        RunningProcess process = RunningProcess.start(release.resolve("commands.log"), List.of(command));
        assertThat(process.awaitExit(time)).as(process.output()).isEqualTo(exitCode);
        return process.output();
    }

    @Test
    void theChecksumsCoverTarballAndSbom() throws Exception {
        assertThat(run(TO_RUN, "bash", "-c", "cd " + release + " && sha256sum -c SHA256SUMS"))
                .startsWith(installed.getFileName() + ".tar.gz: OK\n" + sbom.getFileName() + ": OK\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer-agent", "provider-agent", "meshctl"})
    void twoBuildsMakeTheSameBytes(String module) throws Exception {
        Path other = Path.of("../..", module, "target", module + ".jar");

        assertThat(Files.mismatch(installed.resolve("lib/" + module + ".jar"), other))
                .as("the first other byte of " + module + ".jar in the release and in this build")
                .isEqualTo(-1);
    }

    @Test
    void theChecksumsCanBeSigned(@TempDir Path copy) throws Exception {
        // Not below the tests' own directories: the path of the socket of GnuPG's agent has to be short.
        Path keys = copy.resolve("keys");
        Files.createDirectory(keys, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path signed = copy.resolve("dubbo-mesh-1.0.cdx.json");
        Files.copy(sbom, signed);
        Files.writeString(copy.resolve("SHA256SUMS"), run(TO_RUN, "bash", "-c", "cd " + copy + " && sha256sum *.json"));
        String inKeys = "export GNUPGHOME=" + keys + "; ";
        String sign = inKeys + "../../scripts/sign-release.sh release@example.com " + copy;
        try {
            run(
                    TO_RUN,
                    "bash",
                    "-c",
                    inKeys + "gpg --batch --passphrase '' --quick-gen-key release@example.com ed25519 sign");
            assertThat(run(TO_RUN, "bash", "-c", sign)).contains("Good signature");
            assertThat(copy.resolve("SHA256SUMS.asc")).isNotEmptyFile();

            Files.writeString(signed, "other");
            assertThat(run(1, TO_RUN, "bash", "-c", sign))
                    .contains("the files are not those that SHA256SUMS was made of");

            Files.writeString(copy.resolve("SHA256SUMS"), "0  dubbo-mesh-1.0-dirty.cdx.json");
            assertThat(run(1, TO_RUN, "bash", "-c", sign)).contains("changes that were not committed");
        } finally {
            run(TO_RUN, "bash", "-c", inKeys + "gpgconf --kill all");
        }
    }

    @Test
    void everyKnownHoleHasAnOldestAllowedVersion() throws Exception {
        String pom = Files.readString(Path.of("../../dist/pom.xml"));
        List<String> holes = Files.readAllLines(Path.of("../../dist/known-holes.tsv")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();

        assertThat(holes).isNotEmpty().allMatch(line -> line.split("\t").length == 4);
        Map<String, String> newest = new TreeMap<>();
        for (String hole : holes) {
            String artifact = hole.split("\t")[0];
            newest.put(artifact.startsWith("io.netty:") ? "io.netty:netty-*" : artifact, hole.split("\t")[1]);
        }
        newest.forEach((artifact, fixed) -> assertThat(pom).contains("<exclude>" + artifact + ":(," + fixed + ")<"));
    }

    /**
     * Checks the rules of dist/pom.xml with a project that has the libraries of a release; then with oldest versions
     * that no library reaches.
     */
    @Test
    @Tag("release")
    void theBuildEndsBelowEachOldestVersion(@TempDir Path project) throws Exception {
        String pom = Files.readString(Path.of("../../dist/pom.xml"));
        List<MatchResult> rules = Pattern.compile("<exclude>([^:]+:[^:]+):\\(,[^)]+\\)</exclude>")
                .matcher(pom)
                .results()
                .toList();
        assertThat(rules).hasSizeGreaterThan(8);

        Files.writeString(project.resolve("pom.xml"), withLibraries(pom, project));
        assertThat(validate(0, project)).doesNotContain("ERROR");

        Files.writeString(
                project.resolve("pom.xml"), withLibraries(pom, project).replaceAll(":\\(,[^)]+\\)<", ":(,9999)<"));
        String refusal = validate(1, project);
        assertThat(refusal).contains("a library with a known hole: see known-holes.tsv");
        for (MatchResult rule : rules) {
            assertThat(refusal).contains(rule.group(1).replace("*", "handler") + ":");
        }
        assertThat(refusal).doesNotContain("netty-tcnative");
    }

    /**
     * A project of the rules in dist/pom.xml and the libraries in dist/dependencies.lock, for Maven without the
     * network.
     */
    private static String withLibraries(String pom, Path project) throws IOException {
        StringBuilder dependencies = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("../../dist/dependencies.lock"))) {
            String[] library = line.split(" ")[0].split(":");
            dependencies.append(("<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>%s"
                            + "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
                            + "</dependency>")
                    .formatted(
                            library[0],
                            library[1],
                            library[2],
                            library.length > 3 ? "<classifier>" + library[3] + "</classifier>" : ""));
        }
        Path root = project.toRealPath().relativize(Path.of("../../pom.xml").toRealPath());
        return pom.replaceFirst(
                        "<parent>(?s)(.*?)</parent>", "<parent>$1<relativePath>" + root + "</relativePath></parent>")
                .replaceFirst(
                        "(?s)<dependencies>.*?</dependencies>", "<dependencies>" + dependencies + "</dependencies>");
    }

    private static String validate(int exitCode, Path project) throws Exception {
        return run(exitCode, TO_RUN, "mvn", "-o", "-q", "-B", "-f", project.toString(), "validate");
    }

    @Test
    @Tag("release")
    void aReleaseWithAnOldLibraryIsRefusedByTheNameOfTheHole(@TempDir Path copy) throws Exception {
        String bill = Files.readString(sbom);
        Map<String, String> before = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../../dist/known-holes.tsv"))) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] hole = line.split("\t");
            // With the version that ended the hole in the line before, so that it is this one that is found.
            String old = before.getOrDefault(hole[0], "0.0.1");
            before.put(hole[0], hole[1]);
            String purl = "pkg:maven/" + hole[0].replace(':', '/') + "@";
            assertThat(bill).contains(purl);
            Path changed = Files.writeString(
                    copy.resolve("sbom.json"), bill.replaceAll(Pattern.quote(purl) + "[^?\"]+", purl + old));

            assertThat(checkHoles(1, changed))
                    .isEqualTo("check: " + hole[0] + ' ' + old + " has the hole " + hole[2] + " (" + hole[3]
                            + "); expected: " + hole[1] + " or newer\n");
        }
        assertThat(checkHoles(0, sbom)).isEmpty();
    }

    /** Runs that part of scripts/dist.sh alone. */
    private static String checkHoles(int exitCode, Path bill) throws Exception {
        String functions =
                "eval \"$(sed -n '/^libraries() {/,/^}/p; /^check_holes() {/,/^}/p' ../../scripts/dist.sh)\"";
        String die = "die() { echo \"check: $*\"; exit 1; }";
        return run(exitCode, TO_RUN, "bash", "-euc", die + "\nroot=../..\n" + functions + "\ncheck_holes " + bill);
    }

    @Test
    void everyLibraryHasItsLicence() throws Exception {
        List<String> libraries = Files.readAllLines(installed.resolve("THIRD-PARTY.txt")).stream()
                .filter(line -> line.matches("[^ ]+:[^ ]+:[^ ]+( .*)?"))
                .toList();
        assertThat(libraries).hasSizeGreaterThan(40).allMatch(line -> line.matches("[^ ]+ +[A-Z][^ ].*"));

        try (Stream<Path> texts = Files.list(installed.resolve("licenses"))) {
            assertThat(texts)
                    .hasSizeGreaterThan(3)
                    .allSatisfy(text -> assertThat(text).isNotEmptyFile());
        }
    }

    @Test
    void theTarballHoldsNothingOfTheMachineThatBuiltIt() throws Exception {
        String files = run(TO_RUN, "tar", "-tvzf", installed + ".tar.gz");
        assertThat(files.lines()).hasSizeGreaterThan(20).allMatch(line -> line.contains(" 0/0 "));
        assertThat(files.lines().map(line -> line.replaceAll(".* ([0-9-]{10} [0-9:]{5}) .*", "$1")))
                .containsOnly(files.lines().findFirst().orElseThrow().replaceAll(".* ([0-9-]{10} [0-9:]{5}) .*", "$1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer", "provider"})
    void theConfigurationHasEverySettingAndNoOther(String agent) throws Exception {
        String reference = "io/dubbomesh/" + agent + "/reference.conf";
        String conf = Files.readString(installed.resolve("conf/" + agent + "-agent.conf"));
        assertThat(keys(conf, "#([a-z.-]+) = ")).isEqualTo(keys(resource(reference), "\"([^\"]+)\" = "));

        Path everythingSet = release.resolve(agent + "-everything-set.conf");
        Files.writeString(everythingSet, conf.replaceAll("(?m)^#(?! )", ""));
        Settings settings = Settings.of(reference, Map.of("config.file", everythingSet.toString()), Map.of());
        settings.check();
        assertThat(settings.isSet("server.port")).isTrue();
        Files.writeString(everythingSet, "server.prt = 1\n");
        assertThat(catchMessage(() -> Settings.of(reference, Map.of("config.file", everythingSet.toString()), Map.of())
                        .check()))
                .contains("server.prt: no such setting");
    }

    /** A name that has changed would make an agent slower without a word. */
    @Test
    void theClassesNamedToTheCompilerExist() throws Exception {
        String launcher = Files.readString(installed.resolve("lib/launch.sh"));
        List<String> classes = new ArrayList<>();
        for (String agent : List.of("consumer-agent", "provider-agent")) {
            try (JarFile jar =
                    new JarFile(installed.resolve("lib/" + agent + ".jar").toFile())) {
                jar.stream().forEach(entry -> classes.add(entry.getName().replace('/', '.')));
            }
        }

        List<String> named = Pattern.compile("dontinline,([\\w.]+?)(?:\\.\\*)?::")
                .matcher(launcher)
                .results()
                .map(option -> option.group(1))
                .toList();
        assertThat(named)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(classes).as(name).anyMatch(each -> each.startsWith(name + '.')));
    }

    private static String catchMessage(Runnable runnable) {
        try {
            runnable.run();
            return "nothing was thrown";
        } catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    private static List<String> keys(String text, String pattern) {
        return Pattern.compile("(?m)^" + pattern)
                .matcher(text)
                .results()
                .map(line -> line.group(1))
                .toList();
    }

    private static String resource(String name) throws IOException {
        try (var stream = Settings.class.getClassLoader().getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer", "provider"})
    void theManualHasEverySetting(String agent) throws Exception {
        String manual = Files.readString(installed.resolve("man/man1/" + agent + "-agent.1"));
        assertThat(keys(manual.replace("\\-", "-"), "\\.B ([a-z.-]+) \\\\fR= "))
                .isEqualTo(keys(resource("io/dubbomesh/" + agent + "/reference.conf"), "\"([^\"]+)\" = "));
    }

    @Test
    void theReleaseHasThePagesAndTheChangelog() throws Exception {
        assertThat(installed.resolve("docs/errors.md")).hasSameTextualContentAs(Path.of("../..", "docs", "errors.md"));
        assertThat(installed.resolve("CHANGELOG.md")).hasSameTextualContentAs(Path.of("../..", "CHANGELOG.md"));
        assertThat(installed.resolve("examples/README.md")).isNotEmptyFile();
    }

    @Test
    void everyLinkOfAPageLeadsToAFileOfTheRelease() throws Exception {
        List<String> dead = new ArrayList<>();
        try (Stream<Path> files = Files.walk(installed)) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".md")).toList()) {
                for (MatchResult link :
                        LINK.matcher(Files.readString(page)).results().toList()) {
                    if (!Files.exists(page.resolveSibling(link.group(1)))) {
                        dead.add(installed.relativize(page) + ": " + link.group(1));
                    }
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void theSbomListsWhatTheJarsHold() throws Exception {
        TreeSet<String> held = new TreeSet<>();
        addCode(held, installed.resolve("lib/consumer-agent.jar"));
        addCode(held, installed.resolve("lib/provider-agent.jar"));
        addCode(held, installed.resolve("lib/meshctl.jar"));
        held.removeIf(entry -> entry.startsWith("io/dubbomesh/"));

        TreeSet<String> listed = new TreeSet<>();
        for (MatchResult component :
                COMPONENT.matcher(Files.readString(sbom)).results().toList()) {
            assertThat(component.group(1)).isNotIn("org.apache.dubbo", "com.alibaba");
            if (!component.group(1).equals("io.dubbomesh")) {
                String classifier = component.group(4) == null ? "" : "-" + component.group(4);
                addCode(listed, onClassPath(component.group(2) + "-" + component.group(3) + classifier + ".jar"));
            }
        }
        assertThat(held).hasSizeGreaterThan(10_000);
        List<String> unlisted = new ArrayList<>(held);
        unlisted.removeAll(listed);
        assertThat(unlisted).isEmpty();
        listed.removeAll(held);
        // What the build leaves out of the jars: OpenSSL of the client of Nacos.
        listed.removeIf(name -> name.matches("META-INF/native/.*io_grpc.*tcnative.*"));
        assertThat(listed).isEmpty();
        assertThat(held).noneMatch(name -> name.contains("tcnative_windows"));
    }

    /** The names of classes and of native libraries. */
    private static void addCode(TreeSet<String> names, Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            jar.stream()
                    .map(JarEntry::getName)
                    .filter(name ->
                            name.matches(".*\\.(class|so|jnilib|dylib|dll)") && !name.endsWith("module-info.class"))
                    .forEach(names::add);
        }
    }

    /** The agents are on the class path of these tests, and with them all that they need. */
    private static Path onClassPath(String name) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> path.getFileName().toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is in the SBOM, but not on the agents' class path"));
    }

    @Test
    void theAgentsRunFromWhereTheyAreInstalled() throws Exception {
        run(TO_RUN, program("make-archive"));
        assertStartsFromItsArchive("consumer-agent", "io.dubbomesh.consumer.ConsumerAgent");
        assertStartsFromItsArchive("provider-agent", "io.dubbomesh.provider.ProviderAgent");

        Mesh mesh = Mesh.named("DistributionTest");
        String etcd = mesh.etcd().uri();
        Dubbo provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0"));
        provider.awaitListening();
        Agent providerAgent = mesh.providerAgent(
                launcher("provider-agent"),
                "provider-agent",
                Map.of(
                        "registry",
                        etcd,
                        "server.host",
                        "127.0.0.1",
                        "dubbo.services",
                        Form.SERVICE,
                        "dubbo.protocol.port",
                        Integer.toString(provider.port())));
        providerAgent.awaitReady();
        Agent consumerAgent =
                mesh.consumerAgent(launcher("consumer-agent"), "consumer-agent", Map.of("registry", etcd));
        consumerAgent.awaitReady();
        Load.warmUp(consumerAgent.port());
        for (String text : List.of("", "hello", "\u4f60\u597d")) {
            HttpSocket.once(consumerAgent.port(), Form.post(Form.hash(text), Form.PATIENT))
                    .assertHash(text);
        }

        Agent gateway = mesh.consumerAgent(
                launcher("gateway"),
                "gateway",
                Map.of("registry", "static:dubbo://127.0.0.1:" + provider.port(), "dubbo.api.jars", ""));
        gateway.awaitReady();
        Load.warmUp(gateway.port());
        HttpSocket.once(gateway.port(), Form.post(Form.hash("direct"), Form.PATIENT))
                .assertHash("direct");
        mesh.end();
    }

    private static void assertStartsFromItsArchive(String agent, String mainClass) throws Exception {
        assertThat(archive(agent)).isNotEmptyFile();
        Path classes = release.resolve(agent + "-classes.log");
        run(2, TO_RUN, program(agent), "-Xlog:class+load:file=" + classes, "-Dserver.port=none");
        assertThat(Files.readAllLines(classes))
                .as("the classes of a start that was refused")
                .anyMatch(line -> line.contains(mainClass + " source: shared objects file"));
    }

    /** Returns what the JVM of an agent starts from: an AOT cache, or with a Java before 25 a class archive. */
    private static Path archive(String agent) {
        Path cache = installed.resolve("lib/" + agent + ".aot");
        return Files.exists(cache) ? cache : installed.resolve("lib/" + agent + ".jsa");
    }

    @Test
    void anArchiveThatDoesNotFitIsNotWorthAWord(@TempDir Path copy) throws Exception {
        run(TO_RUN, "cp", "-r", installed.toString(), copy.toString());
        Path other = copy.resolve(installed.getFileName());
        for (String ending : List.of(".aot", ".jsa")) {
            Files.writeString(other.resolve("lib/consumer-agent" + ending), "of another JVM");
        }

        assertThat(run(2, TO_RUN, other.resolve("bin/consumer-agent").toString(), "-Dserver.port=none"))
                .isEqualTo("server.port: none (expected: 1-65535)\n");
    }

    @Test
    void anAgentThatCannotStartGetsNoArchive() throws Exception {
        Path archive = release.resolve("consumer-agent.jsa");
        String jar = installed.resolve("lib/consumer-agent.jar").toString();

        assertThat(run(1, TO_RUN, program("make-archive"), jar, archive.toString(), "-Dserver.prot=1"))
                .contains("was not made", "server.prot: no such setting");
        assertThat(archive).doesNotExist();
    }

    @Test
    void theGatewayHasItsConfigurationItsManualAndItsUnit() throws Exception {
        String conf = installed.resolve("conf/gateway.conf").toString();
        List<String> lines = Files.readAllLines(Path.of(conf));
        assertThat(lines.get(0)).startsWith("# Every setting of a gateway, ");
        assertThat(lines)
                .contains("type = gateway")
                .filteredOn(line -> line.startsWith("# --- "))
                .first()
                .isEqualTo("# --- registry ---");
        assertThat(keys(lines))
                .hasSizeGreaterThan(100)
                .containsExactlyInAnyOrderElementsOf(
                        keys(Files.readAllLines(installed.resolve("conf/consumer-agent.conf"))));
        assertThat(run(1, TO_RUN, program("meshctl"), "check-config", conf)).startsWith("registry: ");
        assertThat(run(TO_RUN, program("meshctl"), "check-config", conf, "-Dregistry=zookeeper://127.0.0.1:2181"))
                .isEqualTo(conf + ": a gateway takes it\n");
        assertThat(Files.readString(installed.resolve("man/man1/gateway.1")))
                .startsWith(".TH GATEWAY 1")
                .contains("conf/gateway.conf")
                .contains("lib/consumer-agent.jsa");
        String unit = Files.readString(installed.resolve("systemd/dubbo-mesh-gateway.service"));
        assertThat(unit).contains("ExecStart=/opt/dubbo-mesh/bin/gateway -Dconfig.file=/etc/dubbo-mesh/gateway.conf");

        assertThat(run(TO_RUN, program("gateway"), "--help")).startsWith("usage: gateway -Dregistry=");
        assertThat(run(TO_RUN, program("gateway"), "--version"))
                .startsWith("gateway ")
                .contains("(Java ");
        assertThat(run(2, TO_RUN, program("gateway"))).startsWith("registry: ");
    }

    /** Returns the keys of the settings in a file of conf/. */
    private static List<String> keys(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches("#?[a-z][a-z0-9.-]* = .*"))
                .map(line -> line.replaceAll("^#| = .*", ""))
                .toList();
    }

    /** The first block of docs/use/migrate.md, as it is there, in a folder with the release. */
    @Test
    void theFirstCallOfASystemWithZooKeeperTakesTheTenLinesOfThePage() throws Exception {
        Snippet snippet = Snippet.all().stream()
                .filter(each -> each.page().equals("docs/use/migrate.md"))
                .findFirst()
                .orElseThrow();
        assertThat(snippet.lines()).hasSize(10);
        Path directory = Mesh.named("DistributionTest-migrate").directory();
        String tarball = installed.getFileName() + ".tar.gz";
        Files.createSymbolicLink(directory.resolve(tarball), release.resolve(tarball));
        String mark = "=== ";
        StringBuilder script = new StringBuilder();
        for (Snippet.Exchange exchange : snippet.exchanges()) {
            script.append(exchange.command())
                    .append("\necho; echo '")
                    .append(mark)
                    .append("'\n");
        }

        RunningProcess commands = ZooKeeperSystem.run(directory, mark, script.toString());

        assertThat(commands.awaitExit(TO_RUN)).as(commands.output()).isZero();
        String[] printed = commands.output().split(mark, -1);
        for (int i = 0; i < snippet.exchanges().size(); i++) {
            Snippet.Exchange exchange = snippet.exchanges().get(i);
            if (!ShownOutput.matches(exchange.output(), printed[i + 1].strip())) {
                assertThat(printed[i + 1].strip()).as(exchange.command()).isEqualTo(exchange.output());
            }
        }
    }

    /** Starts the launcher by a link from elsewhere, with the configuration as it was shipped. */
    private static Program launcher(String agent) {
        return (log, settings) -> {
            Path link = Files.createSymbolicLink(release.resolve(agent), installed.resolve("bin/" + agent));
            List<String> command = new ArrayList<>(
                    List.of(link.toString(), "-Dconfig.file=" + installed.resolve("conf/" + agent + ".conf")));
            settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
            return RunningProcess.start(log, command);
        };
    }

    private static String program(String name) {
        return installed.resolve("bin/" + name).toString();
    }

    @Test
    void theToolForOperatorsChecksTheConfigurationAsItWasShipped() throws Exception {
        String conf = installed.resolve("conf/consumer-agent.conf").toString();

        assertThat(run(TO_RUN, program("meshctl"), "--version")).startsWith("meshctl ");
        assertThat(Files.readString(installed.resolve("man/man1/meshctl.1")))
                .startsWith(".TH MESHCTL 1 ")
                .doesNotContain("@VERSION@", "@DATE@");
        assertThat(run(TO_RUN, program("meshctl"), "check-config", conf))
                .isEqualTo(conf + ": a consumer agent takes it\n");
        assertThat(run(1, TO_RUN, program("meshctl"), "check-config", conf, "-Dserver.port=70000"))
                .isEqualTo("server.port: 70000 (expected: 1-65535)\n");
        assertThat(run(
                        TO_RUN,
                        "bash",
                        "-c",
                        ". " + installed.resolve("completions/meshctl") + " && complete -p meshctl"))
                .contains("meshctl");
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer-agent", "provider-agent"})
    void aLauncherPrintsItsVersionAndItsOptions(String agent) throws Exception {
        assertThat(run(TO_RUN, program(agent), "--help"))
                .startsWith("usage: " + agent)
                .contains("-Dserver.port=");
        assertThat(run(TO_RUN, program(agent), "--version"))
                .startsWith(agent + " ")
                .contains("(Java ");
        assertThat(run(2, TO_RUN, program(agent), "server.port=1"))
                .isEqualTo(agent + ": server.port=1: no such option (did you mean -Dserver.port=1?)\nusage: " + agent
                        + " [-Dkey=value ...], --help or --version\n");
        assertThat(run(2, TO_RUN, program(agent), "--server.port=1")).contains("(did you mean -Dserver.port=1?)");
        String jar = installed.resolve("lib/" + agent + ".jar").toString();
        assertThat(run(2, TO_RUN, "java", "-jar", jar, "--server.port=1"))
                .isEqualTo("--server.port=1: no such option (did you mean -Dserver.port=1, before -jar?)\n"
                        + "usage: java [-Dkey=value ...] -jar JAR\n");
        assertThat(run(TO_RUN, program(agent), "-h")).startsWith("usage: " + agent);
        String needed = agent.equals("provider-agent") ? "-Ddubbo.services=a.B" : "-Dregistry=static:127.0.0.1:1";
        String host = "-Dserver.host=127.0.0.1";
        assertThat(run(2, TO_RUN, program(agent), "-Dserver.port=70000", "-Dadmin.port=x", needed, host))
                .isEqualTo("server.port: 70000 (expected: 1-65535)\nadmin.port: x (expected: 1-65535)\n");
        assertThat(run(2, TO_RUN, program(agent), "-Dserver.prot=1", needed, host))
                .isEqualTo("server.prot: no such setting (did you mean server.port?)\n");
        assertThat(run(2, TO_RUN, "env", "JAVA_HOME=/nowhere", program(agent)))
                .isEqualTo(agent + ": JAVA_HOME: /nowhere (expected: a directory with bin/java)\n");
    }
}
