package io.dubbomesh.registry.address;

import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReachableAddressTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.7:30000,192.0.2.7,30000",
        "127.0.0.1:1,127.0.0.1,1",
        "provider-1.example.com:65535,provider-1.example.com,65535",
        "provider_1:20,provider_1,20",
        "[::1]:30000,::1,30000",
        "[2001:DB8:0:0:0:0:0:7]:30000,2001:db8::7,30000",
        "[::ffff:192.0.2.7]:30000,192.0.2.7,30000"
    })
    void anAddressIsReadInItsShortestForm(String text, String host, int port) {
        assertThat(ReachableAddress.parse(text)).isEqualTo(new HostPort(host, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":",
                ":30000",
                "192.0.2.7",
                "192.0.2.7:0",
                "192.0.2.300:1",
                "192.0.2:1",
                "1:1",
                "...:1",
                "a b:1",
                "a/b:1",
                "-a:1",
                "::1:30000",
                "[192.0.2.7]:1",
                "[example.com]:1",
                "[::g]:1",
                "[fe80::1%eth0]:1",
                "[2001:db8::1%1]:1"
            })
    void aMalformedAddressIsRefused(String text) {
        assertThatThrownBy(() -> ReachableAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:1", "[::]:1", "169.254.1.1:1", "[fe80::1]:1", "224.0.0.1:1", "[ff02::1]:1"})
    void wildcardLinkLocalAndMulticastAddressesAreRefused(String text) {
        assertThatThrownBy(() -> ReachableAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("(expected: neither wildcard, link-local nor multicast)");
    }

    @Test
    void onlyIpv6IsWrittenInBrackets() {
        assertThat(new HostPort("192.0.2.7", 30000)).hasToString("192.0.2.7:30000");
        assertThat(new HostPort("2001:db8::7", 30000)).hasToString("[2001:db8::7]:30000");
        assertThat(new Endpoint("::1", 30000, 1, 180, List.of()).address()).isEqualTo("[::1]:30000");
    }

    @Test
    void aHostnameMayHave253Characters() {
        assertThat(ReachableAddress.parse("a".repeat(253) + ":1").host()).hasSize(253);
        assertThatThrownBy(() -> ReachableAddress.parse("a".repeat(254) + ":1"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
