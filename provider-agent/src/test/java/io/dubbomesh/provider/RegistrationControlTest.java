package io.dubbomesh.provider;

import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.Discovery;
import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.admin.Readiness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class RegistrationControlTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "", "");
    private static final ServiceKey CLOCK = new ServiceKey("a.Clock", "1.0", "g");
    private static final String SELECT_BOTH = "select [a.Greeter, a.Clock]";
    private static final String PROVIDER = "provider 192.0.2.1:20880 ";

    private final List<String> events = new ArrayList<>();
    private final Asked asked = new Asked();
    private boolean loopsAreClosed;
    private final RegistrationControl control = new RegistrationControl(
            new HostPort("192.0.2.1", 20880),
            new ListedServices(
                    new HostPort("192.0.2.1", 20880), ServedServices.parse(List.of("a.Greeter", "a.Clock:1.0:g"))),
            asked,
            this::define);

    /** The questions to the provider, each to be answered by the test. */
    private static final class Asked implements Discovery {
        private final List<Long> pausesMs = new ArrayList<>();
        private final List<Long> definitionPausesMs = new ArrayList<>();
        private final List<CompletableFuture<Exports>> exports = new ArrayList<>();
        private final List<CompletableFuture<ServiceDefinitions>> definitions = new ArrayList<>();
        private final List<CompletableFuture<String>> protocols = new ArrayList<>();

        @Override
        public CompletableFuture<Exports> exports(long pauseMs) {
            pausesMs.add(pauseMs);
            return added(exports);
        }

        @Override
        public CompletableFuture<ServiceDefinitions> definitions(long pauseMs) {
            definitionPausesMs.add(pauseMs);
            return added(definitions);
        }

        @Override
        public CompletableFuture<String> protocol() {
            return added(protocols);
        }

        private static <T> CompletableFuture<T> added(List<CompletableFuture<T>> to) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            to.add(answer);
            return answer;
        }
    }

    private void define(ServiceDefinitions definitions, Map<String, List<Variant>> exported) {
        if (loopsAreClosed) {
            throw new RejectedExecutionException();
        }
        events.add("define");
    }

    private static Exports all() {
        return new Exports(Map.of(), Set.of(), List.of());
    }

    private static Exports without(ServiceKey missing) {
        return new Exports(Map.of(missing, "status 70"), Set.of(), List.of("a.Other"));
    }

    private static Exports nothing() {
        return new Exports(Map.of(GREETER, "status 70", CLOCK, "status 70"), Set.of(), List.of());
    }

    /** The provider is asked what it exports, which is everything, and then for methods and types. */
    private void completeDiscovery(int number) {
        asked.exports.get(number).complete(all());
        asked.definitions.get(number).complete(ServiceDefinitions.NONE);
    }

    private void answer(int number, Exports exports) {
        asked.exports.get(number).complete(exports);
    }

    private void define(int number) {
        asked.definitions.get(number).complete(ServiceDefinitions.NONE);
    }

    private void start() {
        control.open(new Recorded());
        control.providerChanged(true);
    }

    private String reasonNotReady() {
        Readiness readiness = control.readiness();
        assertThat(readiness.isReady()).isFalse();
        return readiness.text();
    }

    private final class Recorded implements Registration {
        private boolean registered;

        @Override
        public void register() {
            registered = true;
            events.add("register");
        }

        @Override
        public void select(Map<String, List<Variant>> services) {
            events.add("select " + services.keySet());
        }

        @Override
        public CompletableFuture<Void> deregister() {
            registered = false;
            events.add("deregister");
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public HostPort address() {
            return new HostPort("192.0.2.1", 30000);
        }

        @Override
        public void changeWeight(int weight) {
            events.add("weight " + weight);
        }

        @Override
        public void changeCapacity(int callsPerSecond) {}

        @Override
        public int weight() {
            return 1;
        }

        @Override
        public boolean registered() {
            return registered;
        }

        @Override
        public void close() {}
    }

    @Test
    void theAgentRegistersAfterTheDiscoveryOfAProviderThatTakesCalls() {
        control.open(new Recorded());
        control.providerChanged(true);
        assertThat(reasonNotReady()).isEqualTo(PROVIDER + "is being asked what it exports");
        answer(0, all());
        assertThat(events).isEmpty();

        define(0);

        assertThat(events).containsExactly("define", SELECT_BOTH, "register");
        assertThat(control.readiness()).isEqualTo(Readiness.ready());
        assertThat(asked.pausesMs).containsExactly(0L);
    }

    @Test
    void aDiscoveryThatEndsBeforeTheAgentListensIsNotLost() {
        control.providerChanged(true);
        completeDiscovery(0);
        assertThat(reasonNotReady()).isEqualTo("not registered yet");

        control.open(new Recorded());

        assertThat(events).containsExactly("define", SELECT_BOTH, "register");
    }

    @Test
    void theAgentDeregistersWhenTheProviderTakesNoCalls() {
        control.open(new Recorded());
        control.providerChanged(true);
        completeDiscovery(0);

        control.providerChanged(false);
        control.providerChanged(false);

        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "deregister");
    }

    @Test
    void theResultOfAnOutdatedDiscoveryIsIgnored() {
        control.open(new Recorded());
        control.providerChanged(true);
        control.providerChanged(false);
        control.providerChanged(true);

        answer(0, all());
        assertThat(asked.definitions).isEmpty();
        answer(1, all());
        define(0);
        assertThat(events).containsExactly("define", SELECT_BOTH, "register");
    }

    @Test
    void aReconnectedProviderIsDiscoveredAgainWhileTheAgentStaysRegistered() {
        control.open(new Recorded());
        control.providerChanged(true);
        completeDiscovery(0);
        control.providerChanged(true);
        completeDiscovery(1);

        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "define");
    }

    @Test
    void anAgentThatStopsDeregistersAndDoesNotRegisterAgain() {
        control.open(new Recorded());
        control.providerChanged(true);
        completeDiscovery(0);

        assertThat(control.stop()).isCompleted();
        control.providerChanged(false);
        control.providerChanged(true);
        asked.exports.get(1).complete(all());

        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "deregister");
        assertThat(reasonNotReady()).isEqualTo("shutting down");
    }

    @Test
    void theAgentDoesNotRegisterWhenItsLoopsAreClosed() {
        control.open(new Recorded());
        control.providerChanged(true);
        loopsAreClosed = true;

        completeDiscovery(0);

        assertThat(events).isEmpty();
    }

    private static ServiceDefinitions greeterIsKnown(boolean isFinal) {
        return new ServiceDefinitions(Map.of(GREETER, new ServiceDefinition(List.of(), Map.of())), isFinal);
    }

    private static ServiceDefinitions nothingIsKnownYet() {
        return new ServiceDefinitions(Map.of(), false);
    }

    @Test
    void aMetadataReportIsAwaitedWhileTheAgentIsRegistered() {
        start();
        answer(0, all());
        asked.definitions.get(0).complete(nothingIsKnownYet());
        assertThat(events).containsExactly("define", SELECT_BOTH, "register");

        asked.definitions.get(1).complete(nothingIsKnownYet());
        assertThat(events).as("nothing is new").hasSize(3);
        asked.definitions.get(2).complete(greeterIsKnown(false));
        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "define");
        asked.definitions.get(3).complete(greeterIsKnown(true));

        assertThat(events).hasSize(4);
        assertThat(asked.definitions).as("none can still come").hasSize(4);
        assertThat(asked.definitionPausesMs.get(0)).isZero();
        assertThat(asked.definitionPausesMs.get(1)).isBetween(500L, 1_000L);
        assertThat(asked.definitionPausesMs.get(2)).isBetween(1_000L, 2_000L);
    }

    @Test
    void whatWasKnownIsNotForgottenWhenALaterQuestionFails() {
        start();
        answer(0, all());
        asked.definitions.get(0).complete(greeterIsKnown(false));

        asked.definitions.get(1).complete(nothingIsKnownYet());

        assertThat(events).containsExactly("define", SELECT_BOTH, "register");
    }

    @Test
    void aReportIsNotAwaitedForAProviderThatIsLost() {
        start();
        answer(0, all());
        asked.definitions.get(0).complete(nothingIsKnownYet());
        control.providerChanged(false);

        asked.definitions.get(1).complete(greeterIsKnown(true));

        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "deregister");
        assertThat(asked.definitions).hasSize(2);
    }

    @Test
    void whatIsNotExportedIsNotRegisteredAndAskedForAgain() {
        start();

        answer(0, without(GREETER));
        define(0);

        assertThat(events).containsExactly("define", "select [a.Clock]", "register");
        assertThat(control.readiness())
                .isEqualTo(Readiness.readyWithNote(
                        PROVIDER + "does not export a.Greeter of dubbo.services; it exports a.Other"));
        assertThat(asked.pausesMs)
                .hasSize(2)
                .last()
                .satisfies(ms -> assertThat(ms).isBetween(500L, 1000L));

        answer(1, all());
        define(1);
        assertThat(events).containsExactly("define", "select [a.Clock]", "register", "define", SELECT_BOTH, "register");
        assertThat(control.readiness()).isEqualTo(Readiness.ready());
        assertThat(asked.pausesMs).as("nothing is missing any more").hasSize(2);
    }

    @Test
    void theAgentIsNotReadyWhileNothingIsExported() {
        start();

        answer(0, nothing());

        assertThat(events).isEmpty();
        assertThat(reasonNotReady()).contains("does not export", "a.Greeter", "a.Clock:1.0:g", "it answers: status 70");
        answer(1, without(CLOCK));
        define(0);
        assertThat(events).containsExactly("define", "select [a.Greeter]", "register");
    }

    @Test
    void aServiceOfWhichABusyProviderSaysNothingIsRegisteredUnlessItWasMissing() {
        start();
        answer(0, new Exports(Map.of(GREETER, "status 70"), Set.of(CLOCK), List.of()));
        define(0);
        assertThat(events).containsExactly("define", "select [a.Clock]", "register");

        answer(1, new Exports(Map.of(), Set.of(GREETER, CLOCK), List.of()));

        assertThat(events).as("nothing new").hasSize(3);
        assertThat(asked.pausesMs).as("asked again").hasSize(3);
    }

    @Test
    void whatCallsDoNotFindIsAskedForAgainButNotForEachCall() {
        start();
        control.onServiceMissing(afterSeconds(6));
        assertThat(asked.exports).as("is being asked already").hasSize(1);
        completeDiscovery(0);

        control.onServiceMissing(afterSeconds(1));
        assertThat(asked.exports).as("was asked just now").hasSize(1);
        control.onServiceMissing(afterSeconds(8));
        control.onServiceMissing(afterSeconds(9));
        assertThat(asked.exports).hasSize(2);
        answer(1, all());
        assertThat(asked.definitions).as("nothing has changed").hasSize(1);

        control.onServiceMissing(afterSeconds(14));
        answer(2, without(GREETER));
        define(1);
        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "define", "select [a.Clock]", "register");
        assertThat(asked.pausesMs).as("the missing one is asked for again").hasSize(4);
    }

    @Test
    void aSlowAnswerIsAwaitedHoweverManyCallsFindNoService() {
        start();
        completeDiscovery(0);

        control.onServiceMissing(afterSeconds(6));
        control.onServiceMissing(afterSeconds(20));
        assertThat(asked.exports).as("is being asked already").hasSize(2);
        answer(1, without(GREETER));
        control.onServiceMissing(afterSeconds(40));
        define(1);

        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "define", "select [a.Clock]", "register");
    }

    @Test
    void theDiscoveryAfterAReconnectIsNotLostWhenACallFindsNoService() {
        start();
        completeDiscovery(0);
        control.providerChanged(true);
        answer(1, all());

        control.onServiceMissing(afterSeconds(20));
        define(1);

        assertThat(asked.exports).hasSize(2);
        assertThat(events).containsExactly("define", SELECT_BOTH, "register", "define");
    }

    @Test
    void theProviderIsAskedLessOftenTheLessItsAnswersHaveToDoWithTheCalls() {
        start();
        completeDiscovery(0);

        int asks = 0;
        for (int second = 6; second < 600; second++) {
            control.onServiceMissing(afterSeconds(second));
            if (asked.exports.size() > 1 + asks) {
                asks++;
                answer(asks, all());
            }
        }

        assertThat(asks).as("in ten minutes of such calls").isBetween(9, 14);
    }

    private static long afterSeconds(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void pausesBetweenQuestionsGrowToHalfAMinute() {
        start();
        for (int i = 0; i < 10; i++) {
            answer(i, nothing());
        }
        assertThat(asked.pausesMs)
                .hasSize(11)
                .last()
                .satisfies(ms -> assertThat(ms).isBetween(15_000L, 30_000L));
    }

    @Test
    void aProviderThatIsLostIsNotAskedAgainBeforeItIsBack() {
        start();
        answer(0, nothing());
        control.providerChanged(false);

        answer(1, all());

        assertThat(asked.pausesMs).hasSize(2);
        assertThat(events).isEmpty();
    }

    @Test
    void aProviderThatComesAndGoesInMassesIsAskedOneQuestionAtATime() {
        start();
        for (int i = 0; i < 1_000; i++) {
            control.providerChanged(false);
            control.providerChanged(true);
        }
        assertThat(asked.exports).hasSize(1);

        answer(0, without(GREETER));
        assertThat(asked.exports).as("the answer is out of date").hasSize(2);
        assertThat(events).isEmpty();
        answer(1, without(CLOCK));
        assertThat(asked.pausesMs).as("asked again later for what is missing").hasSize(3);
        for (int i = 0; i < 1_000; i++) {
            control.providerChanged(false);
            control.providerChanged(true);
        }
        assertThat(asked.exports.get(2)).as("the later question").isCancelled();
        assertThat(asked.exports).as("methods and types are being discovered").hasSize(3);
        define(0);
        assertThat(asked.exports).hasSize(4);
        answer(3, all());
        asked.definitions.get(1).complete(nothingIsKnownYet());

        assertThat(events).containsExactly("define", SELECT_BOTH, "register");
        control.providerChanged(true);
        assertThat(asked.definitions.get(2)).as("the later look for reports").isCancelled();
    }

    @Test
    void aProviderThatIsGoneWhenTheAnswerComesIsAskedWhenItIsBack() {
        start();
        control.providerChanged(false);
        control.providerChanged(true);
        control.providerChanged(false);
        answer(0, all());
        assertThat(asked.exports).hasSize(1);

        control.providerChanged(true);
        answer(1, all());
        define(0);
        assertThat(events).containsExactly("define", SELECT_BOTH, "register");
    }

    @Test
    void whatListensInPlaceOfAProviderIsLookedAtOnceAndNamed() {
        control.open(new Recorded());
        for (int i = 0; i < 5; i++) {
            control.attemptFailed(true, "closed by the provider");
        }
        assertThat(asked.protocols).hasSize(1);
        asked.protocols.get(0).complete("it speaks HTTP/2");

        assertThat(reasonNotReady())
                .isEqualTo(PROVIDER + "takes no calls: it does not answer a Dubbo heartbeat (closed by the provider);"
                        + " it speaks HTTP/2");
        control.attemptFailed(false, "refused");
        assertThat(reasonNotReady()).isEqualTo(PROVIDER + "takes no calls: not connected: refused");
    }

    /**
     * The ways to the states, and the events, by letters: u the provider takes calls and its exports are found, d it
     * takes none, n it exports nothing, + drain, - undo it, x stop.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE            | WAY | u          | d   | n   | +   | -          | x
                    SERVING UNKNOWN  | ''  | registered | not | not | not | not        | not
                    SERVING OFFERED  | u   | registered | not | not | not | registered | not
                    SERVING UNKNOWN  | ud  | registered | not | not | not | not        | not
                    DRAINING UNKNOWN | +   | not        | not | not | not | not        | not
                    DRAINING OFFERED | u+  | not        | not | not | not | registered | not
                    DRAINING OFFERED | +u  | not        | not | not | not | registered | not
                    STOPPING UNKNOWN | x   | not        | not | not | not | not        | not
                    STOPPING OFFERED | ux  | not        | not | not | not | not        | not
                    """)
    void theAgentIsRegisteredWhileTheProviderExportsSomethingAndTheOperatorWantsCalls(
            String state, String way, String u, String d, String n, String drain, String undo, String x) {
        String[] next = {u, d, n, drain, undo, x};
        for (int event = 0; event < next.length; event++) {
            Asked provider = new Asked();
            RegistrationControl agent = new RegistrationControl(
                    new HostPort("192.0.2.1", 20880),
                    new ListedServices(
                            new HostPort("192.0.2.1", 20880),
                            ServedServices.parse(List.of("a.Greeter", "a.Clock:1.0:g"))),
                    provider,
                    this::define);
            Recorded registration = new Recorded();
            agent.open(registration);
            way.chars().forEach(step -> happen(agent, provider, (char) step));
            happen(agent, provider, "udn+-x".charAt(event));
            assertThat(registration.registered())
                    .as(state + ", then " + "udn+-x".charAt(event))
                    .isEqualTo(next[event].equals("registered"));
        }
    }

    private static void happen(RegistrationControl agent, Asked provider, char event) {
        switch (event) {
            case 'u' -> find(agent, provider, all());
            case 'n' -> find(agent, provider, nothing());
            case 'd' -> agent.providerChanged(false);
            case 'x' -> agent.stop();
            default -> agent.drain(event == '+');
        }
    }

    private static void find(RegistrationControl agent, Asked provider, Exports found) {
        agent.providerChanged(true);
        List.copyOf(provider.exports).forEach(answer -> answer.complete(found));
        List.copyOf(provider.definitions).forEach(answer -> answer.complete(ServiceDefinitions.NONE));
    }
}
