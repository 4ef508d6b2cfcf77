package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class DirectoryLogTest {
    private static final String GREETER = "com.example.Greeter";
    private static final String CLOCK = "com.example.Clock";

    @RegisterExtension
    private final RecordedLog recorded = new RecordedLog(DirectoryLog.class);

    private final DirectoryLog log = new DirectoryLog();

    private static Endpoint endpoint(int number, int weight) {
        return new Endpoint("192.0.2." + number, 30000, weight, 180, List.of());
    }

    private void update(Endpoint... greeters) {
        log.update(Directory.of(Map.of(GREETER, Arrays.asList(greeters))));
    }

    /** The lines since the last call of this method. */
    private List<String> lines() {
        log.log();
        List<String> lines = recorded.lines();
        recorded.clear();
        return lines;
    }

    @Test
    void servicesThatNobodyCallsAreNotLogged() {
        update(endpoint(1, 1));
        assertThat(lines()).isEmpty();
        update(endpoint(1, 1), endpoint(2, 1));
        assertThat(lines()).isEmpty();
    }

    @Test
    void theEndpointsOfAServiceAreListedAfterItsFirstCall() {
        update(endpoint(1, 3), endpoint(2, 1));
        assertThat(lines()).isEmpty();
        log.called(GREETER);

        assertThat(lines())
                .containsExactly(GREETER + ": 2 endpoints; listed 192.0.2.1:30000 weight 3, 192.0.2.2:30000 weight 1");
        assertThat(lines()).isEmpty();
    }

    @Test
    void aLineTellsAllChangesSinceTheLastOne() {
        update(endpoint(1, 1), endpoint(2, 1), endpoint(3, 1), endpoint(4, 1));
        log.called(GREETER);
        lines();

        update(endpoint(1, 7), endpoint(4, 1));
        log.update(Directory.of(
                Map.of(GREETER, List.of(endpoint(1, 5), endpoint(4, 1), endpoint(9, 1)), CLOCK, List.of()),
                Map.of(GREETER, Set.of("192.0.2.2:30000"))));

        assertThat(lines())
                .containsExactly(GREETER + ": 3 endpoints; joined 192.0.2.9:30000 weight 1;"
                        + " changed 192.0.2.1:30000 weight 5; deregistered 192.0.2.2:30000 weight 1;"
                        + " lapsed 192.0.2.3:30000 weight 1");
    }

    @Test
    void aProviderWhoseAgentIsListedNowIsNotCalledDeregistered() {
        Endpoint provider = new Endpoint("192.0.2.1", 20880, 100, 180, List.of());
        Endpoint agent = new Endpoint("192.0.2.1", 30000, 1, 180, List.of(), provider.address(), List.of(), Map.of());
        update(provider);
        log.called(GREETER);
        lines();

        log.update(Directory.of(Map.of(GREETER, List.of(agent)), Map.of(GREETER, Set.of(provider.address()))));

        assertThat(lines())
                .containsExactly(GREETER + ": 1 endpoint; joined 192.0.2.1:30000 weight 1;"
                        + " now behind an agent: 192.0.2.1:20880 weight 100");
    }

    @Test
    void whatWasChangedBackIsNotLogged() {
        update(endpoint(1, 1));
        log.called(GREETER);
        lines();
        update();
        update(endpoint(1, 1));

        assertThat(lines()).isEmpty();
    }

    @Test
    void aLineNamesThreeEndpointsOfEachKind() {
        List<Endpoint> many = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            many.add(endpoint(i, 1));
        }
        update(many.toArray(Endpoint[]::new));
        log.called(GREETER);

        assertThat(lines())
                .singleElement()
                .asString()
                .endsWith(": 200 endpoints; listed 192.0.2.1:30000 weight 1, 192.0.2.2:30000 weight 1,"
                        + " 192.0.2.3:30000 weight 1 and 197 more");
    }

    @Test
    void aServiceThatLostItsLastEndpointIsLogged() {
        update(endpoint(1, 1));
        log.called(GREETER);
        lines();
        update();

        assertThat(lines()).containsExactly(GREETER + ": 0 endpoints; lapsed 192.0.2.1:30000 weight 1");
    }

    /**
     * Checks that it is named the second time, since a provider registers one protocol after the other; called or not.
     */
    @Test
    void aForeignInstanceIsNamedOnceWithAddressAndApplication() {
        Directory directory = Directory.of(Map.of(GREETER, List.of(provider(1, "tri"), provider(2, null))))
                .withUnknown(UnknownExports.NONE, Set.of(provider(3, "rest")));
        log.update(directory);
        assertThat(lines()).isEmpty();
        assertThat(lines())
                .containsExactly("provider 192.0.2.3:20880 (application greeter): rest only, cannot be called yet;"
                        + " let it register the protocol dubbo or tri too");
        assertThat(lines()).isEmpty();

        update(endpoint(1, 1));
        assertThat(lines()).isEmpty();
        log.update(directory);
        assertThat(lines()).isEmpty();
        assertThat(lines()).hasSize(1);
    }

    private static Endpoint provider(int number, String protocol) {
        Map<String, String> parameters = protocol == null ? Map.of() : Map.of(DubboExport.PROTOCOL, protocol);
        DubboExport export = new DubboExport(Variant.NONE, "greeter", "", "", "", parameters);
        return new Endpoint("192.0.2." + number, 20880, 100, 180, List.of(Variant.NONE), List.of(export));
    }

    @Test
    void aFixedListForAnyServiceIsNotLogged() {
        log.update(Directory.ofAnyService(List.of(endpoint(1, 1))));
        log.called("invented.by.a.Client");

        assertThat(lines()).isEmpty();
    }
}
