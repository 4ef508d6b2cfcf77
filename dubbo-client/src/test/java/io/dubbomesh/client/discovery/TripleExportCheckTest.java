package io.dubbomesh.client.discovery;

import io.dubbomesh.client.grpc.BlockingGrpcConnection;
import io.dubbomesh.client.grpc.TripleRelease;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.client.discovery.ScriptedHttp2.STATUS_200;
import static io.dubbomesh.client.discovery.ScriptedHttp2.STATUS_404;
import static io.dubbomesh.client.discovery.ScriptedHttp2.field;
import static io.dubbomesh.client.discovery.ScriptedHttp2.headers;
import static io.dubbomesh.client.discovery.ScriptedHttp2.trailers;
import static io.dubbomesh.testsupport.Hex.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class TripleExportCheckTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "", "");
    private static final ServiceKey CLOCK = new ServiceKey("a.Clock", "1.0", "g");

    private ScriptedHttp2 provider;

    @BeforeEach
    void listen() throws IOException {
        provider = new ScriptedHttp2();
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
    }

    @Test
    void theQuestionIsACallOfAMethodThatNoServiceHas() {
        refuse(1, "Server%20error", "");
        refuse(3, "Server%20error", "");

        Exports found = check(GREETER, CLOCK).run();

        assertThat(found.missing()).isEmpty();
        assertThat(found.unsaid()).isEmpty();
        assertThat(provider.request(0))
                .contains(text("/a.Greeter/$dubboMeshExportCheck"))
                .contains("0f10" + "16" + text("application/grpc+proto"))
                .doesNotContain(text("tri-service"))
                .endsWith("|" + "00" + "00000000");
        assertThat(provider.request(1))
                .contains(text("/a.Clock/$dubboMeshExportCheck"))
                .contains("1013" + text("tri-service-version") + "03" + text("1.0"))
                .contains("1011" + text("tri-service-group") + "01" + text("g"));
    }

    /** The answers of Dubbo 3.0 to 3.2, and of 3.3. */
    @Test
    void whatTheProviderDoesNotFindIsMissing() {
        refuse(1, "Service%20not%20found:a.Greeter", "");
        provider.add(headers(3, 4, STATUS_404) + trailers(3, "12", "Invoker for gRPC not found"));

        Exports found = check(GREETER, CLOCK).run();

        assertThat(found.missing())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        GREETER, "UNKNOWN: Service not found:a.Greeter",
                        CLOCK, "HTTP status 404 (expected: 200)"));
        assertThat(found.unsaid()).isEmpty();
    }

    /** What Dubbo 3.0.15 and 3.1.11 say of a message that they cannot read begins so. */
    @ParameterizedTest
    @CsvSource({
        "com.google.protobuf.InvalidProtocolBufferException: Protocol message contained an invalid tag (zero)., false",
        "'java.lang.RuntimeException: unexpect wireType, expect 2 realType 1', true",
        "'', true",
    })
    void dubbo30AloneDoesNotReadDeclaredTypes(String first, boolean reads) throws IOException {
        refuse(1, "Server%20error", first);

        assertThat(readsDeclaredTypes()).isEqualTo(reads);
        assertThat(provider.request(0))
                .contains("10" + text("/a.Clock/$invoke"))
                .contains("0f10" + "16" + text("application/grpc+proto"))
                .contains("1013" + text("tri-service-version") + "03" + text("1.0"))
                .contains("1011" + text("tri-service-group") + "01" + text("g"))
                .endsWith("|" + "00" + "00000003" + "010203");
    }

    @Test
    void anExceptionAsTheValueIsThatOfDubbo33() throws IOException {
        provider.answer(1, "0a 08" + text("hessian4") + "12 01 4e");

        assertThat(readsDeclaredTypes()).isTrue();
    }

    private boolean readsDeclaredTypes() throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        try (BlockingGrpcConnection connection =
                new BlockingGrpcConnection(new HostPort("127.0.0.1", provider.port()), null, deadlineNs)) {
            return TripleRelease.readsDeclaredTypes(connection, "a.Clock", TripleExportCheck.fields(CLOCK));
        }
    }

    @Test
    void aProviderThatDoesNotAnswerHasSaidNothing() {
        refuse(1, "Server%20error", "");
        provider.add("ffffff 00 00 00000001");

        Exports found = check(GREETER, CLOCK).run();

        assertThat(found.unsaid()).containsExactly(CLOCK);
    }

    /** @param first line of the stack in the details */
    private void refuse(int stream, String message, String first) {
        String block = field("grpc-status", "2") + field("grpc-message", message);
        if (!first.isEmpty()) {
            String details =
                    Base64.getEncoder().withoutPadding().encodeToString(("\b\2\32\20\n" + first).getBytes(UTF_8));
            block += field("grpc-status-details-bin", details);
        }
        provider.add(headers(stream, 4, STATUS_200) + headers(stream, 5, block));
    }

    private TripleExportCheck check(ServiceKey... services) {
        Set<ServiceKey> all = new LinkedHashSet<>(List.of(services));
        return new TripleExportCheck(
                new ProviderContact(new HostPort("127.0.0.1", provider.port()), Serialization.HESSIAN2, null),
                all,
                ServedServices.of(Map.of()),
                10_000);
    }
}
