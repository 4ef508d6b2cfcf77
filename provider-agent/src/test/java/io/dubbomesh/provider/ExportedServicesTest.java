package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class ExportedServicesTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "", "");
    private static final ServiceKey CLOCK = new ServiceKey("a.Clock", "1.0", "g");

    private final ExportedServices services = new ExportedServices(new HostPort("192.0.2.1", 20880), 30_000);

    private static Exports exports(ServiceKey... all) {
        return new Exports(Map.of(), Set.of(), List.of(), Set.of(all));
    }

    private static Exports silence() {
        return new Exports(Map.of(), Set.of(), List.of(), null);
    }

    @Test
    void whatTheProviderExportsIsOfferedAndItIsAskedEveryNowAndThen() {
        assertThat(services.update(exports(GREETER))).isEqualTo(Map.of("a.Greeter", List.of(Variant.NONE)));
        assertThat(services.nextQuestionMs()).isEqualTo(30_000);
        assertThat(services.problem()).isEmpty();

        assertThat(services.update(exports(GREETER, CLOCK))).containsOnlyKeys("a.Greeter", "a.Clock");
        assertThat(services.update(exports(CLOCK))).isEqualTo(Map.of("a.Clock", List.of(new Variant("1.0", "g"))));
    }

    @Test
    void nothingIsOfferedBeforeTheProviderHasListedIt() {
        assertThat(services.update(silence())).isNull();
        assertThat(services.nextQuestionMs()).isBetween(500L, 1_000L);
        assertThat(services.problem())
                .isEqualTo("provider 192.0.2.1:20880 does not list what it exports, as dubbo.services=auto needs;"
                        + " nothing is registered until it does: name the services in dubbo.services");
    }

    @Test
    void whatWasOfferedStaysWhenTheProviderDoesNotAnswerOnce() {
        Map<String, List<Variant>> offered = services.update(exports(GREETER));

        assertThat(services.update(silence())).isEqualTo(offered);
        assertThat(services.nextQuestionMs()).isLessThanOrEqualTo(1_000);
        assertThat(services.problem()).endsWith("what is registered stays");

        services.update(exports(GREETER));
        assertThat(services.problem()).isEmpty();
        assertThat(services.nextQuestionMs()).isEqualTo(30_000);
    }

    @Test
    void aProviderThatExportsNothingIsNamed() {
        assertThat(services.update(exports())).isEmpty();
        assertThat(services.problem()).isEqualTo("provider 192.0.2.1:20880 exports no service");
    }

    @Test
    void aServiceInMoreVersionsThanARegistryTakesIsLeftOut() {
        ServiceKey[] exported = IntStream.rangeClosed(0, 40)
                .mapToObj(i -> i == 0 ? CLOCK : new ServiceKey("a.Greeter", "1." + i, "group" + i))
                .toArray(ServiceKey[]::new);

        assertThat(services.update(exports(exported))).containsOnlyKeys("a.Clock");
        assertThat(services.problem())
                .isEqualTo("provider 192.0.2.1:20880 exports services that cannot be registered: a.Greeter");

        services.update(exports(GREETER, CLOCK));
        assertThat(services.problem()).isEmpty();
    }

    @Test
    void aServiceWhoseNameIsNoInterfaceIsLeftOut() {
        assertThat(services.update(exports(CLOCK, new ServiceKey("a-b", "", ""))))
                .containsOnlyKeys("a.Clock");
        assertThat(services.problem()).endsWith("cannot be registered: a-b");
    }
}
