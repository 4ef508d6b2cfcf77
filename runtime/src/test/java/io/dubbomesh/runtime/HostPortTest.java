package io.dubbomesh.runtime;

import io.dubbomesh.testsupport.equality.RecordEquality;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HostPortTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.7:30000,192.0.2.7,30000",
        "127.0.0.1:1,127.0.0.1,1",
        "provider-1.example.com:65535,provider-1.example.com,65535",
        "provider_1:20,provider_1,20",
        "[::1]:30000,::1,30000",
        "[2001:db8::7]:30000,2001:db8::7,30000"
    })
    void aTextIsReadAndWrittenTheSame(String text, String host, int port) {
        assertThat(HostPort.parse(text)).isEqualTo(new HostPort(host, port)).hasToString(text);
    }

    /** Keys and subsets go by it: another number would move them. */
    @Test
    void theIdentityIsTheFnvOfHostAndPort() {
        assertThat(new HostPort("192.0.2.7", 30000).identity()).isEqualTo(0x51315682dcccea4eL);
        assertThat(new HostPort("2001:db8::7", 20880).identity()).isEqualTo(0x568969d94a77f6e3L);
    }

    @ParameterizedTest
    @CsvSource({"etcd,etcd,2379", "etcd:1,etcd,1", "[::1],::1,2379", "[::1]:1,::1,1"})
    void thePortMayHaveADefault(String text, String host, int port) {
        assertThat(HostPort.parse(text, 2379)).isEqualTo(new HostPort(host, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":30000",
                "192.0.2.7",
                "192.0.2.7:",
                "192.0.2.7:0",
                "192.0.2.7:65536",
                "192.0.2.7:100000",
                "192.0.2.7:-1",
                "192.0.2.7:+1",
                "192.0.2.7:1 ",
                "192.0.2.7:1:2",
                "::1:30000",
                "[::1]",
                "[::1]30000",
                "[::1:30000",
                "[]:1",
                "[192.0.2.7]:1",
                "[example.com]:1"
            })
    void aMalformedTextIsRefused(String text) {
        assertThatThrownBy(() -> HostPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSocketAddressKeepsTheHostThatItWasGiven() {
        assertThat(HostPort.of(InetSocketAddress.createUnresolved("example.com", 80)))
                .hasToString("example.com:80");
        assertThat(HostPort.of(new InetSocketAddress("::1", 80)).toString()).matches("\\[[0:]*:1]:80");
    }

    @Test
    void everyComponentCountsInAComparison() throws Exception {
        RecordEquality.check(new HostPort("192.0.2.7", 30000));
    }
}
