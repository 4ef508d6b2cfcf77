package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class MissingServicesTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "", "");
    private static final ServiceKey CLOCK = new ServiceKey("a.Clock", "1.0", "g");

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(MissingServices.class);

    private final MissingServices missing = new MissingServices(new HostPort("192.0.2.1", 20880));

    private static Exports unsaid(ServiceKey... services) {
        return new Exports(Map.of(), Set.of(services), List.of());
    }

    @Test
    void servicesOfWhichNothingIsKnownAreLoggedOnceUntilAllHaveAnswered() {
        assertThat(missing.update(unsaid(GREETER))).isEmpty();
        missing.update(unsaid(GREETER, CLOCK));
        missing.update(unsaid(CLOCK));
        assertThat(log.warnings())
                .containsExactly(
                        "provider 192.0.2.1:20880 has not answered whether it exports a.Greeter of dubbo.services;"
                                + " registered all the same, and asked for again");

        missing.update(unsaid());
        missing.update(unsaid(CLOCK));
        assertThat(log.warnings()).hasSize(2);
    }

    @Test
    void aMissingServiceThatDoesNotAnswerLaterIsStillMissingAndNotLogged() {
        missing.update(new Exports(Map.of(GREETER, "status 70"), Set.of(), List.of()));
        assertThat(missing.update(unsaid(GREETER))).containsExactly(GREETER);
        assertThat(log.warnings())
                .containsExactly("provider 192.0.2.1:20880 does not export a.Greeter of dubbo.services;"
                        + " it answers: status 70; not registered until it does");
    }

    @Test
    void whatTheProviderExportsIsToldOnceItListsThat() {
        missing.update(new Exports(Map.of(GREETER, "status 40"), Set.of(), List.of()));
        missing.update(new Exports(Map.of(GREETER, "status 40"), Set.of(), List.of("a.Clock:1.0:g")));

        assertThat(missing.text())
                .isEqualTo("provider 192.0.2.1:20880 does not export a.Greeter of dubbo.services;"
                        + " it exports a.Clock:1.0:g");
        assertThat(log.warnings()).hasSize(1);
    }
}
