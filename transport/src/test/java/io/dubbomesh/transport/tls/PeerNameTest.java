package io.dubbomesh.transport.tls;

import io.netty.pkitesting.CertificateBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PeerNameTest {
    @Test
    void anAlternativeNameCountsMoreThanTheSubject() throws Exception {
        assertThat(name(subject("CN=a")
                        .addSanIpAddress("192.0.2.1")
                        .addSanDnsName("a.test")
                        .addSanDnsName("b.test")))
                .isEqualTo("a.test");
        assertThat(name(subject("CN=a").addSanUriName("spiffe://mesh.test/a").addSanDnsName("b.test")))
                .isEqualTo("spiffe://mesh.test/a");
    }

    @Test
    void theMostSpecificCommonNameCountsWithoutAnAlternativeName() throws Exception {
        assertThat(name(subject("CN=a\\, b,OU=CN=c,CN=d"))).isEqualTo("a, b");
        assertThat(name(subject("O=a"))).isEmpty();
    }

    @Test
    void whatCannotBePrintedIsNoName() throws Exception {
        assertThat(name(subject("CN=\u00e4"))).isEmpty();
        assertThat(name(subject("CN=a\\0Db"))).isEmpty();
        assertThat(name(subject("CN=" + "a".repeat(257)))).isEmpty();
    }

    private static CertificateBuilder subject(String subject) {
        return new CertificateBuilder().ecp256().subject(subject);
    }

    private static String name(CertificateBuilder builder) throws Exception {
        return PeerName.of(
                builder.setIsCertificateAuthority(true).buildSelfSigned().getCertificate());
    }
}
