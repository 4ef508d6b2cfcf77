package io.dubbomesh.consumer.server;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;

import static org.assertj.core.api.Assertions.assertThat;

class ClientSharesTest {
    /** The budget, of which 400 are for large requests, and 100 are a share. */
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
        ClientShare share = shares.acquire(greedy);
        hold(share, 180);

        assertThat(share.mayTake(Use.LARGE_REQUESTS, 20)).isTrue();
        assertThat(share.mayTake(Use.LARGE_REQUESTS, 21)).isFalse();
        hold(share, 20);
        ClientShare other = shares.acquire(modest);
        hold(other, 60);
        assertThat(other.mayTake(Use.LARGE_REQUESTS, 40)).isTrue();
        assertThat(other.mayTake(Use.LARGE_REQUESTS, 41)).isFalse();
    }

    @Test
    void whatAClientGivesBackItMayTakeAgain() {
        ClientShare share = shares.acquire(greedy);
        hold(share, 200);
        assertThat(share.mayTake(Use.LARGE_REQUESTS, 100)).isFalse();
        hold(share, -200);

        assertThat(share.mayTake(Use.LARGE_REQUESTS, 400)).isTrue();
    }

    @Test
    void theConnectionsOfAnAddressHaveOneShare() {
        ClientShare share = shares.acquire(greedy);

        assertThat(shares.acquire(new InetSocketAddress("192.0.2.1", 1002))).isSameAs(share);
        assertThat(shares.acquire(modest)).isNotSameAs(share);
        shares.release(greedy);
        assertThat(shares.acquire(greedy)).isSameAs(share);
    }

    @Test
    void anAddressWithoutConnectionsIsForgotten() {
        ClientShare share = shares.acquire(greedy);
        shares.acquire(modest);
        shares.release(greedy);

        assertThat(shares.size()).isEqualTo(1);
        assertThat(shares.acquire(greedy)).isNotSameAs(share);
    }

    @Test
    void eachConnectionFromTheLoopbackAddressIsAClient() {
        InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 1001);
        ClientShare share = shares.acquire(loopback);

        assertThat(shares.acquire(loopback)).isNotSameAs(share);
        shares.release(loopback);
        assertThat(shares.size()).isZero();
    }
}
