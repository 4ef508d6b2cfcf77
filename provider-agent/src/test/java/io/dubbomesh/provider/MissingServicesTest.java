package io.dubbomesh.provider;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class MissingServicesTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "", "");
    private static final ServiceKey CLOCK = new ServiceKey("a.Clock", "1.0", "g");

    private final Logger logger = (Logger) LoggerFactory.getLogger(MissingServices.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final MissingServices missing = new MissingServices(new HostPort("192.0.2.1", 20880));

    @BeforeEach
    void record() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopRecording() {
        logger.detachAppender(log);
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static Exports unsaid(ServiceKey... services) {
        return new Exports(Map.of(), Set.of(services), List.of());
    }

    @Test
    void servicesOfWhichNothingIsKnownAreLoggedOnceUntilAllHaveAnswered() {
        assertThat(missing.update(unsaid(GREETER))).isEmpty();
        missing.update(unsaid(GREETER, CLOCK));
        missing.update(unsaid(CLOCK));
        assertThat(warnings())
                .containsExactly(
                        "provider 192.0.2.1:20880 has not answered whether it exports a.Greeter of dubbo.services;"
                                + " registered all the same, and asked for again");

        missing.update(unsaid());
        missing.update(unsaid(CLOCK));
        assertThat(warnings()).hasSize(2);
    }

    @Test
    void aMissingServiceThatDoesNotAnswerLaterIsStillMissingAndNotLogged() {
        missing.update(new Exports(Map.of(GREETER, "status 70"), Set.of(), List.of()));
        assertThat(missing.update(unsaid(GREETER))).containsExactly(GREETER);
        assertThat(warnings())
                .containsExactly("provider 192.0.2.1:20880 does not export a.Greeter of dubbo.services;"
                        + " it answers: status 70; not registered until it does");
    }
}
