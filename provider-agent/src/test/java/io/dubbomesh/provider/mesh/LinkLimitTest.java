package io.dubbomesh.provider.mesh;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static io.dubbomesh.provider.mesh.LinkLimit.Admission.ACCEPT;
import static io.dubbomesh.provider.mesh.LinkLimit.Admission.CLOSE;
import static io.dubbomesh.provider.mesh.LinkLimit.Admission.REFUSE;
import static io.dubbomesh.provider.mesh.LinkLimit.Admission.REFUSE_AND_LOG;
import static org.assertj.core.api.Assertions.assertThat;

class LinkLimitTest {
    private final LinkLimit limit = new LinkLimit(2, 3);

    private long nowNs = System.nanoTime();

    private LinkLimit.Admission opened() {
        return limit.opened(nowNs);
    }

    private void open(int links) {
        for (int i = 0; i < links; i++) {
            assertThat(opened()).isEqualTo(ACCEPT);
            assertThat(limit.helloReceived()).isTrue();
        }
    }

    @Test
    void connectionsBeyondTheLimitAreRefusedAndTheFirstOfThemIsLogged() {
        open(2);
        assertThat(opened()).isEqualTo(REFUSE_AND_LOG);
        assertThat(opened()).isEqualTo(REFUSE);
        assertThat(limit.open()).isEqualTo(2);
    }

    @Test
    void connectionsWithoutAHelloDoNotCount() {
        for (int i = 0; i < 5; i++) {
            assertThat(opened()).isEqualTo(ACCEPT);
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
            opened();
        }
        assertThat(opened()).isEqualTo(CLOSE);

        limit.closed(CLOSE);
        limit.closed(REFUSE);
        assertThat(opened()).isEqualTo(REFUSE);
    }

    @Test
    void refusedConnectionsThatAreStillOpenDoNotKeepOthersOut() {
        open(2);
        for (int i = 0; i < 3; i++) {
            opened();
        }
        limit.ended();
        assertThat(opened()).isEqualTo(ACCEPT);
    }

    @Test
    void theNextRefusalAfterAnAcceptedConnectionIsLoggedAgain() {
        open(2);
        opened();
        limit.ended();
        open(1);
        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertThat(opened()).isEqualTo(REFUSE_AND_LOG);
    }

    @Test
    void whoeverConnectsAndLeavesAtTheLimitCausesALineASecond() {
        open(2);
        int lines = 0;
        for (int tenth = 0; tenth < 100; tenth++) {
            lines += opened() == REFUSE_AND_LOG ? 1 : 0;
            limit.closed(REFUSE);
            limit.ended();
            open(1);
            nowNs += TimeUnit.MILLISECONDS.toNanos(100);
        }

        assertThat(lines).isBetween(9, 11);
    }
}
