package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
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
    private final List<ServiceKey> asked = new ArrayList<>();
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
        this.asked.addAll(asked);
        asked.stream().filter(service -> !exported.contains(service)).forEach(service -> missing.put(service, "no"));
        return answers ? new Exports(missing, Set.of(), List.of()) : new Exports(Map.of(), asked, List.of());
    }

    @Test
    void whatAnyoneNamesAndTheProviderConfirmsIsExported() {
        first.services = Set.of(GREETER, OTHERS);
        second.services = Set.of(CLOCK);
        exported.addAll(Set.of(GREETER, CLOCK));

        Exports found = exports.run(true);

        assertThat(found.all()).containsExactlyInAnyOrder(GREETER, CLOCK);
        assertThat(found.source()).isEqualTo("as named by first and second and confirmed by it");
    }

    @Test
    void whatIsConfirmedIsAskedAboutThoughNobodyNamesItAnyMore() {
        first.services = Set.of(GREETER, CLOCK);
        exported.addAll(Set.of(GREETER, CLOCK));
        exports.run(true);
        first.services = Set.of();

        assertThat(exports.run(true).all()).containsExactlyInAnyOrder(GREETER, CLOCK);
        exported.remove(CLOCK);
        assertThat(exports.run(true).all()).containsExactly(GREETER);
        exported.clear();
        assertThat(exports.run(true).all()).isEmpty();
        assertThat(exports.run(true).all()).isNull();
    }

    /** A provider of Triple logs an error for each question about a service that it exports. */
    @Test
    void whatIsConfirmedIsNotAskedAboutAgainWhileTheProviderIsTheSame() {
        first.services = Set.of(GREETER, OTHERS);
        exported.add(GREETER);
        exports.run(true);
        asked.clear();

        assertThat(exports.run(false).all()).containsExactly(GREETER);
        first.services = Set.of(GREETER, CLOCK);
        exported.add(CLOCK);
        assertThat(exports.run(false).all()).containsExactlyInAnyOrder(GREETER, CLOCK);
        assertThat(exports.run(false).all()).containsExactlyInAnyOrder(GREETER, CLOCK);
        assertThat(asked).containsExactly(OTHERS, CLOCK);

        exported.remove(GREETER);
        assertThat(exports.run(true).all()).containsExactly(CLOCK);
    }

    @Test
    void nothingIsKnownWhereNobodyNamesAnythingOfIt() {
        assertThat(exports.run(true).all()).isNull();

        first.services = Set.of(OTHERS);
        assertThat(exports.run(true).all()).isNull();
    }

    @Test
    void aProviderThatDoesNotAnswerChangesNothing() {
        first.services = Set.of(GREETER);
        exported.add(GREETER);
        exports.run(true);
        answers = false;

        assertThat(exports.run(true).all()).isNull();
        answers = true;
        first.services = Set.of();
        assertThat(exports.run(true).all()).containsExactly(GREETER);
    }
}
