package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The contract of every registry in which agents register: each has a test class that extends this one. */
public abstract class RegistrationContract extends DirectoryContract {
    private static final String CLOCK = "com.example.Clock";
    private static final HostPort ADDRESS = new HostPort("192.0.2.7", 30000);
    private static final List<Variant> ONE = List.of(new Variant("1.0", "a"));

    /** Watches the registrations; null before the first one. */
    private Registry consumers;

    /** The owner of each entry of {@link #registered} at that time. */
    private final Map<String, Long> owners = new HashMap<>();

    /** Writes into the entry of {@code com.example.Greeter} at 192.0.2.7 as soon as it is there. */
    protected abstract void writeEntry(String value) throws Exception;

    /**
     * Returns the lease or the session that the entry of a service at 192.0.2.7 ends with; 0 if it is not there or ends
     * with none. A store without such a thing returns any other number.
     */
    protected long owner(String service) throws Exception {
        return 1;
    }

    /** Returns the time in which an agent answers a change of its entry, while the store is there. */
    protected Duration answerLimit() {
        return LIMIT;
    }

    /** Returns what messages call the store. */
    protected abstract String name();

    /** Returns the message of a change of a weight at an address that has no entry. */
    protected abstract String noEntry(HostPort address);

    /** Loses all entries, as a store does that is started anew without its data. */
    protected abstract void loseData() throws Exception;

    @AfterEach
    void closeConsumers() {
        if (consumers != null) {
            consumers.close();
        }
    }

    private Registration registration(Registry at, String... services) throws Exception {
        return registration(ADDRESS.host(), at, services);
    }

    private Registration registration(String host, Registry at, String... services) throws Exception {
        if (consumers == null) {
            consumers = open();
            consumers.watch(watcher);
        }
        Map<String, List<Variant>> offered =
                services.length == 1 ? Map.of(services[0], ONE) : Map.of(services[0], ONE, services[1], ONE);
        return at.registration(new RegistrationRequest(host, ADDRESS.port(), 3, 180, offered));
    }

    private Registration registered(String... services) throws Exception {
        Registration registration = registration(registry, services);
        registration.register();
        Await.until(LIMIT, "registered", registration::registered);
        for (String service : services) {
            owners.put(service, owner(service));
        }
        assertThat(owners.values()).doesNotContain(0L);
        return registration;
    }

    private void assertOwnersStay() throws Exception {
        for (String service : owners.keySet()) {
            assertThat(owner(service)).as(service).isEqualTo(owners.get(service));
        }
    }

    private void awaitOwners() throws Exception {
        Await.untilAsserted(answerLimit(), this::assertOwnersStay);
    }

    private void awaitListed(String service, int weight) throws Exception {
        watcher.awaitEndpoints(LIMIT, service, ADDRESS + "*" + weight);
    }

    private void awaitNone(String service) throws Exception {
        watcher.await(
                LIMIT,
                now -> now.endpoints(service) == null || now.endpoints(service).isEmpty());
    }

    /** Writes a weight, once in a store that compares before it writes. */
    protected void writeWeight(Registration registration, int weight) throws Exception {
        writeEntry(Integer.toString(weight));
        Await.until(answerLimit(), "the weight", () -> registration.weight() == weight);
    }

    /** Writes a weight where the agent may put its own value at the same time, without a look at this one. */
    protected final void writeUntilAdopted(Registration registration, int weight) throws Exception {
        Await.until(LIMIT, "the weight", () -> {
            if (registration.weight() != weight) {
                writeEntry(Integer.toString(weight));
            }
            return registration.weight() == weight;
        });
    }

    @Test
    void nothingIsListedBeforeTheAgentIsRegistered() throws Exception {
        Registration registration = registration(registry, GREETER);

        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        assertThat(registration.registered()).isFalse();
        awaitNone(GREETER);
    }

    @Test
    void aRegisteredAgentIsListedForEachServiceAndLoggedOnce() throws Exception {
        Registration registration = registered(GREETER, CLOCK);

        awaitListed(GREETER, 3);
        awaitListed(CLOCK, 3);
        assertThat(registration.address()).isEqualTo(ADDRESS);
        assertThat(log.lines().stream().filter(line -> line.contains("registered at ")))
                .hasSize(1);
        Await.until(LIMIT, "age", () -> consumers.ageNs() >= 0);
    }

    /** An operator's weight leaves the agent where it is. */
    @Test
    void anAgentIsListedWithItsZone() throws Exception {
        consumers = open();
        consumers.watch(watcher);
        Registration registration = registry.registration(new RegistrationRequest(
                ADDRESS.host(), ADDRESS.port(), 3, 180, Map.of(GREETER, ONE), Map.of(), null, "north"));
        registration.register();
        awaitListed(GREETER, 3);
        registration.changeWeight(5);
        awaitListed(GREETER, 5);

        assertThat(watcher.await(LIMIT, now -> now.endpoints(GREETER) != null).endpoints(GREETER))
                .extracting(Endpoint::zone)
                .containsExactly("north");
    }

    /** An operator's weight stays, and so does what was told before of another kind. */
    @Test
    void aChangedCapacityIsListed() throws Exception {
        Registration registration = registered(GREETER);
        registration.changeCapacity(3600);
        awaitCapacity(3600);
        registration.changeWeight(5);
        awaitListed(GREETER, 5);
        awaitCapacity(3600);

        writeUntilAdopted(registration, 7);
        awaitListed(GREETER, 7);
        registration.changeCapacity(1800);
        awaitCapacity(1800);
        assertThat(registration.weight()).isEqualTo(7);
    }

    private void awaitCapacity(int callsPerSecond) throws Exception {
        watcher.await(
                LIMIT,
                now -> now.endpoints(GREETER) != null
                        && now.endpoints(GREETER).stream().anyMatch(each -> each.capacity() == callsPerSecond));
    }

    @Test
    void anAgentThatDeregistersSaysSo() throws Exception {
        Registration registration = registered(GREETER);
        awaitListed(GREETER, 3);

        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        assertThat(registration.registered()).isFalse();
        Directory directory = watcher.await(LIMIT, now -> now.endpoints(GREETER).isEmpty());
        assertThat(directory.isDeregistered(GREETER, ADDRESS.toString())).isTrue();

        registration.register();
        awaitListed(GREETER, 3);
    }

    @Test
    void registeringCancelsADeregistrationThatIsNotDone() throws Exception {
        Registration registration = registered(GREETER);

        CompletableFuture<Void> deregistered = registration.deregister();
        registration.register();

        Await.until(LIMIT, "the end of the deregistration", deregistered::isDone);
        Await.until(LIMIT, "registered", registration::registered);
        awaitListed(GREETER, 3);
    }

    @Test
    void closingDeregistersForGood() throws Exception {
        Registration registration = registered(GREETER);
        awaitListed(GREETER, 3);

        registration.close();
        awaitNone(GREETER);
        registration.register();
        assertThat(registration.registered()).isFalse();
        assertThat(registration.deregister()).succeedsWithin(LIMIT);
    }

    @Test
    void onlyTheSelectedServicesAreRegistered() throws Exception {
        Registration registration = registered(GREETER, CLOCK);
        awaitListed(CLOCK, 3);

        registration.select(Map.of(GREETER, ONE));
        awaitNone(CLOCK);
        awaitListed(GREETER, 3);
        assertThat(registration.registered()).isTrue();

        registration.select(Map.of(GREETER, ONE, CLOCK, ONE));
        awaitListed(CLOCK, 3);
    }

    @Test
    void aWeightOfTheAgentItselfIsWritten() throws Exception {
        Registration registration = registered(GREETER);

        registration.changeWeight(9);

        awaitListed(GREETER, 9);
        assertThat(registration.weight()).isEqualTo(9);
    }

    @Test
    void aWeightWrittenByHandIsAdoptedForEveryService() throws Exception {
        Registration registration = registered(GREETER, CLOCK);

        writeWeight(registration, 8);

        awaitOwners();
        awaitListed(CLOCK, 8);
        awaitListed(GREETER, 8);
        assertThat(registration.weight()).isEqualTo(8);
        assertThat(registration.registered()).isTrue();
        assertOwnersStay();
    }

    @Test
    void aWeightThatAnotherAgentChangesIsAdopted() throws Exception {
        Registration registration = registered(GREETER, CLOCK);

        consumers.changeWeight(List.of(GREETER, CLOCK, "not.Registered"), ADDRESS, 9);

        assertOwnersStay();
        Await.until(answerLimit(), "the weight", () -> registration.weight() == 9);
        awaitListed(GREETER, 9);
        awaitListed(CLOCK, 9);
        assertOwnersStay();
        HostPort unknown = new HostPort("192.0.2.8", 30000);
        assertThatThrownBy(() -> consumers.changeWeight(List.of(GREETER), unknown, 9))
                .isInstanceOf(FixedWeightException.class)
                .hasMessage(noEntry(unknown));
    }

    @Test
    void anEntryDeletedOrDamagedByHandIsWrittenAgain() throws Exception {
        Registration registration = registered(GREETER);
        awaitListed(GREETER, 3);

        writeEntry("spoiled");
        Await.until(
                answerLimit(),
                "the line",
                () -> log.warnings().stream().anyMatch(line -> line.contains(" replaced: ")));
        awaitOwners();
        assertThat(registration.weight()).isEqualTo(3);
        writeWeight(registration, 4);
        awaitListed(GREETER, 4);

        delete(7);
        awaitOwners();
        writeWeight(registration, 5);
        awaitListed(GREETER, 5);
        awaitOwners();
    }

    @Test
    void anEntryOfAFormerRunIsTakenOverWithTheConfiguredWeight() throws Exception {
        put(7);

        Registration registration = registered(GREETER);

        awaitListed(GREETER, 3);
        assertThat(registration.weight()).isEqualTo(3);
    }

    @Test
    void anAgentWithoutHostRegistersTheLocalAddressOfItsConnection() throws Exception {
        registration(null, registry, GREETER).register();

        watcher.awaitEndpoints(LIMIT, GREETER, "127.0.0.1:30000*3");
    }

    @Test
    void theAgentStaysRegisteredDuringAnOutage() throws Exception {
        Registration registration = registered(GREETER);

        stop();
        assertThat(registration.registered()).isTrue();
        start();

        writeUntilAdopted(registration, 5);
        awaitListed(GREETER, 5);
        assertThat(registration.registered()).isTrue();
        // A session may have ended with the outage.
        Await.until(LIMIT, "an owner", () -> owner(GREETER) != 0);
    }

    @Test
    void aWeightThatTheAgentItselfChangesDuringAnOutageIsWrittenAfterIt() throws Exception {
        Registration registration = registered(GREETER);
        awaitListed(GREETER, 3);
        stop();

        registration.changeWeight(7);

        assertThatThrownBy(() -> consumers.changeWeight(List.of(GREETER), ADDRESS, 5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(name());
        start();
        awaitListed(GREETER, 7);
        assertThat(registration.weight()).isEqualTo(7);
    }

    @Test
    void registeringWaitsForTheRegistryAndCancelsADeregistration() throws Exception {
        Registration registration = registration(registry, GREETER);
        stop();
        registration.register();
        CompletableFuture<Void> deregistered = registration.deregister();
        registration.register();
        start();

        awaitListed(GREETER, 3);
        assertThat(deregistered).isCancelled();
    }

    @Test
    void closingTheRegistrationDuringAnOutageTakesTwoSecondsAtMost() throws Exception {
        Registration registration = registered(GREETER);
        stop();
        CompletableFuture<Void> deregistered = registration.deregister();

        long startNs = System.nanoTime();
        registration.close();

        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofMillis(2_500));
        Await.until(LIMIT, "cancelled", deregistered::isCancelled);
        start();
    }

    @Test
    void theAgentRegistersAgainInAStoreThatLostItsData() throws Exception {
        Registration registration = registered(GREETER);
        registration.changeWeight(5);
        awaitListed(GREETER, 5);

        loseData();

        awaitListed(GREETER, 5);
        writeUntilAdopted(registration, 6);
        awaitListed(GREETER, 6);
        assertThat(registration.registered()).isTrue();
    }

    @Test
    void theEntryOfASuccessorIsNotDeletedByADeregisteredAgent() throws Exception {
        Registration registration = registered(GREETER);
        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        try (Registry other = open()) {
            Registration successor = registration(other, GREETER);
            successor.register();
            Await.until(LIMIT, "registered", successor::registered);

            registration.close();

            awaitListed(GREETER, 3);
            successor.changeWeight(4);
            awaitListed(GREETER, 4);
        }
    }
}
