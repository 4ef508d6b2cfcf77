package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

class ServiceTypesTest {
    private static final int SERVICE_ERROR = 70;
    private static final MethodName GREET = new MethodName("a.Greeter", "greet", "", "", "");
    private static final DubboExport BY_INTERFACE =
            new DubboExport(new Variant("", ""), "greeter", "", "", "", Map.of());

    private final Semaphore changes = new Semaphore(0);
    private final ServiceTypes types = new ServiceTypes(
            DirectSettings.from(
                    Settings.of("io/dubbomesh/consumer/reference.conf", Map.of(), Map.of()),
                    AgentRole.CONSUMER,
                    1 << 20),
            ProviderTls.NONE,
            List.of(),
            changes::release);

    /** Answers the questions of one discovery: there is no metadata service, and telnet lists one method. */
    private static void answerListing(ScriptedProvider provider, String method) throws IOException {
        try (DubboConnection connection = provider.accept()) {
            DubboFrame asked = connection.read();
            String error = "org.apache.dubbo.remoting.RemotingException: Not found exported service: -/a.Greeter:20880"
                    + " in [a.Greeter:20880], may be version or group mismatch , channel: ...";
            connection.answer(asked.id(), SERVICE_ERROR, "53" + String.format("%04x", error.length()) + text(error));
            assertThat(connection.readLine()).isEqualTo("ls -l a.Greeter");
            connection.send(text("java.lang.String " + method + "(java.lang.String)\r\ndubbo>"));
            connection.isAtEnd();
        }
    }

    private String methods(EndpointId provider) {
        return String.valueOf(types.definition(GREET, BY_INTERFACE, provider));
    }

    private void awaitChange() throws InterruptedException {
        assertThat(changes.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aProviderThatCouldNotBeAskedIsAskedAgain() throws Exception {
        try (ScriptedProvider provider = new ScriptedProvider()) {
            EndpointId address = EndpointProtocol.DUBBO.at("127.0.0.1", provider.port());
            assertThat(methods(address)).isEqualTo("null");
            provider.accept().close();

            answerListing(provider, "greet");
            awaitChange();
            assertThat(methods(address)).contains("greet");
        }
    }

    @Test
    void aProviderThatIsNotListedAnyMoreIsNotAsked() throws Exception {
        try (ScriptedProvider listed = new ScriptedProvider();
                ScriptedProvider gone = new ScriptedProvider()) {
            EndpointId address = EndpointProtocol.DUBBO.at("127.0.0.1", listed.port());
            methods(address);
            methods(EndpointProtocol.DUBBO.at("127.0.0.1", gone.port()));
            Endpoint endpoint = new Endpoint(
                    "127.0.0.1", listed.port(), 100, 180, List.of(BY_INTERFACE.variant()), List.of(BY_INTERFACE));
            types.update(Directory.of(Map.of("a.Greeter", List.of(endpoint))));
            listed.accept().close();

            answerListing(listed, "greet");
            awaitChange();
            assertThat(methods(address)).contains("greet");
        }
    }

    /** Checks dubbo#14721: each start of an instance may be another revision of the application. */
    @Test
    void theSameTypesOfAnotherRevisionTakeNoMoreMemory() throws Exception {
        ServiceDefinition[] found = new ServiceDefinition[2];
        for (int revision = 0; revision < found.length; revision++) {
            try (ScriptedProvider provider = new ScriptedProvider()) {
                EndpointId address = EndpointProtocol.DUBBO.at("127.0.0.1", provider.port());
                DubboExport export = new DubboExport(new Variant("", ""), "greeter", "r" + revision, "", "", Map.of());
                types.definition(GREET, export, address);
                answerListing(provider, "greet");
                int at = revision;
                Await.until("the types are known", () -> {
                    found[at] = types.definition(GREET, export, address);
                    return found[at] != null;
                });
            }
        }
        assertThat(found[1]).isSameAs(found[0]);
    }

    @Test
    void aProviderWithoutARevisionIsAskedAgainWhenItIsConnectedAgain() throws Exception {
        try (ScriptedProvider provider = new ScriptedProvider()) {
            EndpointId address = EndpointProtocol.DUBBO.at("127.0.0.1", provider.port());
            methods(address);
            answerListing(provider, "greet");
            awaitChange();

            types.connectedAgain(EndpointProtocol.DUBBO.at("127.0.0.2", provider.port()));
            types.connectedAgain(address);
            answerListing(provider, "welcome");
            awaitChange();
            assertThat(methods(address)).contains("welcome").doesNotContain("greet(");
        }
    }

    @Test
    void whatIsNotListedAnyMoreIsForgottenAndLookedForAgain() throws Exception {
        try (ScriptedProvider provider = new ScriptedProvider()) {
            EndpointId address = EndpointProtocol.DUBBO.at("127.0.0.1", provider.port());
            Endpoint endpoint = new Endpoint(
                    "127.0.0.1", provider.port(), 100, 180, List.of(BY_INTERFACE.variant()), List.of(BY_INTERFACE));
            methods(address);
            answerListing(provider, "greet");
            awaitChange();

            types.update(Directory.of(Map.of("a.Greeter", List.of(endpoint))));
            assertThat(methods(address)).contains("greet");

            types.update(Directory.of(Map.of("a.Greeter", List.of())));
            assertThat(methods(address)).isEqualTo("null");
            answerListing(provider, "welcome");
            awaitChange();
            assertThat(methods(address)).contains("welcome");
        }
    }
}
