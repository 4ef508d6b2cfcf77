package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.ReportedLoad;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatestLoadTest {
    private static final int LIMIT = 10;
    private static final long MS = 1_000_000;
    private static final long CALL_NS = 500 * MS;

    private final LatestLoad load = new LatestLoad();

    @Test
    void aProviderIsFullWhenItsPermitsAreTakenByAnyConsumerAgents() {
        assertThat(load.isFull(LIMIT, 0)).as("nothing is known").isFalse();

        report(11, 0);
        assertThat(load.isFull(LIMIT, 0)).isTrue();
        report(10, 0);
        assertThat(load.isFull(LIMIT, 0)).as("the answered one has ended").isFalse();
        report(10, 1);
        assertThat(load.isFull(LIMIT, 0)).as("one waits for its permit").isTrue();
    }

    @Test
    void whatIsSentAfterTheReportIsAddedToIt() {
        report(8, 0);
        load.sent();
        load.sent();
        assertThat(load.isFull(LIMIT, 0)).isFalse();
        load.sent();
        assertThat(load.isFull(LIMIT, 0)).isTrue();
    }

    @Test
    void aReportOfCallsThatHaveEndedTellsNothing() {
        report(20, 5);
        assertThat(load.isFull(LIMIT, CALL_NS / 2)).isTrue();
        assertThat(load.isFull(LIMIT, CALL_NS)).isFalse();
    }

    /** A busy zone with calls of 1 ms would be taken for one with room after each of them. */
    @Test
    void aReportOfShortCallsIsTrueForAWhile() {
        report(20, 5, MS);
        assertThat(load.isFull(LIMIT, 99 * MS)).isTrue();
        assertThat(load.isFull(LIMIT, 100 * MS)).isFalse();
    }

    private void report(int inService, int waiting) {
        report(inService, waiting, CALL_NS);
    }

    private void report(int inService, int waiting, long callNs) {
        ByteBuf frame = Unpooled.buffer().writeZero(MeshHeader.LENGTH);
        ReportedLoad.write(frame, 0, inService, waiting, callNs);
        load.take(frame, 0, 0);
    }
}
