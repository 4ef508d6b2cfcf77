package io.dubbomesh.client.discovery;

import io.dubbomesh.client.definition.ReportedDefinitions;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import static io.dubbomesh.testsupport.Hex.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class MetadataDiscoveryTest {
    /** A time so long that only the provider can end it. */
    private static final String FOR_EVER = "24 h";

    private static final int SERVICE_ERROR = 70;
    private static final MethodDefinition GREET =
            new MethodDefinition("greet", List.of("java.lang.String"), "java.lang.String");
    /** The same as its class file has it. */
    private static final MethodDefinition GREET_WITH_NAME = new MethodDefinition(
            "greet",
            List.of("java.lang.String"),
            "java.lang.String",
            List.of("java.lang.String"),
            new MethodDefinition.ParameterFacts(List.of("name"), List.of()));

    private static final String GREET_JSON =
            "{\"methods\":[{\"name\":\"greet\",\"parameterTypes\":[\"java.lang.String\"],\"returnType\":\"java.lang.String\"}],"
                    + "\"types\":[{\"type\":\"a.Kind\",\"enums\":[\"ONE\"]}]}";

    private final ScriptedProvider stub;
    private ReportedDefinitions reports = ReportedDefinitions.NONE;
    private final Map<String, String> properties = new HashMap<>();

    MetadataDiscoveryTest() throws IOException {
        stub = new ScriptedProvider();
        properties.put("dubbo.protocol.port", String.valueOf(stub.port()));
        properties.put("dubbo.services", "a.Greeter");
        properties.put("dubbo.inquiry.timeout", FOR_EVER);
    }

    @AfterEach
    void close() throws IOException {
        stub.close();
    }

    private CompletableFuture<ServiceDefinitions> start() {
        Settings settings = Settings.of("dubbo-settings.conf", properties, Map.of());
        return new ProviderDiscovery(
                        new HostPort(
                                settings.text("dubbo.protocol.host"),
                                settings.integer("dubbo.protocol.port", 1, 65535)),
                        Serialization.HESSIAN2,
                        ServedServices.parse(settings.list("dubbo.services")),
                        DiscoverySettings.from(settings),
                        false,
                        reports)
                .definitions(0);
    }

    private static ServiceDefinition definition(
            CompletableFuture<ServiceDefinitions> known, String... serviceVersionGroup) throws Exception {
        String[] names = serviceVersionGroup;
        String version = names.length > 1 ? names[1] : "";
        String group = names.length > 2 ? names[2] : "";
        return known.get(20, TimeUnit.SECONDS).definition(new MethodName(names[0], "", "", version, group));
    }

    private static String longText(String text) {
        return "53" + String.format("%04x", text.length()) + text(text);
    }

    /** Answers the first question, in a group that there is not, as providers do. */
    private static DubboFrame answerWhatThereIs(DubboConnection provider, String services) throws IOException {
        DubboFrame asked = provider.read();
        String error = "org.apache.dubbo.remoting.RemotingException: Not found exported service: -/a.Greeter:20880 in ["
                + services + "], may be version or group mismatch , channel: ...\n\tat a.b(C.java:1)";
        provider.answer(asked.id(), SERVICE_ERROR, longText(error));
        return asked;
    }

    private static DubboFrame answerDefinition(DubboConnection provider, String json) throws IOException {
        DubboFrame asked = provider.read();
        provider.answer(asked.id(), 20, "94" + longText(json) + "48 05 6475 62626f 05 322e302e32 5a");
        return asked;
    }

    private static void answerLine(DubboConnection provider, String command, String answer) throws IOException {
        assertThat(provider.readLine()).isEqualTo(command);
        provider.send(text(answer));
    }

    @Test
    void theMetadataServiceIsFoundByTheNameInTheProvidersAnswer() throws Exception {
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            DubboFrame first = answerWhatThereIs(
                    provider, "a.Greeter:20880, demo/org.apache.dubbo.metadata.MetadataService:1.0.0:" + stub.port());
            // No argument: some versions would log a stack trace for each.
            assertThat(first.header()).isEqualTo("dabbc200");
            assertThat(first.body())
                    .startsWith("05322e302e32" + "09" + text("a.Greeter") + "05" + text("0.0.0") + "05" + text("$echo")
                            + "00" + "48")
                    .contains(text("group"));

            DubboFrame second = answerDefinition(provider, GREET_JSON);
            assertThat(second.body())
                    .contains(text("org.apache.dubbo.metadata.MetadataService") + "05" + text("1.0.0"))
                    .contains(text("getServiceDefinition"))
                    .contains("09" + text("a.Greeter") + "00" + "00")
                    .contains("05" + text("group") + "04" + text("demo"));

            assertThat(definition(known, "a.Greeter"))
                    .isEqualTo(new ServiceDefinition(
                            List.of(GREET), Map.of("a.Kind", new TypeDefinition("a.Kind", List.of("ONE"), Map.of()))));
            assertThat(provider.isAtEnd()).isTrue();
        }
    }

    @Test
    void theMetadataServiceMayHaveASeparatePort() throws Exception {
        properties.put("dubbo.services", "a.Greeter:1.0:g,a.Greeter:2.0");
        try (ScriptedProvider other = new ScriptedProvider()) {
            CompletableFuture<ServiceDefinitions> known = start();
            try (DubboConnection provider = stub.accept()) {
                answerWhatThereIs(provider, "demo/org.apache.dubbo.metadata.MetadataService:1.0.0:" + other.port());
                try (DubboConnection metadata = other.accept()) {
                    assertThat(answerDefinition(metadata, GREET_JSON).body())
                            .contains("09" + text("a.Greeter") + "03" + text("1.0") + "01" + text("g"));
                    answerDefinition(metadata, "");
                    assertThat(metadata.isAtEnd()).isTrue();
                }
                answerLine(provider, "ls -l a.Greeter", "No such service a.Greeter\r\ndubbo>");
                assertThat(provider.isAtEnd()).isTrue();
            }
            assertThat(definition(known, "a.Greeter", "1.0", "g").methods()).containsExactly(GREET);
            assertThat(definition(known, "a.Greeter", "2.0")).isNull();
        }
    }

    @Test
    void ofManyApplicationsTheOneThatIsSetIsAsked() throws Exception {
        properties.put("dubbo.application", "mine");
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            String metadata = "/org.apache.dubbo.metadata.MetadataService:1.0.0:" + stub.port();
            answerWhatThereIs(provider, "a" + metadata + ", mine" + metadata + ", z" + metadata);
            assertThat(answerDefinition(provider, GREET_JSON).body()).contains("04" + text("mine"));
            assertThat(definition(known, "a.Greeter").methods()).containsExactly(GREET);
        }
    }

    @Test
    void theApplicationThatIsSetIsAskedWhereTheAnswerHasNoList() throws Exception {
        properties.put("dubbo.application", "mine");
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            // 3.2 answers requests of every serialization in fastjson2.
            provider.send(DubboFrame.frame(0x17, SERVICE_ERROR, provider.read().id(), "7900"));
            assertThat(answerDefinition(provider, GREET_JSON).body()).contains("04" + text("mine"));
            assertThat(definition(known, "a.Greeter").methods()).containsExactly(GREET);
        }
    }

    @Test
    void withoutAMetadataServiceMethodsAreListedByTelnet() throws Exception {
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            answerWhatThereIs(provider, "a.Greeter:20880");
            answerLine(provider, "ls -l a.Greeter", "java.lang.String greet(java.lang.String)\r\ndubbo>");
            assertThat(definition(known, "a.Greeter")).isEqualTo(new ServiceDefinition(List.of(GREET), Map.of()));
            assertThat(provider.isAtEnd()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"methods\":[]}"})
    void anEmptyDefinitionIsFollowedByTelnet(String json) throws Exception {
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            answerWhatThereIs(provider, "demo/org.apache.dubbo.metadata.MetadataService:1.0.0:" + stub.port());
            answerDefinition(provider, json);
            answerLine(provider, "ls -l a.Greeter", "Unsupported command: ls\r\ndubbo>");
            assertThat(definition(known, "a.Greeter")).isNull();
            assertThat(provider.isAtEnd()).isTrue();
        }
    }

    private List<ReportedService> reporting(String json) {
        List<ReportedService> asked = new CopyOnWriteArrayList<>();
        MetadataReport report = (service, timeoutMs) -> {
            asked.add(service);
            return json;
        };
        reports = new ReportedDefinitions(List.of(report), null);
        return asked;
    }

    /** Answers as Dubbo 3 does, whose metadata service says nothing and whose telnet has no such command. */
    private void tellNothing(CompletableFuture<ServiceDefinitions> known) throws Exception {
        try (DubboConnection provider = stub.accept()) {
            answerWhatThereIs(provider, "demo/org.apache.dubbo.metadata.MetadataService:1.0.0:" + stub.port());
            answerDefinition(provider, "");
            answerLine(provider, "ls -l a.Greeter", "Unsupported command: ls\r\ndubbo>");
            known.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatTheProviderDoesNotTellIsReadInTheMetadataReportOfItsApplication() throws Exception {
        List<ReportedService> asked = reporting(GREET_JSON);
        CompletableFuture<ServiceDefinitions> known = start();
        tellNothing(known);

        assertThat(definition(known, "a.Greeter").methods()).containsExactly(GREET);
        assertThat(definition(known, "a.Greeter").types()).containsOnlyKeys("a.Kind");
        assertThat(definition(known, "a.Greeter").source()).isEqualTo(DefinitionSource.METADATA_REPORT);
        assertThat(known.join().areFinal()).isTrue();
        assertThat(asked).containsExactly(new ReportedService("a.Greeter", Variant.NONE, "demo"));
    }

    @Test
    void aReportThatIsNotThereMayComeLater() throws Exception {
        reporting(null);
        CompletableFuture<ServiceDefinitions> known = start();
        tellNothing(known);

        assertThat(definition(known, "a.Greeter")).isNull();
        assertThat(known.join().areFinal()).isFalse();
    }

    @Test
    void aReportCountsMoreThanTheListOfTelnetWhichHasNoFields() throws Exception {
        reporting(GREET_JSON);
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            answerWhatThereIs(provider, "a.Greeter:20880");
            answerLine(provider, "ls -l a.Greeter", "java.lang.String hello(java.lang.String)\r\ndubbo>");
            assertThat(definition(known, "a.Greeter").methods()).containsExactly(GREET);
        }
    }

    @Test
    void theListOfTelnetStaysWhereThereIsNoReport() throws Exception {
        reporting(null);
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            answerWhatThereIs(provider, "a.Greeter:20880");
            answerLine(provider, "ls -l a.Greeter", "java.lang.String greet(java.lang.String)\r\ndubbo>");
            assertThat(definition(known, "a.Greeter").source()).isEqualTo(DefinitionSource.PROVIDER);
        }
    }

    @Test
    void theProvidersOwnMetadataServiceCountsMoreThanAReport() throws Exception {
        List<ReportedService> asked = reporting("{");
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            answerWhatThereIs(provider, "demo/org.apache.dubbo.metadata.MetadataService:1.0.0:" + stub.port());
            answerDefinition(provider, GREET_JSON);
            assertThat(definition(known, "a.Greeter").source()).isEqualTo(DefinitionSource.PROVIDER);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void reportsAreReadThoughTheProviderIsNotAsked() throws Exception {
        properties.put("dubbo.inquiry", "false");
        properties.put("dubbo.application", "mine");
        List<ReportedService> asked = reporting(GREET_JSON);

        assertThat(definition(start(), "a.Greeter").methods()).containsExactly(GREET);
        assertThat(asked).containsExactly(new ReportedService("a.Greeter", Variant.NONE, "mine"));
    }

    @Test
    void heartbeatsAndOtherAnswersInBetweenAreSkipped() throws Exception {
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            provider.send(DubboFrame.frame(0xe2, 0, 1, "4e"));
            provider.answer(99, 20, "91 94");
            answerWhatThereIs(provider, "a.Greeter:20880");
            answerLine(provider, "ls -l a.Greeter", "java.lang.String greet(java.lang.String)\r\ndubbo>");
            assertThat(definition(known, "a.Greeter").methods()).containsExactly(GREET);
        }
    }

    @Test
    void aProviderThatDoesNotAnswerIsNotWaitedForBeyondTheTimeout() throws Exception {
        properties.put("dubbo.inquiry.timeout", "200 ms");
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            assertThat(definition(known, "a.Greeter")).isNull();
            provider.read();
            assertThat(provider.isAtEnd()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "485454502f312e3120343030204261642052657175657374",
                "dabb0214" + "0000000000000001" + "7fffffff" + "00",
                "dabb0214" + "0000000000000001" + "ffffffff" + "00"
            })
    void whatIsNotADubboProviderIsDisconnected(String hex) throws Exception {
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            provider.read();
            provider.send(hex);
            assertThat(definition(known, "a.Greeter")).isNull();
            assertThat(provider.isAtEnd()).isTrue();
        }
    }

    @Test
    void servicesOfAProviderThatIsAwayAreNotKnown() throws Exception {
        stub.stopListening();
        assertThat(definition(start(), "a.Greeter")).isNull();
    }

    @Test
    void servicesOfAProviderThatClosesAreNotKnown() throws Exception {
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            provider.read();
        }
        assertThat(definition(known, "a.Greeter")).isNull();
    }

    @Test
    void aProviderIsNotAskedWhenThatIsSwitchedOff() throws Exception {
        properties.put("dubbo.inquiry", "false");
        // No program accepts: a question would wait for ever.
        assertThat(definition(start(), "a.Greeter")).isNull();
    }

    /** A service with a class file. */
    interface Greeter {
        String greet(String name);
    }

    private static byte[] greeterClass() throws IOException {
        try (InputStream in = MetadataDiscoveryTest.class.getResourceAsStream("MetadataDiscoveryTest$Greeter.class")) {
            return in.readAllBytes();
        }
    }

    private static final String GREETER_CLASS = Greeter.class.getName().replace('.', '/') + ".class";

    private static void writeJar(Path jar, String entry) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(greeterClass());
        }
    }

    @Test
    void classFilesAreReadWithoutTheProvider(@TempDir Path directory) throws Exception {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Files.createDirectories(classes.resolve(GREETER_CLASS).getParent());
        Files.write(classes.resolve(GREETER_CLASS), greeterClass());
        Path jars = Files.createDirectories(directory.resolve("lib"));
        writeJar(jars.resolve("greeter.jar"), GREETER_CLASS);
        Path boot = directory.resolve("app.jar");
        writeJar(boot, "BOOT-INF/classes/" + GREETER_CLASS);
        String name = Greeter.class.getName();
        properties.put("dubbo.services", name + "," + name + ":1.0:g");

        for (Path path : List.of(classes, jars, jars.resolve("greeter.jar"), boot)) {
            properties.put("dubbo.api.jars", path.toString());
            CompletableFuture<ServiceDefinitions> known = start();

            assertThat(definition(known, name).methods()).as("%s", path).containsExactly(GREET_WITH_NAME);
            assertThat(definition(known, name).source()).isEqualTo(DefinitionSource.CLASS_FILES);
            assertThat(definition(known, name, "1.0", "g").methods()).containsExactly(GREET_WITH_NAME);
        }
    }

    @Test
    void theSourcesBesideAJarDescribeItsServices(@TempDir Path directory) throws Exception {
        Path jar = directory.resolve("greeter.jar");
        writeJar(jar, GREETER_CLASS);
        String source = """
                package io.dubbomesh.client.discovery;

                class MetadataDiscoveryTest {
                    /** Greets. */
                    interface Greeter {
                        /**
                         * Says hello.
                         *
                         * @param name of whom
                         * @return a greeting
                         */
                        String greet(String name);
                    }
                    /** Another one. */
                    interface Gallery {}
                }
                """;
        Path sources = directory.resolve("greeter-sources.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(sources))) {
            zip.putNextEntry(new ZipEntry("MetadataDiscoveryTest.java"));
            zip.write(source.getBytes(UTF_8));
        }
        String name = Greeter.class.getName();
        properties.put("dubbo.services", name);
        properties.put("dubbo.api.jars", jar.toString());

        ServiceTexts texts = definition(start(), name).texts();

        assertThat(texts.services().keySet()).containsExactly(name);
        assertThat(texts.ofService(name).description()).isEqualTo("Greets.");
        assertThat(texts.ofMethod(name, "greet"))
                .isEqualTo(new ServiceTexts.OfMethod("Says hello.", "a greeting", Map.of("name", "of whom")));
    }

    interface Gallery {
        void show(Picture picture);
    }

    abstract static class Picture {
        int width;
    }

    /** A class that no signature mentions. */
    static final class Photo extends Picture {
        String camera;
    }

    @Test
    void subclassesAreFoundInEveryJarAndDirectory(@TempDir Path directory) throws Exception {
        List<Class<?>> all = List.of(Gallery.class, Picture.class, Photo.class);
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Path jar = directory.resolve("api.jar");
        Path boot = directory.resolve("boot.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                ZipOutputStream bootZip = new ZipOutputStream(Files.newOutputStream(boot))) {
            for (Class<?> type : all) {
                String name = type.getName().replace('.', '/') + ".class";
                byte[] bytes;
                try (InputStream in = MetadataDiscoveryTest.class.getResourceAsStream("/" + name)) {
                    bytes = in.readAllBytes();
                }
                Files.createDirectories(classes.resolve(name).getParent());
                Files.write(classes.resolve(name), bytes);
                zip.putNextEntry(new ZipEntry(name));
                zip.write(bytes);
                bootZip.putNextEntry(new ZipEntry("BOOT-INF/classes/" + name));
                bootZip.write(bytes);
            }
            // A class that has nothing to do with the service may be malformed.
            zip.putNextEntry(new ZipEntry("a/Other.class"));
            zip.putNextEntry(new ZipEntry("META-INF/versions/21/a/Other.class"));
            // It may also be one that cannot be read.
            zip.putNextEntry(new ZipEntry("a/Huge.class"));
            zip.write(new byte[1024 * 1024 + 1]);
        }
        Files.createDirectories(classes.resolve("a"));
        Files.write(classes.resolve("a/Huge.class"), new byte[1024 * 1024 + 1]);
        properties.put("dubbo.services", Gallery.class.getName());
        properties.put("dubbo.inquiry", "false");

        for (Path path : List.of(classes, jar, boot)) {
            properties.put("dubbo.api.jars", path.toString());
            ServiceDefinition gallery = definition(start(), Gallery.class.getName());

            assertThat(gallery.types().get(Picture.class.getName()).subclasses())
                    .as("%s", path)
                    .containsExactly(Photo.class.getName());
            assertThat(gallery.types().get(Photo.class.getName()).fields()).containsOnlyKeys("width", "camera");
        }
    }

    @Test
    void aServiceInNoClassFileIsAskedFor(@TempDir Path directory) throws Exception {
        Path jar = directory.resolve("greeter.jar");
        writeJar(jar, GREETER_CLASS);
        properties.put("dubbo.api.jars", jar.toString());
        properties.put("dubbo.services", Greeter.class.getName() + ",a.Greeter");
        CompletableFuture<ServiceDefinitions> known = start();
        try (DubboConnection provider = stub.accept()) {
            answerWhatThereIs(provider, "a.Greeter:20880");
            answerLine(provider, "ls -l a.Greeter", "void other()\r\ndubbo>");

            assertThat(definition(known, Greeter.class.getName()).methods()).containsExactly(GREET_WITH_NAME);
            assertThat(definition(known, "a.Greeter").methods())
                    .containsExactly(new MethodDefinition("other", List.of(), "void"));
        }
    }

    @Test
    void aClassFileThatCannotBeReadDoesNotAffectOtherServices(@TempDir Path directory) throws Exception {
        Path classes = Files.createDirectories(directory.resolve(GREETER_CLASS).getParent());
        Files.write(directory.resolve(GREETER_CLASS), greeterClass());
        Files.write(classes.resolve("Huge.class"), new byte[1024 * 1024 + 1]);
        String huge = Greeter.class.getPackageName() + ".Huge";
        properties.put("dubbo.services", huge + "," + Greeter.class.getName());
        properties.put("dubbo.api.jars", directory.toString());
        properties.put("dubbo.inquiry", "false");

        CompletableFuture<ServiceDefinitions> known = start();

        assertThat(definition(known, huge)).isNull();
        assertThat(definition(known, Greeter.class.getName()).methods()).containsExactly(GREET_WITH_NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no zip file", ""})
    void aFileThatIsNotAJarIsSkipped(String content, @TempDir Path directory) throws Exception {
        Path jar = Files.writeString(directory.resolve("a.jar"), content);
        properties.put("dubbo.api.jars", jar.toString());
        properties.put("dubbo.inquiry", "false");

        assertThat(definition(start(), "a.Greeter")).isNull();
    }
}
