package io.dubbomesh.provider.mesh;

import org.junit.jupiter.api.Test;

import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.ACCEPT;
import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.CLOSE;
import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.REFUSE;
import static io.dubbomesh.provider.mesh.ConnectionLimit.Admission.REFUSE_AND_LOG;
import static org.assertj.core.api.Assertions.assertThat;

class ConnectionLimitTest {
    private final ConnectionLimit limit = new ConnectionLimit(2, 3);

    private void open(int links) {
        for (int i = 0; i < links; i++) {
            assertThat(limit.opened()).isEqualTo(ACCEPT);
            assertThat(limit.helloReceived()).isTrue();
        }
    }

    @Test
    void connectionsBeyondTheLimitAreRefusedAndTheFirstOfThemIsLogged() {
        open(2);
        assertThat(limit.opened()).isEqualTo(REFUSE_AND_LOG);
        assertThat(limit.opened()).isEqualTo(REFUSE);
        assertThat(limit.open()).isEqualTo(2);
    }

    @Test
    void connectionsWithoutAHelloDoNotCount() {
        for (int i = 0; i < 5; i++) {
            assertThat(limit.opened()).isEqualTo(ACCEPT);
        }
        assertThat(limit.helloReceived()).isTrue();
        assertThat(limit.helloReceived()).isTrue();
        assertThat(limit.helloReceived()).isFalse();
        limit.ended();
        assertThat(limit.helloReceived()).isTrue();
    }

    @Test
    void refusedConnectionsThatAreStillOpenAreBoundedToo() {
        open(2);
        for (int i = 0; i < 3; i++) {
            limit.opened();
        }
        assertThat(limit.opened()).isEqualTo(CLOSE);

        limit.closed(CLOSE);
        limit.closed(REFUSE);
        assertThat(limit.opened()).isEqualTo(REFUSE);
    }

    @Test
    void refusedConnectionsThatAreStillOpenDoNotKeepOthersOut() {
        open(2);
        for (int i = 0; i < 3; i++) {
            limit.opened();
        }
        limit.ended();
        assertThat(limit.opened()).isEqualTo(ACCEPT);
    }

    @Test
    void theNextRefusalAfterAnAcceptedConnectionIsLoggedAgain() {
        open(2);
        limit.opened();
        limit.ended();
        open(1);
        assertThat(limit.opened()).isEqualTo(REFUSE_AND_LOG);
    }
}
