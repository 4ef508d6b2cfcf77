package io.dubbomesh.consumer.server;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;

import static org.assertj.core.api.Assertions.assertThat;

class ClientSharesTest {
    /** Of which 400 are for large requests, and 100 are a share. */
    private final MemoryBudget memory = new MemoryBudget(800);

    private final ClientShares shares = new ClientShares(memory);
    private final InetSocketAddress greedy = new InetSocketAddress("192.0.2.1", 1001);
    private final InetSocketAddress modest = new InetSocketAddress("192.0.2.2", 1001);

    private void hold(ClientShare share, int bytes) {
        memory.add(Use.LARGE_REQUESTS, bytes);
        share.add(bytes);
    }

    @Test
    void beyondItsShareAClientTakesNoMoreThanItLeavesForOthers() {
        ClientShare share = shares.join(greedy);
        hold(share, 180);

        assertThat(share.mayTake(Use.LARGE_REQUESTS, 20)).isTrue();
        assertThat(share.mayTake(Use.LARGE_REQUESTS, 21)).isFalse();
        hold(share, 20);
        ClientShare other = shares.join(modest);
        hold(other, 60);
        assertThat(other.mayTake(Use.LARGE_REQUESTS, 40)).isTrue();
        assertThat(other.mayTake(Use.LARGE_REQUESTS, 41)).isFalse();
    }

    @Test
    void whatAClientGivesBackItMayTakeAgain() {
        ClientShare share = shares.join(greedy);
        hold(share, 200);
        assertThat(share.mayTake(Use.LARGE_REQUESTS, 100)).isFalse();
        hold(share, -200);

        assertThat(share.mayTake(Use.LARGE_REQUESTS, 400)).isTrue();
    }

    @Test
    void theConnectionsOfAnAddressHaveOneShare() {
        ClientShare share = shares.join(greedy);

        assertThat(shares.join(new InetSocketAddress("192.0.2.1", 1002))).isSameAs(share);
        assertThat(shares.join(modest)).isNotSameAs(share);
        shares.leave(greedy);
        assertThat(shares.join(greedy)).isSameAs(share);
    }

    @Test
    void anAddressWithoutConnectionsIsForgotten() {
        ClientShare share = shares.join(greedy);
        shares.join(modest);
        shares.leave(greedy);

        assertThat(shares.size()).isEqualTo(1);
        assertThat(shares.join(greedy)).isNotSameAs(share);
    }

    @Test
    void eachConnectionFromTheLoopbackAddressIsAClient() {
        InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 1001);
        ClientShare share = shares.join(loopback);

        assertThat(shares.join(loopback)).isNotSameAs(share);
        shares.leave(loopback);
        assertThat(shares.size()).isZero();
    }
}
