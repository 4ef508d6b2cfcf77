package io.dubbomesh.meshctl;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SurroundingsTest {
    @Test
    void aNameInDnsIsLookedUp() {
        assertThat(Surroundings.checkRegistry("dns://127.0.0.1:20880/a.B"))
                .containsExactly(Finding.ok("registry dns://127.0.0.1:20880/a.B: 1 addresses"));
    }

    @Test
    void whatOnlyTheAgentAsksForIsSaidToBeSo() {
        assertThat(Surroundings.checkRegistry("dns://_dubbo._tcp.p/a.B"))
                .containsExactly(Finding.ok("registry dns://_dubbo._tcp.p/a.B: asked by the agent only, see what it"
                        + " has found: meshctl ls"));
    }
}
