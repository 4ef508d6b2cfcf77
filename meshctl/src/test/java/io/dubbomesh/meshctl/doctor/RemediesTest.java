package io.dubbomesh.meshctl.doctor;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RemediesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "the provider agent demands a token (expected: mesh.token-file of this agent)|set mesh.token-file of this agent",
                "the peer said: wrong token (expected: the first one in mesh.token-file of the consumer agent or gateway is one of the"
                        + " provider agent's)|mesh.token-file",
                "closed by the peer before its HELLO (does it expect TLS?)|mesh.tls.cert",
                "TLS handshake: certificate_unknown|mesh.tls.cert",
                "Connection refused|start the provider agent",
                "connection timed out|firewall",
                "unknown host|advertise.host"
            })
    void anEndpointWithoutAConnectionIsExplainedByTheReasonOfTheAgent(String reason, String remedy) {
        assertThat(Remedies.agentConnection(reason)).contains(remedy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TLS handshake: handshake timed out after 3000ms|compare dubbo.tls.ca and dubbo.tls.peer-names",
                "Connection refused|nothing listens there: start the provider",
                "connection timed out|look for a firewall",
                "unknown host pod-7|correct the address that the provider registers (DUBBO_IP_TO_REGISTRY), or the name service",
                "the connection is closed|see whether the port is one of the protocol dubbo"
            })
    void aProviderWithoutAnAgentIsExplainedByTheReasonOfTheAgentThatCallsIt(String reason, String remedy) {
        assertThat(Remedies.providerConnection(reason)).startsWith(remedy);
    }
}
