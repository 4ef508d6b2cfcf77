package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class HintedExportsTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "", "");
    private static final ServiceKey CLOCK = new ServiceKey("a.Clock", "1.0", "g");
    private static final ServiceKey OTHERS = new ServiceKey("b.Other", "", "");

    private final Named first = new Named("first");
    private final Named second = new Named("second");
    private final Set<ServiceKey> exported = new LinkedHashSet<>();
    private boolean answers = true;
    private final HintedExports exports = new HintedExports(List.of(first, second), this::check);

    private static final class Named implements ExportHints {
        private final String source;
        private Set<ServiceKey> services = Set.of();

        Named(String source) {
            this.source = source;
        }

        @Override
        public String source() {
            return source;
        }

        @Override
        public Set<ServiceKey> services() {
            return services;
        }
    }

    private Exports check(Set<ServiceKey> asked) {
        Map<ServiceKey, String> missing = new HashMap<>();
        asked.stream().filter(service -> !exported.contains(service)).forEach(service -> missing.put(service, "no"));
        return answers ? new Exports(missing, Set.of(), List.of()) : new Exports(Map.of(), asked, List.of());
    }

    @Test
    void whatAnyoneNamesAndTheProviderConfirmsIsExported() {
        first.services = Set.of(GREETER, OTHERS);
        second.services = Set.of(CLOCK);
        exported.addAll(Set.of(GREETER, CLOCK));

        Exports found = exports.run();

        assertThat(found.all()).containsExactlyInAnyOrder(GREETER, CLOCK);
        assertThat(found.source()).isEqualTo("as named by first and second and confirmed by it");
    }

    @Test
    void whatIsConfirmedIsAskedAboutThoughNobodyNamesItAnyMore() {
        first.services = Set.of(GREETER, CLOCK);
        exported.addAll(Set.of(GREETER, CLOCK));
        exports.run();
        first.services = Set.of();

        assertThat(exports.run().all()).containsExactlyInAnyOrder(GREETER, CLOCK);
        exported.remove(CLOCK);
        assertThat(exports.run().all()).containsExactly(GREETER);
        exported.clear();
        assertThat(exports.run().all()).isEmpty();
        assertThat(exports.run().all()).isNull();
    }

    @Test
    void nothingIsKnownWhereNobodyNamesAnythingOfIt() {
        assertThat(exports.run().all()).isNull();

        first.services = Set.of(OTHERS);
        assertThat(exports.run().all()).isNull();
    }

    @Test
    void aProviderThatDoesNotAnswerChangesNothing() {
        first.services = Set.of(GREETER);
        exported.add(GREETER);
        exports.run();
        answers = false;

        assertThat(exports.run().all()).isNull();
        answers = true;
        first.services = Set.of();
        assertThat(exports.run().all()).containsExactly(GREETER);
    }
}
