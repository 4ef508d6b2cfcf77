package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
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

    /** Writes into the entry of {@code com.example.Greeter} at 192.0.2.7 as soon as it is there. */
    protected abstract void writeEntry(String value) throws Exception;

    /** Returns whether that entry ends with its agent. */
    protected boolean isBound() throws Exception {
        return true;
    }

    /** Returns what messages call the store. */
    protected abstract String name();

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
        return registration;
    }

    private void awaitListed(String service, int weight) throws Exception {
        watcher.awaitEndpoints(LIMIT, service, ADDRESS + "*" + weight);
    }

    private void awaitNone(String service) throws Exception {
        watcher.await(
                LIMIT,
                now -> now.endpoints(service) == null || now.endpoints(service).isEmpty());
    }

    /** A store that cannot compare may lose what is written while the agent puts its own value. */
    private void writeUntilAdopted(Registration registration, int weight) throws Exception {
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

        writeUntilAdopted(registration, 8);

        awaitListed(CLOCK, 8);
        awaitListed(GREETER, 8);
        assertThat(registration.weight()).isEqualTo(8);
        Await.until(LIMIT, "bound", this::isBound);
    }

    @Test
    void aWeightThatAnotherAgentChangesIsAdopted() throws Exception {
        Registration registration = registered(GREETER, CLOCK);

        consumers.changeWeight(List.of(GREETER, CLOCK, "not.Registered"), ADDRESS, 9);

        awaitListed(GREETER, 9);
        awaitListed(CLOCK, 9);
        Await.until(LIMIT, "the weight", () -> registration.weight() == 9);
        assertThat(isBound()).isTrue();
        assertThatThrownBy(() -> consumers.changeWeight(List.of(GREETER), new HostPort("192.0.2.8", 30000), 9))
                .isInstanceOf(FixedWeightException.class)
                .hasMessageContaining("192.0.2.8:30000");
    }

    @Test
    void anEntryDeletedOrDamagedByHandIsWrittenAgain() throws Exception {
        Registration registration = registered(GREETER);
        awaitListed(GREETER, 3);

        writeEntry("spoiled");
        Await.until(LIMIT, "the line", () -> log.warnings().stream().anyMatch(line -> line.contains(" replaced: ")));
        writeUntilAdopted(registration, 4);
        awaitListed(GREETER, 4);

        delete(7);
        // Into the entry that is there again.
        writeUntilAdopted(registration, 5);
        awaitListed(GREETER, 5);
        Await.until(LIMIT, "bound", this::isBound);
    }

    @Test
    void anEntryOfAFormerRunIsTakenOverWithTheConfiguredWeight() throws Exception {
        put(7);

        Registration registration = registered(GREETER);

        awaitListed(GREETER, 3);
        assertThat(registration.weight()).isEqualTo(3);
        assertThat(isBound()).isTrue();
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
        Await.until(LIMIT, "bound", this::isBound);
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
