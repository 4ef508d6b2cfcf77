package io.dubbomesh.consumer.direct;

import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

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
                            "its metadata is in no metadata centre, and no service that speaks dubbo tells it");
        }
        assertThat(provider.calls()).isEmpty();
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
        return new ApplicationMetadata(DirectSettings.from(settings, 1 << 20), List.of(centre));
    }

    private HostPort service() {
        return new HostPort("127.0.0.1", provider.port());
    }

    private static String answer(ApplicationMetadata metadata, HostPort service) throws Exception {
        return metadata.find("greeter", "r1", service).get(20, TimeUnit.SECONDS);
    }
}
