package io.dubbomesh.consumer.direct;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;

class DeclaredTypesTest {
    private static final EndpointId PROVIDER = EndpointProtocol.TRIPLE.at("192.0.2.7", 50051);
    private static final MethodName METHOD = new MethodName("a.Greeter", "hi", "", "1.0", "g");

    private final List<String> asked = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    private int changes;
    private final DeclaredTypes types = new DeclaredTypes(
            (provider, service, registersTls) -> {
                asked.add(provider + (registersTls ? " with TLS " : " ") + service.variants());
                answers.add(new CompletableFuture<>());
                return answers.get(answers.size() - 1);
            },
            () -> changes++);

    @Test
    void aProviderOfUnknownReleaseIsAskedByItsFirstCallWhichWaits() {
        assertThat(types.areRead(PROVIDER)).isTrue();
        assertThat(isAwaited(PROVIDER, Map.of())).isTrue();
        assertThat(isAwaited(PROVIDER, Map.of())).isTrue();
        assertThat(asked).hasSize(1).first().asString().startsWith("tri://192.0.2.7:50051 {a.Greeter=");
        assertThat(types.areRead(PROVIDER)).isTrue();

        answers.get(0).complete(false);

        assertThat(changes).isPositive();
        assertThat(isAwaited(PROVIDER, Map.of())).isFalse();
        assertThat(types.areRead(PROVIDER)).isFalse();
    }

    @Test
    void aProviderThatHasRegisteredTlsIsAskedWithItEachTime() {
        isAwaited(PROVIDER, Map.of("ssl-enabled", "true"));
        answers.get(0).complete(true);
        types.connectedAgain(PROVIDER);

        assertThat(asked)
                .hasSize(2)
                .allSatisfy(question -> assertThat(question).startsWith("tri://192.0.2.7:50051 with TLS "));
    }

    @Test
    void othersAreNotAsked() {
        assertThat(isAwaited(PROVIDER, Map.of("release", "3.0.15"))).isFalse();
        assertThat(isAwaited(PROVIDER, Map.of("release", "dubbo-golang-3.3.0"))).isFalse();
        assertThat(isAwaited(EndpointProtocol.DUBBO.at("192.0.2.7", 20880), Map.of()))
                .isFalse();

        assertThat(asked).isEmpty();
    }

    @Test
    void aProviderThatIsConnectedAgainIsAskedAgainWhileItsLastAnswerCounts() {
        types.connectedAgain(PROVIDER);
        isAwaited(PROVIDER, Map.of());
        types.connectedAgain(PROVIDER);
        assertThat(asked).hasSize(1);
        answers.get(0).complete(false);
        changes = 0;

        types.connectedAgain(PROVIDER);
        assertThat(asked).hasSize(2);
        assertThat(isAwaited(PROVIDER, Map.of())).isFalse();
        assertThat(types.areRead(PROVIDER)).isFalse();

        answers.get(1).complete(true);
        assertThat(changes).isEqualTo(1);
        assertThat(types.areRead(PROVIDER)).isTrue();
    }

    private boolean isAwaited(EndpointId provider, Map<String, String> parameters) {
        return types.isAwaited(METHOD, new DubboExport(Variant.NONE, "", "", "", "", parameters), provider);
    }
}
