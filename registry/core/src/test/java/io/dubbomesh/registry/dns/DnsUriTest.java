package io.dubbomesh.registry.dns;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DnsUriTest {
    @Test
    void aNameHasAPortAndServicesInTheirVariants() {
        DnsUri uri = DnsUri.parse("dns://greeter.shop:20880/a.B,a.C:1.0:g,a.C:2.0");

        assertThat(uri.name()).isEqualTo("greeter.shop");
        assertThat(uri.port()).isEqualTo(20880);
        assertThat(uri.services())
                .isEqualTo(Map.of(
                        "a.B", List.of(Variant.NONE),
                        "a.C", List.of(new Variant("1.0", "g"), new Variant("2.0", ""))));
        assertThat(uri.agents()).isFalse();
        assertThat(uri.server()).isNull();
    }

    @Test
    void aNameOfSrvRecordsHasNoPort() {
        assertThat(DnsUri.parse("dns://_dubbo._tcp.greeter.shop/a.B").port()).isZero();
        assertThat(DnsUri.parse("dns://greeter.shop/a.B").port()).isZero();
    }

    @Test
    void anAddressCanStandForTheName() {
        assertThat(DnsUri.parse("dns://[2001:db8:0::7]:20880/a.B").name()).isEqualTo("2001:db8::7");
    }

    @Test
    void optionsSayHowProvidersAreCalled(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "# of the shop\n\ns3cret \n");
        DnsUri uri =
                DnsUri.parse("dns://p:1/a.B:1.0?token-file=" + file + "&serialization=fastjson2&server=192.0.2.1:5353");

        assertThat(uri.server()).isEqualTo(new HostPort("192.0.2.1", 5353));
        assertThat(uri.endpoint("a.B", new DnsAddress("192.0.2.7", 1, -1)))
                .isEqualTo(new Endpoint(
                        "192.0.2.7",
                        1,
                        100,
                        180,
                        List.of(new Variant("1.0", "")),
                        List.of(new DubboExport(new Variant("1.0", ""), "", "", "fastjson2", "s3cret", Map.of()))));
        assertThat(uri.toString()).doesNotContain("s3cret");
    }

    @Test
    void providerAgentsHaveNoExports() {
        DnsUri uri = DnsUri.parse("dns://p:30000/a.B?kind=mesh");

        assertThat(uri.endpoint("a.B", new DnsAddress("192.0.2.7", 30000, -1)))
                .isEqualTo(new Endpoint("192.0.2.7", 30000, 1, 180, List.of(Variant.NONE)));
    }

    @Test
    void allEndpointsBehindANameAreInItsZone() {
        DnsUri uri = DnsUri.parse("dns://p:30000/a.B?kind=mesh&zone=north");

        assertThat(uri.endpoint("a.B", new DnsAddress("192.0.2.7", 30000, -1)).zone())
                .isEqualTo("north");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "dns://p:1|no services (expected: dns://name[:port]/interface[:version[:group]],...)",
                "dns://p:1/|service  (expected: interface[:version[:group]])",
                "dns://p:1/a b|service a b (expected: interface[:version[:group]])",
                "dns://p:1/a.B:1:2:3|service a.B:1:2:3 (expected: interface[:version[:group]])",
                "dns://p:1/a.B:*|service a.B:* (expected: interface[:version[:group]])",
                "dns://a..b:1/a.B|name a..b (expected: labels of 1-63 characters, 253 together)",
                "dns://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b:1/a.B|name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b (expected: labels of 1-63 characters, 253 together)",
                "dns:///a.B|host missing (expected: host:port)",
                "dns://p:0/a.B|port 0 (expected: 1-65535)",
                "dns://_d._tcp.p:1/a.B|a port behind a name of SRV records (expected: none, they have it)",
                "dns://192.0.2.7/a.B|no port behind an IP address (expected: dns://name[:port]/interface[:version[:group]],...)",
                "dns://p:1/a.B?x=y|option x (expected: token-file, serialization, kind, zone or server)",
                "dns://p:1/a.B?server=p&server=p|option server (expected: once, with a value)",
                "dns://p:1/a.B?kind=other|kind=other (expected: dubbo for providers, mesh for provider agents)",
                "dns://p:1/a.B?kind=mesh&serialization=x|kind=mesh with token-file or serialization (expected: those at the provider agents)",
                "dns://p:1/a.B?zone=a/b|zone a/b (expected: 1-63 letters, digits, '.', '_' or '-', the first and the last no sign)",
                "dns://p:1/a.B?serialization=X|serialization=X (expected: Dubbo's name of one, such as hessian2)",
                "dns://p:1/a.B?token-file=/nowhere|token-file /nowhere cannot be read: no such file",
            })
    void aMalformedUriIsRefusedWithWhatWasExpected(String uri, String problem) {
        assertThatThrownBy(() -> DnsUri.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("dns://")
                .hasMessageEndingWith(": " + problem);
    }
}
