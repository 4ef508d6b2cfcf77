package io.dubbomesh.runtime;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class AgentRoleTest {
    @ParameterizedTest
    @CsvSource({
        "consumer, consumer agent, consumer-agent",
        "gateway, gateway, gateway",
        "provider, provider agent, provider-agent"
    })
    void aTypeIsARoleWithItsNames(String type, String title, String program) {
        AgentRole role = AgentRole.ofType(type);

        assertThat(role).hasToString(type);
        assertThat(role.type()).isEqualTo(type);
        assertThat(role.title()).isEqualTo(title);
        assertThat(role.program()).isEqualTo(program);
    }

    @ParameterizedTest
    @CsvSource({"Consumer", "consumer-agent", "''"})
    void anotherTextIsNoRole(String type) {
        assertThat(AgentRole.ofType(type)).isNull();
    }
}
