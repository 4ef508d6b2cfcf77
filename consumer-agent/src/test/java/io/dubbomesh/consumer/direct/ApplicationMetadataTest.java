package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ApplicationMetadataTest {
    /** The value of a response, a text, and no attachments. */
    private static final String TOLD = "94" + "04" + text("told") + "48" + "5a";

    private ScriptedProvider provider;
    private String reported;
    private boolean isCentreAway;
    private final MetadataReport centre = new MetadataReport() {
        @Override
        public String definition(ReportedService service, long timeoutMs) {
            return null;
        }

        @Override
        public String applicationMetadata(String application, String revision, long timeoutMs) throws IOException {
            if (isCentreAway) {
                throw new IOException("away");
            }
            return "greeter/r1".equals(application + '/' + revision) ? reported : null;
        }
    };

    @BeforeEach
    void serve() throws IOException {
        provider = new ScriptedProvider().serve((connection, call) -> connection.answer(call.id(), 20, TOLD));
    }

    @AfterEach
    void close() throws IOException {
        provider.close();
    }

    @Test
    void whatIsInAMetadataCentreIsNotAskedFor() throws Exception {
        reported = "reported";
        try (ApplicationMetadata metadata = metadata(Map.of())) {
            assertThat(answer(metadata, service())).isEqualTo("reported");
            assertThat(answer(metadata, null)).isEqualTo("reported");
        }
        assertThat(provider.calls()).isEmpty();
    }

    @Test
    void aProviderIsAskedIfNoMetadataCentreHasItOrAnswers() throws Exception {
        try (ApplicationMetadata metadata = metadata(Map.of())) {
            assertThat(answer(metadata, service())).isEqualTo("told");
            isCentreAway = true;
            assertThat(answer(metadata, service())).isEqualTo("told");
        }
    }

    @Test
    void whoCannotBeAskedIsNotAsked() {
        try (ApplicationMetadata metadata = metadata(Map.of("dubbo.inquiry", "false"))) {
            assertThatThrownBy(() -> answer(metadata, service()))
                    .hasMessageEndingWith("its metadata is in no metadata centre, and dubbo.inquiry is false");
            assertThatThrownBy(() -> answer(metadata, null))
                    .hasMessageEndingWith(
                            "its metadata is in no metadata centre, and no service that speaks dubbo or Triple tells it");
        }
        assertThat(provider.calls()).isEmpty();
    }

    /** Checks dubbo#14721: an application of Dubbo 3.3.0 has another revision in each of its instances. */
    @Test
    void notMoreThanEightInstancesAreAskedAtOnce() throws Exception {
        int questions = 300;
        int atOnce = 8;
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ScriptedProvider counting = new ScriptedProvider().serve((connection, call) -> {
                    synchronized (open) {
                        arrived.incrementAndGet();
                        most.accumulateAndGet(open.incrementAndGet(), Math::max);
                        open.notifyAll();
                        while (open.get() < atOnce && arrived.get() < questions) {
                            awaitNotification(open);
                        }
                        open.decrementAndGet();
                    }
                    connection.answer(call.id(), 20, TOLD);
                });
                ApplicationMetadata metadata = metadata(Map.of("dubbo.inquiry.timeout", "20 s"))) {
            MetadataServiceAddress address = new MetadataServiceAddress(
                    List.of(EndpointProtocol.DUBBO.at("127.0.0.1", counting.port())), "greeter", "1.0.0");
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < questions; i++) {
                answers.add(metadata.find("greeter", "r" + i, address));
            }
            for (CompletableFuture<String> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("told");
            }
            assertThat(counting.calls()).hasSize(questions);
            assertThat(most.get()).isEqualTo(atOnce);
        }
    }

    private static void awaitNotification(Object monitor) throws IOException {
        try {
            monitor.wait();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void nothingIsAskedForAfterTheEnd() {
        ApplicationMetadata metadata = metadata(Map.of());
        metadata.close();

        CompletableFuture<String> answer = metadata.find("greeter", "r1", service());
        assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
    }

    private ApplicationMetadata metadata(Map<String, String> properties) {
        Settings settings = Settings.of("io/dubbomesh/consumer/reference.conf", properties, Map.of());
        return new ApplicationMetadata(
                DirectSettings.from(settings, AgentRole.CONSUMER, 1 << 20), ProviderTls.NONE, List.of(centre));
    }

    private MetadataServiceAddress service() {
        return new MetadataServiceAddress(
                List.of(EndpointProtocol.DUBBO.at("127.0.0.1", provider.port())), "greeter", "1.0.0");
    }

    private static String answer(ApplicationMetadata metadata, MetadataServiceAddress service) throws Exception {
        return metadata.find("greeter", "r1", service).get(20, TimeUnit.SECONDS);
    }
}
