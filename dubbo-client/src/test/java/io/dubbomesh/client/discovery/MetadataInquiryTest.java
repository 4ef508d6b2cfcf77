package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.registry.dubbo.DubboMetadata;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class MetadataInquiryTest {
    private static final String SERVICE = "org.apache.dubbo.metadata.MetadataService";
    private ScriptedProvider provider;

    @BeforeEach
    void listen() throws IOException {
        provider = new ScriptedProvider();
    }

    @AfterEach
    void close() throws IOException {
        provider.close();
    }

    /** As the metadata services of Apache Dubbo 3.2.19, with a token, and of 3.3.6 answered. */
    @ParameterizedTest
    @CsvSource({"3.2.19,app32,6342be279f41637144d0bc17d1dfcc24,s3cret", "3.3.6,app33,3b5e877cad974cbe122178be9a169351,"
    })
    void whatRealProvidersExportIsRead(String version, String application, String revision, String token)
            throws Exception {
        String answer = Files.readString(Path.of("src/test/resources/metadata-info-" + version + ".hex"))
                .replace("\n", "");
        provider.serve((connection, call) -> connection.answer(call.id(), 20, answer));

        DubboMetadata metadata = DubboMetadata.parse(inquiry(10_000).run(application, revision));

        assertThat(metadata.application()).isEqualTo(application);
        assertThat(metadata.revision()).isEqualTo(revision);
        assertThat(metadata.services())
                .extracting(service ->
                        service.group() + '/' + service.name() + ':' + service.version() + ':' + service.protocol())
                .containsExactly(
                        "blue/io.dubbomesh.demo.shop.Shop:2.0.0:dubbo",
                        "/io.dubbomesh.demo.shop.Shop::dubbo",
                        "/com.alibaba.dubbo.performance.demo.provider.IHelloService::dubbo");
        assertThat(metadata.services()).allSatisfy(service -> {
            assertThat(service.port()).isEqualTo(version.equals("3.2.19") ? 29902 : 29901);
            assertThat(service.path()).isEqualTo(service.name());
            assertThat(service.parameters())
                    .containsEntry("release", version)
                    .containsEntry("prefer.serialization", "hessian2");
            assertThat(service.parameters().get("token")).isEqualTo(token);
        });
    }

    @Test
    void theQuestionIsAskedForTheRevisionInTheGroupOfTheApplication() throws Exception {
        provider.serve((connection, call) -> connection.answer(call.id(), 20, "95 48 05 6475 62626f 05 322e302e32 5a"));

        assertThat(inquiry(10_000).run("greeter", "5aa8f2")).isNull();

        DubboFrame question = provider.calls().get(0);
        assertThat(question.header()).isEqualTo("dabbc200");
        assertThat(question.body())
                .startsWith("05322e302e32" + "3029" + text(SERVICE) + "05" + text("1.0.0") + "0f"
                        + text("getMetadataInfo") + "12" + text("Ljava/lang/String;") + "06" + text("5aa8f2") + "48")
                .contains("05" + text("group") + "07" + text("greeter"));
    }

    @Test
    void whatIsNoAnswerIsAFailureThatSaysWhy() throws Exception {
        provider.serve((connection, call) -> connection.answer(call.id(), 40, "06" + text("no way")));
        assertThatThrownBy(() -> inquiry(10_000).run("greeter", "5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no way");
    }

    @Test
    void anInstanceThatSaysNothingIsNotWaitedForLongerThanTheTimeout() {
        assertThatThrownBy(() -> inquiry(200).run("greeter", "5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessage("no answer in time");
    }

    private MetadataInquiry inquiry(long timeoutMs) {
        return new MetadataInquiry(new HostPort("127.0.0.1", provider.port()), Serialization.HESSIAN2, timeoutMs);
    }
}
