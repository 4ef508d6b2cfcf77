package io.dubbomesh.transport.tls;

import io.dubbomesh.transport.tls.HandshakeWindow.End;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static io.dubbomesh.transport.tls.HandshakeWindow.LEAST_MS;
import static io.dubbomesh.transport.tls.HandshakeWindow.MIN;
import static org.assertj.core.api.Assertions.assertThat;

/** When handshakes begin, and when one makes room for others */
class HandshakeWindowTest {
    private static final int MAX = 4 * MIN;
    private static final int STRANGERS = 3;
    private static final int FRIENDS = 4;

    /** Looks that are due later. */
    private final List<Runnable> looks = new ArrayList<>();

    private final List<Peer> begun = new ArrayList<>();
    private final List<Peer> givenUp = new ArrayList<>();
    private long nowNs = Long.MAX_VALUE - 5;
    private final HandshakeWindow window = new HandshakeWindow(MAX, looks::add, () -> nowNs);

    private final class Peer implements HandshakeWindow.Opening {
        private final InetAddress address;

        Peer(int network, int host) throws Exception {
            address = InetAddress.getByAddress(new byte[] {10, 0, (byte) network, (byte) host});
        }

        @Override
        public InetAddress address() {
            return address;
        }

        @Override
        public void begin() {
            assertThat(Thread.holdsLock(window)).isFalse();
            begun.add(this);
        }

        @Override
        public void giveUp() {
            assertThat(Thread.holdsLock(window)).isFalse();
            givenUp.add(this);
        }
    }

    private Peer request(int network, int host) throws Exception {
        Peer peer = new Peer(network, host);
        window.request(peer);
        return peer;
    }

    private List<Peer> request(int network, int firstHost, int count) throws Exception {
        List<Peer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(request(network, firstHost + i));
        }
        return all;
    }

    private void look() {
        List<Runnable> due = List.copyOf(looks);
        looks.clear();
        due.forEach(Runnable::run);
    }

    private void pass(long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
        look();
    }

    private void grow(int by) throws Exception {
        for (Peer peer : request(9, 0, by)) {
            window.end(peer, End.SUCCEEDED);
        }
        begun.clear();
    }

    @Test
    void handshakesBeginAtOnceWithinTheWindowAndNobodyLooksAtThem() throws Exception {
        assertThat(begun).isEqualTo(request(STRANGERS, 0, MIN));
        pass(10 * LEAST_MS);
        assertThat(givenUp).isEmpty();
        assertThat(looks).isEmpty();
    }

    @Test
    void beyondTheWindowTheyBeginAsOthersEndInTheOrderInWhichTheyCame() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        Peer one = request(STRANGERS, 100);
        Peer other = request(STRANGERS, 101);
        assertThat(begun).isEqualTo(first);
        window.end(first.get(5), End.FAILED);
        assertThat(begun).hasSize(MIN + 1).last().isEqualTo(one);
        window.end(first.get(6), End.FAILED);
        assertThat(begun).hasSize(MIN + 2).last().isEqualTo(other);
    }

    @Test
    void theWindowGrowsWithEachHandshakeThatSucceeds() throws Exception {
        grow(10);
        List<Peer> all = request(STRANGERS, 0, MIN + 11);
        assertThat(begun).isEqualTo(all.subList(0, MIN + 10));
        window.end(all.get(0), End.SUCCEEDED);
        assertThat(begun).hasSize(MIN + 11);
    }

    @Test
    void theWindowIsBounded() throws Exception {
        for (int i = 0; i < 2 * MAX; i++) {
            grow(1);
        }
        request(STRANGERS, 0, 128);
        request(FRIENDS, 0, 255);
        assertThat(begun).hasSize(MAX);
    }

    @Test
    void theWindowShrinksWithEachHandshakeThatStandsStill() throws Exception {
        grow(10);
        for (Peer peer : request(STRANGERS, 0, 4)) {
            window.end(peer, End.STOOD_STILL);
        }
        begun.clear();
        request(STRANGERS, 0, MIN + 10);
        assertThat(begun).hasSize(MIN + 6);
    }

    @Test
    void aHandshakeHasTimeBeforeItMakesRoom() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        Peer waiting = request(STRANGERS, 100);
        pass(LEAST_MS - 1);
        assertThat(givenUp).isEmpty();
        assertThat(looks).hasSize(1);
        pass(1);
        assertThat(givenUp).containsExactly(first.get(0));
        assertThat(begun).last().isEqualTo(waiting);
        assertThat(looks).isEmpty();
    }

    @Test
    void asManyMakeRoomAsOthersWait() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        List<Peer> waiting = request(FRIENDS, 0, 3);
        pass(LEAST_MS);
        assertThat(givenUp).isEqualTo(first.subList(0, 3));
        assertThat(begun.subList(MIN, MIN + 3)).isEqualTo(waiting);
    }

    @Test
    void aLargeWindowOfHandshakesThatStandStillShrinksAtOnce() throws Exception {
        grow(20);
        request(STRANGERS, 0, MIN + 20);
        Peer waiting = request(FRIENDS, 1);
        pass(LEAST_MS);
        assertThat(givenUp).hasSize(21);
        assertThat(begun).last().isEqualTo(waiting);
    }

    @Test
    void networksTakeTurns() throws Exception {
        request(STRANGERS, 0, MIN);
        List<Peer> strangers = request(STRANGERS, 100, 50);
        List<Peer> friends = request(FRIENDS, 0, 2);
        pass(LEAST_MS - 1);
        begun.clear();
        pass(1);
        assertThat(begun.subList(0, 5))
                .containsExactly(strangers.get(0), friends.get(0), strangers.get(1), friends.get(1), strangers.get(2));
    }

    @Test
    void whatIsClosedWhileItWaitsDoesNotBegin() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        Peer waiting = request(FRIENDS, 1);
        window.end(waiting, End.FAILED);
        window.end(waiting, End.FAILED);
        window.end(first.get(0), End.FAILED);
        pass(LEAST_MS);
        assertThat(begun).isEqualTo(first);
        assertThat(givenUp).isEmpty();
    }

    @Test
    void anEndThatIsToldTwiceCountsOnce() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        List<Peer> waiting = request(FRIENDS, 1, 3);
        IntStream.range(0, 2).forEach(i -> window.end(first.get(0), End.SUCCEEDED));
        assertThat(begun.subList(MIN, begun.size())).isEqualTo(waiting.subList(0, 2));
    }

    @Test
    void aHandshakeThatWasGivenUpDoesNotShrinkTheWindowAgainWhenItsConnectionEnds() throws Exception {
        grow(10);
        Peer stuck = request(STRANGERS, 0);
        pass(LEAST_MS);
        List<Peer> others = request(STRANGERS, 1, MIN + 9);
        Peer waiting = request(FRIENDS, 1);
        assertThat(givenUp).containsExactly(stuck);
        assertThat(begun).doesNotContain(waiting);
        window.end(stuck, End.STOOD_STILL);
        window.end(others.get(0), End.FAILED);
        assertThat(begun).last().isEqualTo(waiting);
    }
}
