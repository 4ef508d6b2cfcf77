package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RegistrationRequestTest {
    @Test
    void aRequestThatNoConsumerAgentCouldUseIsRefused() {
        Map<String, List<Variant>> services = Map.of("com.example.Greeter", List.of());
        assertThatThrownBy(() -> new RegistrationRequest("0.0.0.0", 1, 1, 1, services))
                .hasMessage("advertise.host: 0.0.0.0 (expected: neither wildcard, link-local nor multicast)");
        assertThatThrownBy(() -> new RegistrationRequest(null, 0, 1, 1, services))
                .hasMessage("advertise.port: 0 (expected: 1-65535)");
        assertThatThrownBy(() -> new RegistrationRequest(null, 1, 1001, 1, services))
                .hasMessage("lb.weight: 1001 (expected: 0-1000)");
        assertThatThrownBy(() -> new RegistrationRequest(null, 1, 1, 0, services))
                .hasMessage("lb.limit: 0 (expected: 1-1000000)");
        assertThatThrownBy(() -> new RegistrationRequest(null, 1, 1, 1, Map.of("a/b", List.of())))
                .hasMessage("service a/b (expected: the name of a Java interface)");
    }

    @Test
    void theProviderIsNamedAsDubboRegistersIt() {
        assertThat(providerOf("127.0.0.1", "192.0.2.7")).isEqualTo("192.0.2.7:20880");
        assertThat(providerOf("localhost", "192.0.2.7")).isEqualTo("192.0.2.7:20880");
        assertThat(providerOf("::1", "2001:db8:0::7")).isEqualTo("[2001:db8::7]:20880");
        assertThat(providerOf("192.0.2.9", "192.0.2.7")).isEqualTo("192.0.2.9:20880");
        assertThat(providerOf("no such host", "192.0.2.7")).isEmpty();
        assertThat(new RegistrationRequest(null, 1, 1, 1, Map.of()).providerAddress("192.0.2.7"))
                .isEmpty();
    }

    private static String providerOf(String host, String registeredHost) {
        return new RegistrationRequest(null, 1, 1, 1, Map.of(), Map.of(), new HostPort(host, 20880), "")
                .providerAddress(registeredHost);
    }

    @Test
    void theZoneIsANameOfFewCharacters() {
        assertThat(inZone("eu-north-1a").zone()).isEqualTo("eu-north-1a");
        for (String zone : List.of("a b", "-a", "a-", "\u00e4", "a".repeat(64))) {
            assertThatThrownBy(() -> inZone(zone))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith(
                            "(expected: 1-63 letters, digits, '.', '_' or '-', the first and the last no sign)");
        }
    }

    private static RegistrationRequest inZone(String zone) {
        return new RegistrationRequest(null, 1, 1, 1, Map.of(), Map.of(), null, zone);
    }
}
