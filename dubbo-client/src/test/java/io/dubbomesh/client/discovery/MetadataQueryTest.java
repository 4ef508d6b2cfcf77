package io.dubbomesh.client.discovery;

import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.DubboMetadata;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class MetadataQueryTest {
    private static final String SERVICE = "org.apache.dubbo.metadata.MetadataService";
    /** The value of a response, a text, and no attachments. */
    private static final String TOLD = "94" + "04" + text("told") + "48" + "5a";

    private static final String REFUSAL = "06" + text("no way");

    private ScriptedProvider provider;

    @BeforeEach
    void listen() throws IOException {
        provider = new ScriptedProvider();
    }

    @AfterEach
    void close() throws IOException {
        provider.close();
    }

    /** The answers of the metadata services of Apache Dubbo 3.2.19, with a token, and of 3.3.6. */
    @ParameterizedTest
    @CsvSource({"3.2.19,app32,6342be279f41637144d0bc17d1dfcc24,s3cret", "3.3.6,app33,3b5e877cad974cbe122178be9a169351,"
    })
    void whatRealProvidersExportIsRead(String version, String application, String revision, String token)
            throws Exception {
        String answer = Files.readString(Path.of("src/test/resources/metadata-info-" + version + ".hex"))
                .replace("\n", "");
        provider.serve((connection, call) -> connection.answer(call.id(), 20, answer));

        DubboMetadata metadata = DubboMetadata.parse(query(application, 10_000).run(revision));

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

        assertThat(query("greeter", 10_000).run("5aa8f2")).isNull();

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
        assertThatThrownBy(() -> query("greeter", 10_000).run("5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no way");
    }

    @Test
    void anInstanceThatSaysNothingIsNotWaitedForLongerThanTheTimeout() {
        assertThatThrownBy(() -> query("greeter", 200).run("5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessage("127.0.0.1:" + provider.port() + ": no answer in time");
    }

    /** Checks dubbo#11490: {@code dubbo.service.version} concerns Dubbo's own services, too. */
    @Test
    void theQuestionIsAskedInTheVersionThatTheInstanceRegistered() throws Exception {
        provider.serve((connection, call) -> {
            if (call.body().contains("3029" + text(SERVICE) + "04" + text("TEST"))) {
                connection.answer(call.id(), 20, TOLD);
            } else {
                connection.answer(call.id(), 40, REFUSAL);
            }
        });

        assertThat(query("greeter", "TEST", 10_000, provider.port()).run("5aa8f2"))
                .isEqualTo("told");
        assertThat(provider.calls()).hasSize(1);
    }

    @Test
    void dubbosOwnVersionIsAskedForWhereTheRegisteredOneIsRefused() throws Exception {
        provider.serve((connection, call) -> {
            if (call.body().contains("05" + text("1.0.0"))) {
                connection.answer(call.id(), 20, TOLD);
            } else {
                connection.answer(call.id(), 40, REFUSAL);
            }
        });

        assertThat(query("greeter", "3.0.0", 10_000, provider.port()).run("5aa8f2"))
                .isEqualTo("told");
        assertThat(provider.calls()).hasSize(2);
    }

    /** Checks dubbo#13579: the port that was registered is that inside of the container. */
    @Test
    void theInstancesOwnPortIsAskedIfNobodyAnswersAtThatOfTheMetadataService() throws Exception {
        provider.serve((connection, call) -> connection.answer(call.id(), 20, TOLD));
        int unused = unusedPort();

        assertThat(query("greeter", "1.0.0", 10_000, unused, provider.port()).run("5aa8f2"))
                .isEqualTo("told");
    }

    @Test
    void anAddressThatSaysNothingLeavesTimeForTheNext() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            provider.serve((connection, call) -> connection.answer(call.id(), 20, TOLD));

            assertThat(query("greeter", "1.0.0", 1_000, silent.getLocalPort(), provider.port())
                            .run("5aa8f2"))
                    .isEqualTo("told");
        }
    }

    @Test
    void aFailureNamesEachAddressThatWasAsked() throws Exception {
        provider.serve((connection, call) -> connection.answer(call.id(), 40, REFUSAL));
        int unused = unusedPort();

        assertThatThrownBy(() -> query("greeter", "1.0.0", 10_000, unused, provider.port())
                        .run("5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "127.0.0.1:" + unused + ": Connection refused; 127.0.0.1:" + provider.port() + ": ")
                .hasMessageContaining("no way");
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return listener.getLocalPort();
        }
    }

    private MetadataQuery query(String application, long timeoutMs) {
        return query(application, "1.0.0", timeoutMs, provider.port());
    }

    private static MetadataQuery query(String application, String version, long timeoutMs, int... ports) {
        List<EndpointId> addresses = IntStream.of(ports)
                .mapToObj(port -> EndpointProtocol.DUBBO.at("127.0.0.1", port))
                .toList();
        return new MetadataQuery(
                new MetadataServiceAddress(addresses, application, version),
                Serialization.HESSIAN2,
                ProviderTls.NONE,
                timeoutMs);
    }
}
