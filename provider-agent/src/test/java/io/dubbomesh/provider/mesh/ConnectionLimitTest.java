package io.dubbomesh.provider.mesh;

import org.junit.jupiter.api.Test;

import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.ACCEPT;
import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.CLOSE;
import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.REFUSE;
import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.REFUSE_AND_LOG;
import static org.assertj.core.api.Assertions.assertThat;

class ConnectionLimitTest {
    private final ConnectionLimit limit = new ConnectionLimit(2, 3);

    @Test
    void connectionsBeyondTheLimitAreRefusedAndTheFirstOfThemIsLogged() {
        assertThat(limit.opened()).isEqualTo(ACCEPT);
        assertThat(limit.opened()).isEqualTo(ACCEPT);
        assertThat(limit.opened()).isEqualTo(REFUSE_AND_LOG);
        assertThat(limit.opened()).isEqualTo(REFUSE);
        assertThat(limit.open()).isEqualTo(2);
    }

    @Test
    void refusedConnectionsThatAreStillOpenAreBoundedToo() {
        for (int i = 0; i < 5; i++) {
            limit.opened();
        }
        assertThat(limit.opened()).isEqualTo(CLOSE);

        limit.closed(CLOSE);
        limit.closed(REFUSE);
        assertThat(limit.opened()).isEqualTo(REFUSE);
    }

    @Test
    void refusedConnectionsThatAreStillOpenDoNotKeepOthersOut() {
        for (int i = 0; i < 5; i++) {
            limit.opened();
        }
        limit.closed(ACCEPT);
        assertThat(limit.opened()).isEqualTo(ACCEPT);
    }

    @Test
    void theNextRefusalAfterAnAcceptedConnectionIsLoggedAgain() {
        limit.opened();
        limit.opened();
        limit.opened();
        limit.closed(ACCEPT);
        assertThat(limit.opened()).isEqualTo(ACCEPT);
        assertThat(limit.opened()).isEqualTo(REFUSE_AND_LOG);
    }
}
