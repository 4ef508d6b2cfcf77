package io.dubbomesh.registry.dns;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DnsRegistryTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final Duration LIMIT = Duration.ofSeconds(10);
    static final DnsTimes QUICK = new DnsTimes(500, 2, 50, 200, 50, 800, 50, 100);

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(Registry.class);

    private final Watcher watcher = new Watcher();
    private NameServer server;
    private DnsRegistry registry;

    @BeforeEach
    void start() throws IOException {
        server = new NameServer();
    }

    @AfterEach
    void stop() {
        if (registry != null) {
            registry.close();
        }
        server.close();
    }

    private void watch(String uri) {
        watch(uri, QUICK);
    }

    private void watch(String uri, DnsTimes times) {
        char next = uri.indexOf('?') < 0 ? '?' : '&';
        registry = new DnsRegistry(DnsUri.parse(uri + next + "server=" + server.address()), times);
        registry.watch(watcher);
    }

    @Test
    void everyAddressIsAProviderOfEachService() throws Exception {
        server.answer(
                "p.test",
                NameServer.A,
                NameServer.address("p.test", 0, "192.0.2.8"),
                NameServer.address("p.test", 0, "192.0.2.7"),
                NameServer.address("p.test", 0, "0.0.0.0"));

        watch("dns://p.test:20880/" + SERVICE + ":1.0,a.Other");

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:20880*100", "192.0.2.8:20880*100");
        Directory directory = watcher.all().get(0);
        assertThat(Watcher.texts(directory, "a.Other")).containsExactly("192.0.2.7:20880*100", "192.0.2.8:20880*100");
        Endpoint endpoint = directory.endpoints(SERVICE).get(0);
        assertThat(endpoint.isDirect()).isTrue();
        assertThat(endpoint.serves("1.0", "")).isTrue();
        assertThat(endpoint.serves("", "")).isFalse();
        assertThat(registry.ageNs()).isNotNegative();
    }

    @Test
    void aNameWithoutAddressesOfIp4HasThoseOfIp6() throws Exception {
        server.answer("p.test", NameServer.AAAA, NameServer.address("p.test", 0, "2001:db8::7"));

        watch("dns://p.test:30000/" + SERVICE + "?kind=mesh");

        watcher.awaitEndpoints(LIMIT, SERVICE, "[2001:db8::7]:30000*1");
        assertThat(watcher.all().get(0).endpoints(SERVICE).get(0).isDirect()).isFalse();
    }

    @Test
    void aNameWithBothHasThoseOfIp4Only() throws Exception {
        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.7"));
        server.answer("p.test", NameServer.AAAA, NameServer.address("p.test", 0, "2001:db8::7"));

        watch("dns://p.test:1/" + SERVICE);

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");
    }

    @Test
    void recordsOfServicesHavePortsAndWeights() throws Exception {
        server.answer(
                "_dubbo._tcp.p.test",
                NameServer.SRV,
                new NameServer.Answer(
                        0,
                        List.of(
                                NameServer.service("_dubbo._tcp.p.test", 0, 1, 30, 20880, "a.test"),
                                NameServer.service("_dubbo._tcp.p.test", 0, 1, 0, 20881, "b.test"),
                                NameServer.service("_dubbo._tcp.p.test", 0, 1, 9000, 20882, "c.test"),
                                NameServer.service("_dubbo._tcp.p.test", 0, 1, 5, 20883, "gone.test"),
                                NameServer.service("_dubbo._tcp.p.test", 0, 2, 5, 20884, "reserve.test")),
                        List.of(
                                NameServer.address("a.test", 0, "192.0.2.1"),
                                NameServer.address("a.test", 0, "2001:db8::1"))));
        server.answer("b.test", NameServer.A, NameServer.address("b.test", 0, "192.0.2.2"));
        server.answer("c.test", NameServer.AAAA, NameServer.address("c.test", 0, "2001:db8::3"));

        watch("dns://_dubbo._tcp.p.test/" + SERVICE);

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.1:20880*30", "192.0.2.2:20881*1", "[2001:db8::3]:20882*1000");
        assertThat(server.questions()).doesNotContain("udp a.test 1");
    }

    @Test
    void equalWeightsOfServicesSayNothing() throws Exception {
        server.answer(
                "p.test",
                NameServer.SRV,
                NameServer.service("p.test", 0, 0, 33, 20880, "a.test"),
                NameServer.service("p.test", 0, 0, 33, 20881, "a.test"));
        server.answer("a.test", NameServer.A, NameServer.address("a.test", 0, "192.0.2.1"));

        watch("dns://p.test/" + SERVICE);

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.1:20880*100", "192.0.2.1:20881*100");
    }

    @Test
    void aChangeIsSeenThoughTheTtlIsZero() throws Exception {
        server.answer(
                "p.test",
                NameServer.A,
                NameServer.address("p.test", 0, "192.0.2.7"),
                NameServer.address("p.test", 0, "192.0.2.8"));
        watch("dns://p.test:1/" + SERVICE);
        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100", "192.0.2.8:1*100");

        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.8"));

        Directory directory = watcher.await(LIMIT, d -> d.endpoints(SERVICE).size() == 1);
        assertThat(directory.isDeregistered(SERVICE, "192.0.2.7:1")).isTrue();
        assertThat(directory.isDeregistered(SERVICE, "192.0.2.8:1")).isFalse();
        assertThat(watcher.all()).hasSize(2);
    }

    @Test
    void aChangeIsSeenThoughTheTtlIsADay() throws Exception {
        server.answer("p.test", NameServer.A, NameServer.address("p.test", 86_400, "192.0.2.7"));
        watch("dns://p.test:1/" + SERVICE);
        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");

        server.answer("p.test", NameServer.A, NameServer.address("p.test", 86_400, "192.0.2.8"));

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.8:1*100");
    }

    @Test
    void thePauseBetweenTwoQuestionsIsTheTtlWithinItsBounds() {
        DnsTimes times = DnsTimes.DEFAULT;
        assertThat(times.pauseMs(0)).isEqualTo(1_000);
        assertThat(times.pauseMs(30)).isEqualTo(30_000);
        assertThat(times.pauseMs(86_400)).isEqualTo(60_000);
        assertThat(times.pauseMs(Long.MAX_VALUE)).isEqualTo(60_000);
    }

    @Test
    void whatDoesNotFitADatagramIsAskedForByTcp() throws Exception {
        server.answer(
                "p.test",
                NameServer.A,
                IntStream.range(0, 600)
                        .mapToObj(i -> NameServer.address("p.test", 0, "192.0." + i / 250 + "." + (i % 250 + 1)))
                        .toArray(NameServer.Resource[]::new));

        watch("dns://p.test:1/" + SERVICE);

        watcher.await(LIMIT, directory -> directory.endpoints(SERVICE).size() == 600);
        assertThat(server.questions()).startsWith("udp p.test 1", "tcp p.test 1");
    }

    @Test
    void anAliasIsFollowedThoughItsServerDoesNot() throws Exception {
        server.answer("p.test", NameServer.A, NameServer.alias("p.test", 0, "q.test"));
        server.answer("q.test", NameServer.A, NameServer.address("q.test", 0, "192.0.2.7"));

        watch("dns://p.test:1/" + SERVICE);

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");
    }

    @Test
    void aServerThatFailsChangesNothing() throws Exception {
        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.7"));
        watch("dns://p.test:1/" + SERVICE);
        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");

        server.fail("p.test", NameServer.SERVFAIL);
        Await.until("a warning", () -> log.warnings().size() == 1);
        assertThat(log.warnings().get(0))
                .startsWith("registry dns://p.test:1/" + SERVICE)
                .endsWith("is away: p.test. A: " + server.address()
                        + " answered ServFail(2); known endpoints stay in use");
        server.silence(true);
        int asked = server.questions().size();
        Await.until("questions", () -> server.questions().size() >= asked + 4);
        server.forget("p.test");
        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.8"));
        server.silence(false);

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.8:1*100");
        assertThat(watcher.all()).hasSize(2);
        assertThat(log.warnings()).hasSize(1);
        assertThat(log.lines()).anyMatch(line -> line.endsWith(" found: 1 addresses"));
    }

    @Test
    void aNameThatDoesNotExistAnyMoreKeepsItsAddressesForAWhile() throws Exception {
        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.7"));
        watch("dns://p.test:1/" + SERVICE);
        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");

        long goneNs = System.nanoTime();
        server.forget("p.test");

        Directory directory = watcher.await(LIMIT, d -> d.endpoints(SERVICE).isEmpty());
        assertThat(Duration.ofNanos(System.nanoTime() - goneNs)).isGreaterThan(Duration.ofMillis(700));
        // Those that are connected go on being used: an empty zone says little.
        assertThat(directory.isDeregistered(SERVICE, "192.0.2.7:1")).isFalse();
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains(" has no addresses any more; known endpoints stay in use for ");

        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.7"));
        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");
    }

    @Test
    void aNameThatNeverExistedHasNoEndpoints() throws Exception {
        watch("dns://p.test:1/" + SERVICE);

        watcher.awaitEndpoints(LIMIT, SERVICE);
        assertThat(log.warnings()).hasSize(1);

        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.7"));
        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");
    }

    @Test
    void asLongAsNoServerAnswersThereIsNoDirectory() throws Exception {
        server.silence(true);
        watch("dns://p.test:1/" + SERVICE);

        Await.until("a warning", () -> log.warnings().size() == 1);
        assertThat(log.warnings().get(0)).contains(" did not answer in time; ");
        assertThat(watcher.all()).isEmpty();
        assertThat(registry.ageNs()).isEqualTo(-1);
    }

    @Test
    void anAddressIsAskedNobodyFor() throws Exception {
        watch("dns://[2001:db8::7]:20880/" + SERVICE);

        watcher.awaitEndpoints(LIMIT, SERVICE, "[2001:db8::7]:20880*100");
        assertThat(server.questions()).isEmpty();
    }

    @Test
    void theHostsFileOfTheSystemCounts() throws Exception {
        registry = new DnsRegistry(DnsUri.parse("dns://localhost:20880/" + SERVICE), QUICK);
        registry.watch(watcher);

        watcher.await(LIMIT, directory -> !directory.endpoints(SERVICE).isEmpty());
    }

    @Test
    void nothingCanBeRegistered() {
        registry = new DnsRegistry(DnsUri.parse("dns://p.test:1/" + SERVICE), QUICK);

        assertThatThrownBy(() -> registry.registration(new RegistrationRequest("192.0.2.7", 1, 1, 1, Map.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("dns://p.test:1/com.example.Greeter registers nothing");
    }

    @Test
    void aNameServerWhoseNameIsUnknownIsAskedForAgain() throws Exception {
        registry = new DnsRegistry(DnsUri.parse("dns://p.test:1/" + SERVICE + "?server=ns.invalid:5353"), QUICK);
        registry.watch(watcher);

        Await.until("a warning", () -> log.warnings().size() == 1);
        assertThat(log.warnings().get(0)).contains(" is away: ", "ns.invalid");
        assertThat(watcher.all()).isEmpty();
    }

    @Test
    void aNameServerMayHaveAName() throws Exception {
        server.answer("p.test", NameServer.A, NameServer.address("p.test", 0, "192.0.2.7"));
        String port = server.address().toString().replaceFirst(".*:", "");
        registry = new DnsRegistry(DnsUri.parse("dns://p.test:1/" + SERVICE + "?server=localhost:" + port), QUICK);
        registry.watch(watcher);

        watcher.awaitEndpoints(LIMIT, SERVICE, "192.0.2.7:1*100");
    }
}
