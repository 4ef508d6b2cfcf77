package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class ExportCheckTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "", "");
    private static final ServiceKey CLOCK = new ServiceKey("a.Clock", "1.0", "g");
    private static final String ECHO =
            "94" + "09" + text("dubbomesh") + "48 05" + text("dubbo") + "05" + text("2.0.2") + "5a";
    private final ScriptedProvider stub;

    ExportCheckTest() throws IOException {
        stub = new ScriptedProvider();
    }

    @AfterEach
    void close() throws IOException {
        stub.close();
    }

    private CompletableFuture<Exports> start(String... services) {
        return start(20_000, services);
    }

    private CompletableFuture<Exports> start(long timeoutMs, String... services) {
        ServedServices served = ServedServices.parse(List.of(services));
        ExportCheck check = new ExportCheck(
                new ProviderContact(new HostPort("127.0.0.1", stub.port()), Serialization.HESSIAN2, null),
                served.keys(),
                served,
                timeoutMs);
        return CompletableFuture.supplyAsync(check::run);
    }

    private static Exports result(CompletableFuture<Exports> check) throws Exception {
        return check.get(20, TimeUnit.SECONDS);
    }

    /** Returns the text of all versions from 2.5 to 3.3. */
    private static String notFound(String listed) {
        return DubboFrame.text(
                "org.apache.dubbo.remoting.RemotingException: Not found exported service: a.Greeter:20880 in [" + listed
                        + "], may be version or group mismatch , channel: ...\n\tat a.b(C.java:1)");
    }

    @Test
    void eachServiceIsAskedForByEcho() throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter", "a.Clock:1.0:g");
        try (DubboConnection provider = stub.accept()) {
            DubboFrame greeter = provider.read();
            assertThat(greeter.header()).isEqualTo("dabbc200");
            assertThat(greeter.body())
                    .startsWith("05322e302e32" + "09" + text("a.Greeter") + "05" + text("0.0.0") + "05" + text("$echo")
                            + "12" + text("Ljava/lang/Object;") + "09" + text("dubbomesh") + "48")
                    .doesNotContain(text("generic"));
            provider.answer(greeter.id(), 20, ECHO);
            DubboFrame clock = provider.read();
            assertThat(clock.body())
                    .contains("07" + text("a.Clock") + "03" + text("1.0"))
                    .contains("05" + text("group") + "01" + text("g"));
            provider.answer(clock.id(), 20, ECHO);
            assertThat(provider.isAtEnd()).isTrue();
        }

        assertThat(result(check)).isEqualTo(Exports.ALL);
    }

    @Test
    void aServiceIsAskedForByItsPath() throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter:1.0=shop/greeter");
        try (DubboConnection provider = stub.accept()) {
            DubboFrame greeter = provider.read();
            assertThat(greeter.body())
                    .startsWith("05322e302e32" + "09" + text("a.Greeter") + "03" + text("1.0"))
                    .contains("04" + text("path") + "0c" + text("shop/greeter"));
            provider.answer(greeter.id(), 20, ECHO);
        }

        assertThat(result(check)).isEqualTo(Exports.ALL);
    }

    @Test
    void aServiceThatIsNotFoundIsMissingAndWhatIsThereIsListed() throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter", "a.Clock:1.0:g");
        try (DubboConnection provider = stub.accept()) {
            provider.answer(provider.read().id(), 70, notFound("a.Clock:1.0:20880"));
            provider.answer(provider.read().id(), 20, ECHO);
            DubboFrame list = provider.read();
            // No argument, since some versions would log a stack trace for it.
            assertThat(list.body())
                    .contains(text("org.apache.dubbo.metadata.MetadataService") + "05" + text("1.0.0") + "05"
                            + text("$echo") + "00" + "48")
                    .contains(text("-no-such-group-"));
            provider.answer(list.id(), 70, notFound("g/a.Clock:1.0:20880, a.Greeting:20880"));
        }

        Exports found = result(check);
        assertThat(found.missing()).containsOnlyKeys(GREETER);
        assertThat(found.missing().get(GREETER))
                .startsWith("status 70: org.apache.dubbo.remoting.RemotingException: Not");
        assertThat(found.unsaid()).isEmpty();
        assertThat(found.listed()).containsExactly("a.Clock:1.0:g", "a.Greeting");
    }

    /** 3.0 and 3.1; 3.2 and 3.3, also about a version that is not there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Fail to decode request due to: java.io.IOException: Service a.Greeter with version 0.0.0 not found, invocation rejected.",
                "Fail to decode request due to: RpcInvocation [methodName=$echo, parameterTypes=null]"
            })
    void dubbo3CannotDecodeACallOfAServiceThatItDoesNotExport(String error) throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter");
        try (DubboConnection provider = stub.accept()) {
            provider.answer(provider.read().id(), 40, DubboFrame.text(error + "\njava.io.IOException"));
            provider.answer(provider.read().id(), 40, DubboFrame.text(error));
        }

        assertThat(result(check)).isEqualTo(new Exports(Map.of(GREETER, "status 40: " + error), Set.of(), List.of()));
    }

    @Test
    void aProviderThatRefusesTheSerializationExportsNothingToTheAgent() throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter");
        try (DubboConnection provider = stub.accept()) {
            provider.answer(
                    provider.read().id(),
                    40,
                    DubboFrame.text(
                            "Unexpected serialization id:2 received from network, please check if the peer send the right id."));
            // In fastjson2.
            provider.send(DubboFrame.frame(0x17, 40, provider.read().id(), "7900"));
        }

        assertThat(result(check).missing().get(GREETER))
                .startsWith("status 40 in hessian2 to a request in hessian2 (see dubbo.serialization): Unexpected");
    }

    @Test
    void aProviderThatAnswersInASerializationThatIsNotReadExportsNothingToTheAgent() throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter");
        try (DubboConnection provider = stub.accept()) {
            provider.send(DubboFrame.frame(8, 20, provider.read().id(), "01"));
            provider.send(DubboFrame.frame(8, 70, provider.read().id(), "01"));
        }

        assertThat(result(check).missing().get(GREETER)).startsWith("the provider answered in kryo, which");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 70, 80, 90})
    void anyOtherAnswerIsOneOfTheService(int status) throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter");
        try (DubboConnection provider = stub.accept()) {
            provider.answer(provider.read().id(), status, DubboFrame.text("not a call of hash(String)"));
            assertThat(provider.isAtEnd()).isTrue();
        }

        assertThat(result(check)).isEqualTo(Exports.ALL);
    }

    @Test
    void aServiceThatHangsHidesNoOther() throws Exception {
        CompletableFuture<Exports> check = start(2_000, "a.Greeter", "a.Clock:1.0:g", "a.Shop");
        try (DubboConnection provider = stub.accept()) {
            DubboFrame greeter = provider.read();
            DubboFrame clock = provider.read();
            DubboFrame shop = provider.read();
            provider.answer(shop.id(), 20, ECHO);
            provider.answer(clock.id(), 70, notFound("a.Greeter:20880, a.Shop:20880"));
            DubboFrame list = provider.read();
            assertThat(list.body()).contains(text("-no-such-group-"));
            // A list that was cut says nothing of what it does not have.
            provider.answer(list.id(), 70, DubboFrame.text("Not found exported service: x in [a.Shop:20880, a.Gre"));
            assertThat(greeter.id()).isEqualTo(1);

            Exports found = result(check);
            assertThat(found.missing()).containsOnlyKeys(CLOCK);
            assertThat(found.unsaid()).containsExactly(GREETER);
            assertThat(found.listed()).containsExactly("a.Shop");
        }
    }

    @Test
    void theListDecidesAboutServicesThatHang() throws Exception {
        CompletableFuture<Exports> check = start(2_000, "a.Greeter", "a.Clock:1.0:g");
        try (DubboConnection provider = stub.accept()) {
            provider.read();
            provider.read();
            provider.answer(provider.read().id(), 70, notFound("g/a.Clock:1.0:20880, a.Shop:20880"));

            Exports found = result(check);
            assertThat(found.missing())
                    .containsExactly(Map.entry(GREETER, "no answer, and it is not among what the provider lists"));
            assertThat(found.unsaid()).isEmpty();
            assertThat(found.listed()).containsExactly("a.Clock:1.0:g", "a.Shop");
        }
    }

    @Test
    void ofManyServicesNoMoreAreAskedAboutAtOnceThanThreadsCanAnswer() throws Exception {
        String[] services = IntStream.range(0, 100).mapToObj(i -> "a.S" + i).toArray(String[]::new);
        CompletableFuture<Exports> check = start(services);
        try (DubboConnection provider = stub.accept()) {
            Deque<Long> unanswered = new ArrayDeque<>();
            for (int i = 0; i < 64; i++) {
                unanswered.add(provider.read().id());
            }
            for (int i = 64; i < 100; i++) {
                provider.answer(unanswered.removeLast(), 20, ECHO);
                unanswered.addLast(provider.read().id());
            }
            for (long id : unanswered) {
                provider.answer(id, 20, ECHO);
            }
            assertThat(provider.isAtEnd()).isTrue();
        }

        assertThat(result(check)).isEqualTo(Exports.ALL);
    }

    @Test
    void aBusyProviderSaysNothing() throws Exception {
        CompletableFuture<Exports> check = start("a.Greeter", "a.Clock:1.0:g");
        try (DubboConnection provider = stub.accept()) {
            provider.answer(provider.read().id(), 100, DubboFrame.text("Thread pool is EXHAUSTED!"));
            provider.answer(provider.read().id(), 20, ECHO);
            provider.answer(provider.read().id(), 100, DubboFrame.text("Thread pool is EXHAUSTED!"));
        }

        Exports found = result(check);
        assertThat(found.missing()).isEmpty();
        assertThat(found.unsaid()).containsExactly(GREETER);
    }

    @Test
    void aProviderThatDoesNotAnswerInTimeSaysNothing() throws Exception {
        CompletableFuture<Exports> check = start(200, "a.Greeter", "a.Clock:1.0:g");
        try (DubboConnection provider = stub.accept()) {
            for (int i = 0; i < 3; i++) {
                provider.read();
            }
            assertThat(result(check).unsaid()).containsExactly(GREETER, CLOCK);
            assertThat(provider.isAtEnd()).isTrue();
        }
    }
}
