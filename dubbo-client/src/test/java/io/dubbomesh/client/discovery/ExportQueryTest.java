package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class ExportQueryTest {
    private final ScriptedProvider stub;

    ExportQueryTest() throws IOException {
        stub = new ScriptedProvider();
    }

    @AfterEach
    void close() throws IOException {
        stub.close();
    }

    private CompletableFuture<Exports> start(long timeoutMs) {
        HostPort provider = new HostPort("127.0.0.1", stub.port());
        ExportQuery query = new ExportQuery(new ProviderContact(provider, Serialization.HESSIAN2, null), timeoutMs);
        return CompletableFuture.supplyAsync(query::run);
    }

    private static Exports result(CompletableFuture<Exports> query) throws Exception {
        return query.get(20, TimeUnit.SECONDS);
    }

    private Exports afterError(String error) throws Exception {
        CompletableFuture<Exports> query = start(20_000);
        try (DubboConnection provider = stub.accept()) {
            DubboFrame asked = provider.read();
            // No argument, since some versions would log a stack trace for it.
            assertThat(asked.body())
                    .contains(text("org.apache.dubbo.metadata.MetadataService") + "05" + text("1.0.0") + "05"
                            + text("$echo") + "00" + "48")
                    .contains(text("-no-such-group-"));
            provider.answer(asked.id(), 70, DubboFrame.text(error));
            assertThat(provider.isAtEnd()).isTrue();
        }
        return result(query);
    }

    private Exports afterList(String listed) throws Exception {
        return afterError(
                "org.apache.dubbo.remoting.RemotingException: Not found exported service: a.Greeter:20880 in [" + listed
                        + "], may be version or group mismatch , channel: ...\n\tat a.b(C.java:1)");
    }

    @Test
    void whatTheProviderListsIsExportedButDubbosOwn() throws Exception {
        String port = ":" + stub.port();

        Exports found = afterList("blue/a.Shop:2.0.0" + port + ", demo/org.apache.dubbo.metadata.MetadataService:1.0.0"
                + port + ", a.Greeter" + port + ", org.apache.dubbo.rpc.service.EchoService" + port + ", a.Shop"
                + port);

        assertThat(found.variants())
                .isEqualTo(Map.of(
                        "a.Greeter",
                        List.of(Variant.NONE),
                        "a.Shop",
                        List.of(Variant.NONE, new Variant("2.0.0", "blue"))));
        assertThat(found.missing()).isEmpty();
        assertThat(found.unsaid()).isEmpty();
    }

    @Test
    void aServiceAtAnotherPortOfTheProcessIsNotCalledAtThisOne() throws Exception {
        assertThat(afterList("a.Greeter:" + stub.port() + ", a.Other:1").variants())
                .containsOnlyKeys("a.Greeter");
    }

    @Test
    void allServicesCountBehindAMappedPort() throws Exception {
        assertThat(afterList("a.Greeter:1, a.Other:1").variants()).containsOnlyKeys("a.Greeter", "a.Other");
    }

    @Test
    void aPathThatIsNoInterfaceIsLeftOut() throws Exception {
        String port = ":" + stub.port();

        assertThat(afterList("a.Greeter" + port + ", shop/v1/a.Shop" + port + ", a..B" + port + ", a b" + port)
                        .variants())
                .doesNotContainKeys("a..B", "a b")
                .containsKey("a.Greeter");
    }

    @Test
    void aProviderMayExportNothing() throws Exception {
        assertThat(afterList("").variants()).isEmpty();
    }

    @Test
    void nothingIsKnownOfAProviderThatGivesNoList() throws Exception {
        assertThat(afterError("Fail to decode request due to: RpcInvocation").all())
                .isNull();
    }

    @Test
    void nothingIsKnownOfAProviderThatDoesNotAnswerInTime() throws Exception {
        CompletableFuture<Exports> query = start(200);
        try (DubboConnection provider = stub.accept()) {
            provider.read();
            assertThat(result(query).all()).isNull();
            assertThat(result(query).variants()).isNull();
        }
    }
}
