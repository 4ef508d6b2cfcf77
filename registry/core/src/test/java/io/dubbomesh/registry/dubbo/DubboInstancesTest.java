package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class DubboInstancesTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String METADATA = metadata("r1", "{\"weight\":\"200\"}");
    private static final int MAX_ENTRIES = 4;
    private static final long LATER_NS = TimeUnit.MINUTES.toNanos(2);

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(Registry.class);

    private final DubboProviders providers = new DubboProviders("");
    private final List<Question> questions = new ArrayList<>();
    private String centre;
    private final AtomicInteger wakes = new AtomicInteger();
    private final DubboInstances instances = new DubboInstances(
            providers,
            (application, revision, service) -> CompletableFuture.completedFuture(centre),
            (application, revision, service) -> {
                Question question = new Question(application, revision, service, new CompletableFuture<>());
                questions.add(question);
                return question.answer;
            },
            wakes::incrementAndGet,
            MAX_ENTRIES);

    private record Question(
            String application, String revision, MetadataServiceAddress service, CompletableFuture<String> answer) {}

    @Test
    void theMetadataServiceOfOneInstanceIsAskedForARevision() {
        put("192.0.2.1", "r1");
        put("192.0.2.2", "r1");
        ask();

        assertThat(questions).hasSize(1);
        assertThat(questions.get(0).application).isEqualTo("greeter");
        assertThat(questions.get(0).revision).isEqualTo("r1");
        assertThat(questions.get(0).service)
                .isEqualTo(new MetadataServiceAddress(
                        List.of(
                                EndpointProtocol.DUBBO.at("192.0.2.1", 20990),
                                EndpointProtocol.DUBBO.at("192.0.2.1", 20880)),
                        "greeter",
                        "1.0.0"));
        assertThat(instances.isFirstAnswerAwaited()).isTrue();

        answer(METADATA);
        assertThat(wakes.get()).isEqualTo(1);
        assertThat(listed()).containsExactly("192.0.2.1:20880*200", "192.0.2.2:20880*200");
        assertThat(instances.isFirstAnswerAwaited()).isFalse();

        put("192.0.2.3", "r1");
        ask();
        assertThat(listed()).hasSize(3);
        assertThat(questions).hasSize(1);
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void whatIsToBeInTheMetadataCentreIsLookedForThereFirst() {
        centre = METADATA;
        instances.put("192.0.2.1", remote("192.0.2.1"));
        ask();
        assertThat(listed()).containsExactly("192.0.2.1:20880*200");
        assertThat(questions).isEmpty();

        centre = null;
        instances.put(
                "other",
                new DubboInstance(
                        "other", "192.0.2.2", 20880, true, remote("192.0.2.2").metadata()));
        ask();
        assertThat(questions).singleElement().extracting(Question::service).isNull();
    }

    @Test
    void theMetadataCentreMayHaveWhatAProviderDoesNotTell() {
        centre = METADATA;
        put("192.0.2.1", "r1");
        ask();
        fail("refused");
        instances.ask(System.nanoTime());

        assertThat(listed()).containsExactly("192.0.2.1:20880*200");
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void anInstanceWithALongKeyIsNotKept() {
        instances.put("x".repeat(1 << 20), remote("192.0.2.1"));

        assertThat(instances.keys()).isEmpty();
        assertThat(log.warnings()).singleElement().asString().contains("a key of 1048576 characters");
    }

    @Test
    void instancesWithoutAHostLeaveThePlacesOfOthersFree() {
        for (int i = 0; i < 20; i++) {
            instances.put(
                    "none-" + i,
                    new DubboInstance("greeter", null, 20880, true, Map.of("dubbo.metadata.revision", "none-" + i)));
            ask();
            fail("refused");
        }
        put("192.0.2.1", "r1");
        ask();

        assertThat(questions).extracting(Question::revision).contains("r1");
    }

    @Test
    void anInstanceThatIsTakenOutIsListedWithoutCalls() {
        DubboInstance in = new DubboInstance(
                "greeter", "192.0.2.1", 20880, true, remote("192.0.2.1").metadata());
        centre = METADATA;
        instances.put("192.0.2.1", in);
        ask();
        instances.put("192.0.2.1", new DubboInstance("greeter", "192.0.2.1", 20880, false, in.metadata()));

        assertThat(listed()).containsExactly("192.0.2.1:20880*0");
    }

    private static String exported(String name, String version, String parameters) {
        return "\"" + name + ":" + version + "\":{\"name\":\"" + name + "\",\"version\":\"" + version
                + "\",\"protocol\":\"dubbo\",\"path\":\"" + name + "\",\"params\":" + parameters + "}";
    }

    @Test
    void servicesWhoseNamesAndVersionsJoinToTheSameTextAreDifferent() {
        centre = "{\"app\":\"greeter\",\"revision\":\"r1\",\"services\":{" + exported("a.Greeter", "2", "{}") + ','
                + exported("a.Greeter2", "", "{}") + "}}";
        instances.put("192.0.2.1", remote("192.0.2.1"));
        ask();
        assertThat(Watcher.texts(providers.directory(), "a.Greeter")).hasSize(1);
        assertThat(Watcher.texts(providers.directory(), "a.Greeter2")).hasSize(1);

        instances.lapse("192.0.2.1");
        assertThat(Watcher.texts(providers.directory(), "a.Greeter")).isEmpty();
        assertThat(Watcher.texts(providers.directory(), "a.Greeter2")).isEmpty();
    }

    @Test
    void aServiceWithMoreParametersThanAUrlMayHaveIsNotListed() {
        String many = IntStream.range(0, 600)
                .mapToObj(i -> "\"p" + i + "\":\"x\"")
                .collect(Collectors.joining(",", "{", "}"));
        centre = "{\"app\":\"greeter\",\"revision\":\"r1\",\"services\":{" + exported("a.Large", "", many) + ','
                + exported("a.Small", "", "{}") + "}}";
        instances.put("192.0.2.1", remote("192.0.2.1"));
        ask();

        assertThat(Watcher.texts(providers.directory(), "a.Small")).hasSize(1);
        assertThat(Watcher.texts(providers.directory(), "a.Large")).isEmpty();
        assertThat(log.warnings()).singleElement().asString().contains("parameters (expected: at most 512)");
    }

    @Test
    void soManyRevisionsAreAskedForAtOnce() {
        for (int i = 0; i < 20; i++) {
            put("192.0.2." + i, "r" + i);
        }
        ask();
        assertThat(questions).hasSize(16);
        assertThat(instances.isFirstAnswerAwaited()).isTrue();

        questions.get(0).answer.complete(metadata("r0", "{}"));
        ask();
        assertThat(questions).hasSize(17);
    }

    @Test
    void anotherInstanceIsAskedIfOneDoesNotAnswer() {
        put("192.0.2.1", "r1");
        put("192.0.2.2", "r1");
        ask();
        fail("refused");

        assertThat(questions).hasSize(2);
        assertThat(questions.get(1).service.addresses().get(0).address().host()).isEqualTo("192.0.2.2");
        answer(METADATA);
        assertThat(listed()).containsExactly("192.0.2.1:20880*200", "192.0.2.2:20880*200");
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void ifNoneAnswersTheyAreAskedAgainAfterAPauseAndOneLineSaysSo() {
        put("192.0.2.1", "r1");
        ask();
        fail("refused");
        instances.askAgain(System.nanoTime());
        assertThat(questions).hasSize(1);
        assertThat(instances.isFirstAnswerAwaited()).isFalse();

        instances.askAgain(System.nanoTime() + LATER_NS);
        fail("refused");
        instances.askAgain(System.nanoTime() + LATER_NS);
        assertThat(log.lines())
                .containsExactly("instance greeter/r1 ignored: refused;"
                        + " its services are not listed by instance until its metadata is found");
        assertThat(questions).hasSize(3);
        answer(METADATA);
        assertThat(listed()).containsExactly("192.0.2.1:20880*200");
    }

    /** Checks dubbo-go#3615: an instance may register a minute before its metadata service answers. */
    @Test
    void anInstanceIsAskedEachSecondUntilItsMetadataServiceAnswers() {
        put("192.0.2.1", "r1");
        ask();
        long startNs = System.nanoTime();
        for (int second = 0; second < 60; second++) {
            int before = questions.size();
            fail("refused");
            assertThat(questions).hasSize(before);
            // The pause counts from the failure, which may be some milliseconds later.
            instances.askAgain(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_100));
            assertThat(questions).as("after %d s", second).hasSize(before + 1);
        }
        answer(METADATA);
        assertThat(listed()).containsExactly("192.0.2.1:20880*200");
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void theEndOfAPauseWakesTheRegistry() throws Exception {
        put("192.0.2.1", "r1");
        ask();
        fail("refused");
        int woken = wakes.get();
        Await.until("the pause is over", () -> wakes.get() > woken);

        ask();
        assertThat(questions).hasSize(2);
    }

    /** Each question is a connection to another instance, and a line in its log. */
    @Test
    void manyRevisionsThatAreNotFoundAreNotAskedForMoreThanTwentyTimesASecond() {
        int count = 300;
        for (int i = 0; i < count; i++) {
            put("192.0.2." + i, "r" + i);
        }
        ask();
        long failedNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            questions.get(i).answer.completeExceptionally(new IOException("refused"));
            ask();
        }
        assertThat(questions).hasSize(count);

        instances.askAgain(failedNs + TimeUnit.MILLISECONDS.toNanos(14_000));
        assertThat(questions).hasSize(count);
        instances.askAgain(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(15_100));
        assertThat(questions).hasSizeGreaterThan(count);
    }

    /** Checks dubbo#14721: an application of Dubbo 3.3.0 had another revision after each start. */
    @Test
    void instancesWithAnotherRevisionAfterEachStartNeedOneQuestionEachAndTheMemoryOfOneGeneration() {
        DubboInstances many = new DubboInstances(
                providers,
                MetadataSource.NONE,
                (application, revision, service) -> {
                    Question question = new Question(application, revision, service, new CompletableFuture<>());
                    questions.add(question);
                    return question.answer;
                },
                () -> {});
        int instances = 300;
        int starts = 20;
        for (int start = 0; start < starts; start++) {
            int asked = start * instances;
            for (int i = 0; i < instances; i++) {
                String host = (i < 200 ? "192.0.2." : "198.51.100.") + i % 200;
                many.put(host, local(host, "r" + start + "-" + i));
            }
            int answered = asked;
            many.ask(System.nanoTime());
            while (answered < questions.size()) {
                assertThat(questions.size() - answered).isLessThanOrEqualTo(16);
                Question question = questions.get(answered++);
                question.answer.complete(metadata(question.revision, "{\"weight\":\"200\"}"));
                many.ask(System.nanoTime());
            }
            assertThat(questions).hasSize(asked + instances);
        }
        assertThat(listed()).hasSize(instances).allMatch(endpoint -> endpoint.endsWith("*200"));
        assertThat(many.heldCharacters()).isLessThan(instances * 200L);
        assertThat(providers.directory().unknownExports()).isEqualTo(UnknownExports.NONE);
    }

    private static DubboInstance local(String host, String revision) {
        return instance(host, revision, "{\"port\":\"20990\",\"protocol\":\"dubbo\"}", "[]");
    }

    @Test
    void theDirectorySaysOfWhichApplicationsItIsNotKnownWhatTheyExport() {
        put("192.0.2.1", "r1");
        ask();
        assertThat(providers.directory().unknownExports())
                .isEqualTo(new UnknownExports(1, List.of("greeter: it is being asked")));

        fail("192.0.2.1:20990: refused; 192.0.2.1:20880: refused");
        assertThat(providers.directory().unknownExports().toString())
                .isEqualTo("greeter: 192.0.2.1:20990: refused; 192.0.2.1:20880: refused");

        instances.askAgain(System.nanoTime() + LATER_NS);
        answer(METADATA);
        assertThat(providers.directory().unknownExports()).isEqualTo(UnknownExports.NONE);
    }

    /** Its services cannot be called. */
    @Test
    void anInstanceThatSpeaksNoProtocolOfTheAgentsIsForeignOnceItWasAskedForInVain() {
        instances.put("rest", foreign("192.0.2.1", "r1"));
        ask();
        assertThat(questions).hasSize(1);
        assertThat(providers.directory().foreignInstances()).isEmpty();

        fail("its metadata is in no metadata centre, and no service that speaks dubbo or Triple tells it");
        assertThat(foreign()).containsExactly("greeter at 192.0.2.1:8080: rest");
        assertThat(providers.directory().unknownExports()).isEqualTo(UnknownExports.NONE);
        // The agent tells of it, with others of its kind that are registered by interface.
        assertThat(log.lines()).isEmpty();

        instances.put("remote", remote("192.0.2.2"));
        ask();
        fail("refused");
        assertThat(foreign()).isEmpty();
        assertThat(providers.directory().unknownExports().count()).isEqualTo(1);
    }

    @Test
    void aForeignInstanceThatIsGoneOrRegisteredByInterfaceOrListedByItsMetadataIsForeignNoMore() {
        for (int i = 1; i <= 3; i++) {
            instances.put("rest-" + i, foreign("192.0.2." + i, "r" + i));
            ask();
            fail("refused");
        }
        assertThat(foreign())
                .containsExactlyInAnyOrder(
                        "greeter at 192.0.2.1:8080: rest",
                        "greeter at 192.0.2.2:8080: rest",
                        "greeter at 192.0.2.3:8080: rest");

        instances.remove("rest-1", 0);
        providers.put(SERVICE, "tri://192.0.2.2:8080/com.example.Greeter?application=greeter", 0);
        centre = metadata("r3", "{\"ext.protocol\":\"dubbo\"}")
                .replace("\"protocol\":\"dubbo\"", "\"protocol\":\"rest\"");
        instances.askAgain(System.nanoTime() + LATER_NS);
        instances.askAgain(System.nanoTime() + LATER_NS);

        assertThat(foreign()).isEmpty();
        assertThat(listed()).containsExactly("192.0.2.3:8080*100", "tri://192.0.2.2:8080*100");
    }

    private List<String> foreign() {
        return providers.directory().foreignInstances().stream()
                .map(endpoint -> endpoint.exports().get(0).application() + " at " + endpoint.address() + ": "
                        + endpoint.exports().get(0).parameters().get(DubboExport.PROTOCOL))
                .toList();
    }

    private static DubboInstance foreign(String host, String revision) {
        return instance(
                host, revision, "{\"port\":\"8080\",\"protocol\":\"rest\"}", "[{\"port\":8080,\"protocol\":\"rest\"}]");
    }

    /** Apache Dubbo 3.2 and later register no process id, but an instance that names the ports of all protocols. */
    @Test
    void processesOnOneHostAreToldApartByTheirInstances() {
        String rest = "com.example.Greeter?application=greeter&release=3.2.19&timestamp=1795865454088";
        for (String place : List.of("dubbo://192.0.2.1:20881", "tri://192.0.2.1:50051", "tri://192.0.2.1:50052")) {
            providers.put(SERVICE, place + '/' + rest, 0);
        }
        assertThat(listed()).containsExactly("192.0.2.1:20881*100");

        instances.put(
                "both",
                instance(
                        "192.0.2.1",
                        "r1",
                        "{\"port\":\"20881\",\"protocol\":\"dubbo\"}",
                        "[{\"port\":20881,\"protocol\":\"dubbo\"},{\"port\":50051,\"protocol\":\"tri\"}]"));
        instances.put(
                "other",
                new DubboInstance(
                        "greeter",
                        "192.0.2.1",
                        50052,
                        true,
                        Map.of(
                                "dubbo.metadata.revision",
                                "r2",
                                "dubbo.endpoints",
                                "[{\"port\":50052,\"protocol\":\"tri\"}]")));
        assertThat(listed()).containsExactly("192.0.2.1:20881*100", "tri://192.0.2.1:50052*100");

        instances.remove("other", 0);
        assertThat(listed()).containsExactly("192.0.2.1:20881*100", "tri://192.0.2.1:50052*100");
        instances.remove("both", 0);
        assertThat(listed()).containsExactly("192.0.2.1:20881*100");
    }

    @Test
    void anInstanceThatIsGoneOrRegisteredByInterfaceIsNotUnknown() {
        for (int i = 1; i <= 5; i++) {
            put("192.0.2." + i, "r" + i);
        }
        ask();
        assertThat(providers.directory().unknownExports().toString())
                .isEqualTo("greeter: it is being asked; greeter: it is being asked; greeter: it is being asked;"
                        + " and 2 more");

        for (int i = 1; i <= 4; i++) {
            instances.remove("192.0.2." + i, 0);
        }
        instances.askAgain(System.nanoTime());
        assertThat(providers.directory().unknownExports().count()).isEqualTo(1);

        providers.put(SERVICE, "dubbo://192.0.2.5:20880/com.example.Greeter?application=greeter", 0);
        instances.askAgain(System.nanoTime());
        assertThat(providers.directory().unknownExports()).isEqualTo(UnknownExports.NONE);
    }

    /** Each instance that comes is asked where the metadata of all revisions is too much to be held. */
    @Test
    void anInstanceThatIsGoneIsNotUnknownThoughAnotherOneOfItsRevisionIsListed() {
        DubboInstances many = new DubboInstances(
                providers,
                MetadataSource.NONE,
                (application, revision, service) -> {
                    Question question = new Question(application, revision, service, new CompletableFuture<>());
                    questions.add(question);
                    return question.answer;
                },
                () -> {});
        String filler = " ".repeat(7 << 20);
        for (int i = 1; i <= 5; i++) {
            many.put("192.0.2." + i, local("192.0.2." + i, "r" + i));
            many.ask(System.nanoTime());
            many.ask(System.nanoTime());
            questions.get(i - 1).answer.complete(metadata("r" + i, "{\"weight\":\"200\"}") + filler);
            many.ask(System.nanoTime());
        }
        many.put("192.0.2.6", local("192.0.2.6", "r5"));
        many.ask(System.nanoTime());
        many.ask(System.nanoTime());
        assertThat(questions).hasSize(6);
        questions.get(5).answer.completeExceptionally(new IOException("refused"));
        many.ask(System.nanoTime());
        many.ask(System.nanoTime());
        assertThat(providers.directory().unknownExports().count()).isEqualTo(1);

        many.remove("192.0.2.6", 0);
        many.askAgain(System.nanoTime());
        assertThat(providers.directory().unknownExports()).isEqualTo(UnknownExports.NONE);
        assertThat(listed()).hasSize(5);
    }

    @Test
    void aNewInstanceIsAskedWithoutAPause() {
        put("192.0.2.1", "r1");
        ask();
        fail("refused");
        put("192.0.2.2", "r1");
        ask();

        assertThat(questions).hasSize(2);
    }

    @Test
    void anInstanceThatIsRegisteredByInterfaceIsNotAsked() {
        String url = "dubbo://192.0.2.1:20880/com.example.Greeter?application=greeter&weight=50";
        providers.put(SERVICE, url, 0);
        put("192.0.2.1", "r1");
        ask();
        assertThat(questions).isEmpty();
        assertThat(instances.isFirstAnswerAwaited()).isFalse();

        providers.remove(SERVICE, url, 0);
        instances.askAgain(System.nanoTime());
        assertThat(questions).hasSize(1);
        answer(METADATA);
        assertThat(listed()).containsExactly("192.0.2.1:20880*200");
    }

    @Test
    void whatIsNoMetadataOfThisRevisionIsNotTaken() {
        put("192.0.2.1", "r1");
        ask();
        answer("[]");
        instances.askAgain(System.nanoTime() + LATER_NS);
        answer(metadata("r2", "{}"));

        assertThat(listed()).isNull();
        assertThat(log.lines())
                .containsExactly(
                        "instance greeter/r1 ignored: no services; its services are not listed by instance until its metadata is found",
                        "instance greeter/r1 ignored: its metadata is that of revision r2;"
                                + " its services are not listed by instance until its metadata is found");
    }

    @Test
    void anAnswerForARevisionThatNobodyHasAnyMoreListsNothing() {
        put("192.0.2.1", "r1");
        ask();
        instances.remove("192.0.2.1", 0);
        answer(METADATA);

        assertThat(listed()).isNull();
        put("192.0.2.1", "r1");
        ask();
        assertThat(questions).hasSize(2);
    }

    @Test
    void whatInstancesExportIsBounded() {
        for (int i = 1; i <= MAX_ENTRIES + 2; i++) {
            put("192.0.2." + i, "r1");
        }
        ask();
        answer(METADATA);
        assertThat(listed()).hasSize(MAX_ENTRIES);
        assertThat(log.lines())
                .containsExactly("instance of greeter ignored: more than 4 services of instances; the rest is ignored");

        instances.remove("192.0.2.1", 0);
        put("192.0.2.7", "r1");
        assertThat(listed()).hasSize(MAX_ENTRIES).doesNotContain("192.0.2.1:20880*200");
    }

    @Test
    void anInstanceThatWasTooMuchIsListedWhenThereIsRoom() {
        for (int i = 1; i <= MAX_ENTRIES + 2; i++) {
            put("192.0.2." + i, "r1");
        }
        ask();
        answer(METADATA);
        instances.remove("192.0.2.1", 0);
        instances.remove("192.0.2.6", 0);
        instances.askAgain(System.nanoTime());

        assertThat(listed()).hasSize(MAX_ENTRIES).contains("192.0.2.5:20880*200");
    }

    @Test
    void aServiceWithANameThatIsTooLongIsLeftOutAlone() {
        String name = "a." + "x".repeat(600);
        centre = "{\"app\":\"greeter\",\"revision\":\"r1\",\"services\":{" + exported(name, "", "{}") + ','
                + exported("a.Greeter", "1".repeat(600), "{}") + ',' + exported("a.Small", "", "{}") + "}}";
        instances.put("192.0.2.1", remote("192.0.2.1"));
        ask();

        assertThat(providers.services()).containsExactly("a.Small");
        assertThat(log.warnings())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("characters (expected: at most 512)")
                        .endsWith("this service is not listed"));
    }

    @Test
    void aSourceThatFailsByAnErrorIsAskedAgain() {
        int[] calls = new int[1];
        DubboInstances failing = new DubboInstances(
                providers,
                MetadataSource.NONE,
                (application, revision, service) -> {
                    calls[0]++;
                    throw new NoClassDefFoundError("a/Client");
                },
                () -> {},
                MAX_ENTRIES);
        failing.put("a", instance("192.0.2.1", "r1", "{\"port\":\"20990\",\"protocol\":\"dubbo\"}", "[]"));
        for (int i = 1; i <= 3; i++) {
            for (int turn = 0; turn < 3; turn++) {
                failing.askAgain(System.nanoTime() + i * LATER_NS);
            }
        }
        assertThat(calls[0]).isGreaterThan(1);
    }

    @Test
    void onlyWhatIsUsedOfAnInstanceIsKept() {
        DubboInstance instance = new DubboInstance(
                "greeter",
                "192.0.2.1",
                20880,
                true,
                Map.of("dubbo.metadata.revision", "r1", "timestamp", "1", "other", "x".repeat(60_000)));
        assertThat(instance.metadata()).containsOnlyKeys("dubbo.metadata.revision", "timestamp");
    }

    @Test
    void onlyAServiceThatSpeaksDubboOrTripleIsAsked() {
        assertThat(instance("192.0.2.1", "r1", "{\"port\":\"50051\",\"protocol\":\"rest\"}", "[]")
                        .metadataService())
                .isNull();
        assertThat(instance(
                                "192.0.2.1",
                                "r1",
                                "{\"port\":\"50052\",\"protocol\":\"tri\"}",
                                "[{\"port\":50051,\"protocol\":\"tri\"}]")
                        .metadataService()
                        .addresses())
                .containsExactly(
                        EndpointProtocol.TRIPLE.at("192.0.2.1", 50052),
                        EndpointProtocol.TRIPLE.at("192.0.2.1", 50051),
                        EndpointProtocol.TRIPLE.at("192.0.2.1", 20880));
        assertThat(instance("192.0.2.1", "r1", "[]", "[]").metadataService()).isNull();
        assertThat(asked(
                        "{\"port\":\"50051\",\"protocol\":\"tri\"}",
                        "[{\"port\":50051,\"protocol\":\"tri\"}," + "{\"port\":20881,\"protocol\":\"dubbo\"}]"))
                .containsExactly(20881, 50051, 20880);
        assertThat(new DubboInstance("greeter", "192.0.2.1", 20880, true, Map.of())
                        .metadataService()
                        .addresses())
                .containsExactly(EndpointProtocol.DUBBO.at("192.0.2.1", 20880));
        assertThat(new DubboInstance(
                                "greeter", "192.0.2.1", 20880, true, Map.of("dubbo.metadata.storage-type", "remote"))
                        .metadataService())
                .isNull();
    }

    /** Checks dubbo#13579: in a container, the port that the metadata service has may be mapped elsewhere. */
    @Test
    void theInstancesOwnPortsAreAskedAfterThatOfItsMetadataService() {
        assertThat(asked("{\"port\":\"20990\",\"protocol\":\"dubbo\"}", "[{\"port\":20881,\"protocol\":\"dubbo\"}]"))
                .containsExactly(20990, 20881, 20880);
        assertThat(asked("{\"port\":\"99999\",\"protocol\":\"dubbo\"}", "[]")).containsExactly(20880);
        assertThat(asked("{\"protocol\":\"dubbo\"}", "[{\"port\":20880,\"protocol\":\"dubbo\"}]"))
                .containsExactly(20880);
    }

    private static List<Integer> asked(String service, String endpoints) {
        return instance("192.0.2.1", "r1", service, endpoints).metadataService().addresses().stream()
                .map(id -> id.address().port())
                .toList();
    }

    /** Checks dubbo#11490: {@code dubbo.service.version} of the application concerns Dubbo's own services, too. */
    @Test
    void theMetadataServiceIsAskedInTheGroupAndVersionThatTheInstanceRegistered() {
        MetadataServiceAddress named = instance(
                        "192.0.2.1",
                        "r1",
                        "{\"port\":\"20880\",\"protocol\":\"dubbo\",\"version\":\"TEST\",\"group\":\"other\"}",
                        "[]")
                .metadataService();
        assertThat(named.version()).isEqualTo("TEST");
        assertThat(named.group()).isEqualTo("other");
    }

    /** Dubbo 3.1 and later for Java register two protocols of one name (dubbo#10739). */
    @Test
    void aServiceIsListedAtThePortThatTheMetadataNamesEvenIfTheEndpointsHaveOnlyTheOther() {
        centre = metadata("a.First", 20880, "a.Second", 20881);
        instances.put("192.0.2.1", remote("192.0.2.1", "[{\"port\":20881,\"protocol\":\"dubbo\"}]"));
        ask();

        assertThat(Watcher.texts(providers.directory(), "a.First")).containsExactly("192.0.2.1:20880*100");
        assertThat(Watcher.texts(providers.directory(), "a.Second")).containsExactly("192.0.2.1:20881*100");
    }

    /** Instances of Dubbo for Go have one revision at different ports. */
    @Test
    void anInstanceOfARevisionIsListedAtThePortOfItsOwnEndpoints() {
        centre = metadata("a.First", 20001, "a.Second", 20001);
        instances.put("192.0.2.1", remote("192.0.2.1", "[{\"port\":20001,\"protocol\":\"dubbo\"}]"));
        instances.put("192.0.2.2", remote("192.0.2.2", "[{\"port\":20002,\"protocol\":\"dubbo\"}]"));
        ask();

        assertThat(Watcher.texts(providers.directory(), "a.First"))
                .containsExactly("192.0.2.1:20001*100", "192.0.2.2:20002*100");
    }

    @Test
    void aServiceWithoutAPortIsListedAtEachOfTheEndpointsOfItsProtocol() {
        centre = metadata("a.First", 0, "a.Second", 0);
        instances.put(
                "192.0.2.1",
                remote(
                        "192.0.2.1",
                        "[{\"port\":20001,\"protocol\":\"dubbo\"},{\"port\":20002,\"protocol\":\"dubbo\"},"
                                + "{\"port\":20003,\"protocol\":\"tri\"}]"));
        ask();

        assertThat(Watcher.texts(providers.directory(), "a.First"))
                .containsExactly("192.0.2.1:20001*100", "192.0.2.1:20002*100");
    }

    private static String metadata(String first, int firstPort, String second, int secondPort) {
        return "{\"app\":\"greeter\",\"revision\":\"r1\",\"services\":{" + exported(first, firstPort) + ','
                + exported(second, secondPort) + "}}";
    }

    private static String exported(String name, int port) {
        return "\"" + name + "\":{\"name\":\"" + name + "\",\"protocol\":\"dubbo\",\"path\":\"" + name + "\",\"port\":"
                + port + ",\"params\":{}}";
    }

    @Test
    void anInstanceThatCannotBeReachedIsNotAsked() {
        instances.put("a", instance("0.0.0.0", "r1", "{\"port\":\"20990\",\"protocol\":\"dubbo\"}", "[]"));
        ask();

        assertThat(questions).singleElement().extracting(Question::service).isNull();
        assertThat(log.lines()).hasSize(1);
    }

    private void put(String host, String revision) {
        instances.put(
                host,
                instance(
                        host,
                        revision,
                        "{\"port\":\"20990\",\"protocol\":\"dubbo\",\"version\":\"1.0.0\"}",
                        "[{\"port\":20880,\"protocol\":\"dubbo\"}]"));
    }

    private static DubboInstance remote(String host) {
        return remote(host, "[]");
    }

    private static DubboInstance remote(String host, String endpoints) {
        return new DubboInstance(
                "greeter",
                host,
                20880,
                true,
                Map.of(
                        "dubbo.metadata.revision", "r1",
                        "dubbo.metadata.storage-type", "remote",
                        "dubbo.endpoints", endpoints));
    }

    private static DubboInstance instance(String host, String revision, String service, String endpoints) {
        return new DubboInstance(
                "greeter",
                host,
                20880,
                true,
                Map.of(
                        "dubbo.metadata.revision", revision,
                        "dubbo.metadata.storage-type", "local",
                        "dubbo.metadata-service.url-params", service,
                        "dubbo.endpoints", endpoints));
    }

    private static String metadata(String revision, String parameters) {
        return "{\"app\":\"greeter\",\"revision\":\"" + revision
                + "\",\"services\":{\"a\":{\"name\":\"com.example.Greeter\",\"protocol\":\"dubbo\",\"path\":\"com.example.Greeter\",\"params\":"
                + parameters + "}}}";
    }

    private void ask() {
        instances.ask(System.nanoTime());
        // What the metadata centre has answered.
        instances.ask(System.nanoTime());
    }

    private void answer(String json) {
        questions.get(questions.size() - 1).answer.complete(json);
        instances.ask(System.nanoTime());
    }

    private void fail(String reason) {
        questions.get(questions.size() - 1).answer.completeExceptionally(new IOException(reason));
        ask();
    }

    private List<String> listed() {
        return Watcher.texts(providers.directory(), SERVICE);
    }
}
