package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AddressPatternTest {
    private static final HostPort PROVIDER = new HostPort("192.0.2.7", 20880);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.7:20880",
                "192.0.2.7",
                "*",
                "*.*.*.*",
                "192.0.2.*",
                "192.0.2.*:20880",
                "192.0.2.1-9",
                "192.0.*.7:20880",
                "192.0.2.0/24",
                "192.0.2.6/31",
                "0.0.0.0/0",
                "0.0.0.0:20880",
                " 192.0.2.7 "
            })
    void theProviderIsMeant(String pattern) {
        assertThat(AddressPattern.matches(pattern, PROVIDER)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.7:20881",
                "192.0.2.8",
                "192.0.3.*",
                "192.0.2.*:1",
                "192.0.2.8-9",
                "192.0.2.0/30",
                "0.0.0.0:20881",
                "0.0.0.0",
                "",
                "192.0.2",
                "192.0.2.*.*",
                "192.0.2.a-b",
                "2001:db8::/32",
                "192.0.2.0/x",
                "provider.example"
            })
    void theProviderIsNotMeant(String pattern) {
        assertThat(AddressPattern.matches(pattern, PROVIDER)).isFalse();
    }

    @Test
    void addressesOfIpv6AreComparedAsNumbers() {
        HostPort provider = new HostPort("2001:db8::7", 20880);
        assertThat(AddressPattern.matches("[2001:db8::7]:20880", provider)).isTrue();
        assertThat(AddressPattern.matches("2001:db8:0:0:0:0:0:7", provider)).isTrue();
        assertThat(AddressPattern.matches("2001:db8:0:0:0:0:0:*", provider)).isTrue();
        assertThat(AddressPattern.matches("2001:db8::/32", provider)).isTrue();
        assertThat(AddressPattern.matches("[2001:db8::7]:1", provider)).isFalse();
        assertThat(AddressPattern.matches("2001:db9::/32", provider)).isFalse();
    }

    @Test
    void aNameIsComparedAsText() {
        assertThat(AddressPattern.matches("provider.example:20880", new HostPort("provider.example", 20880)))
                .isTrue();
        assertThat(AddressPattern.matches("localhost", new HostPort("127.0.0.1", 1)))
                .isFalse();
    }
}
