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
    private static final int PATIENT_MS = 1200;
    private static final int STRANGERS = 3;
    private static final int FRIENDS = 4;

    /** Looks that are due later. */
    private final List<Runnable> looks = new ArrayList<>();

    private final List<Peer> begun = new ArrayList<>();
    private final List<Peer> givenUp = new ArrayList<>();
    private long nowNs = Long.MAX_VALUE - 5;
    private final HandshakeWindow window = new HandshakeWindow(MAX, PATIENT_MS, looks::add, () -> nowNs);

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
        public void abandon() {
            assertThat(Thread.holdsLock(window)).isFalse();
            givenUp.add(this);
        }
    }

    private Peer request(int network, int host) throws Exception {
        Peer peer = new Peer(network, host);
        if (window.request(peer)) {
            begun.add(peer);
        }
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

    /** Has the window be larger by so many, and all of it used; returns the handshakes under way. */
    private List<Peer> grow(int by) throws Exception {
        List<Peer> underWay = new ArrayList<>(request(STRANGERS, 0, MIN));
        for (int i = 0; i < by; i++) {
            window.end(underWay.remove(0), End.SUCCEEDED);
            underWay.addAll(request(STRANGERS, 0, 2));
        }
        assertThat(begun).hasSize(MIN + 2 * by);
        begun.clear();
        return underWay;
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
    void theWindowGrowsWithEachHandshakeThatSucceedsWhileItIsTheLimit() throws Exception {
        List<Peer> underWay = grow(10);
        request(STRANGERS, 0);
        assertThat(begun).isEmpty();
        window.end(underWay.get(0), End.SUCCEEDED);
        assertThat(begun).hasSize(1);
        request(STRANGERS, 0);
        assertThat(begun).hasSize(2);
        request(STRANGERS, 0);
        assertThat(begun).hasSize(2);
    }

    @Test
    void theWindowDoesNotGrowWhereItIsNotTheLimit() throws Exception {
        request(FRIENDS, 0);
        for (int i = 0; i < 2 * MAX; i++) {
            window.end(request(STRANGERS, 0), End.SUCCEEDED);
        }
        begun.clear();
        request(STRANGERS, 0, 2 * MIN);
        assertThat(begun).hasSize(MIN - 1);
    }

    @Test
    void aWindowThatIsEmptyIsSmallAgain() throws Exception {
        grow(20).forEach(peer -> window.end(peer, End.FAILED));
        request(STRANGERS, 0, 2 * MIN);
        assertThat(begun).hasSize(MIN);
    }

    @Test
    void theWindowIsBounded() throws Exception {
        List<Peer> underWay = grow(MAX - MIN);
        window.end(underWay.get(0), End.SUCCEEDED);
        request(STRANGERS, 0, 3);
        assertThat(begun).hasSize(1);
    }

    @Test
    void theWindowShrinksWithEachHandshakeThatStandsStill() throws Exception {
        List<Peer> underWay = grow(10);
        for (Peer peer : underWay.subList(0, 4)) {
            window.end(peer, End.STOOD_STILL);
        }
        request(STRANGERS, 0, 4);
        assertThat(begun).isEmpty();
        window.end(underWay.get(4), End.FAILED);
        assertThat(begun).hasSize(1);
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
    void aLargeWindowShrinksByHalfWhenAHandshakeInItStandsStill() throws Exception {
        List<Peer> underWay = grow(MIN);
        underWay.subList(1, 2 * MIN).forEach(window::computes);
        Peer waiting = request(FRIENDS, 1);
        pass(LEAST_MS);
        assertThat(givenUp).containsExactly(underWay.get(0));
        assertThat(begun).containsExactly(waiting);
        // Twice as many are under way as may be.
        underWay.subList(1, MIN).forEach(peer -> window.end(peer, End.FAILED));
        request(FRIENDS, 2);
        assertThat(begun).containsExactly(waiting);
    }

    @Test
    void theTimeOfAHandshakeIsThatInWhichItsPeerIsAwaited() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        Peer waiting = request(STRANGERS, 100);
        first.forEach(window::computes);
        pass(2 * LEAST_MS);
        assertThat(givenUp).isEmpty();
        first.forEach(window::awaits);
        pass(LEAST_MS - 1);
        assertThat(givenUp).isEmpty();
        pass(1);
        assertThat(givenUp).containsExactly(first.get(0));
        assertThat(begun).last().isEqualTo(waiting);
    }

    @Test
    void whatIsComputedForAPeerThatIsGoneBringsItNotBack() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        window.computes(first.get(0));
        window.end(first.get(0), End.FAILED);
        window.awaits(first.get(0));
        request(STRANGERS, 100, 2);
        assertThat(begun).hasSize(MIN + 1);
    }

    @Test
    void networksTakeTurnsAndSoDoTheAddressesOfOne() throws Exception {
        request(STRANGERS, 0, MIN);
        List<Peer> strangers = List.of(request(STRANGERS, 1), request(STRANGERS, 1), request(STRANGERS, 2));
        List<Peer> friends = request(FRIENDS, 0, 2);
        begun.clear();
        pass(LEAST_MS);
        assertThat(begun)
                .containsExactly(strangers.get(0), friends.get(0), strangers.get(2), friends.get(1), strangers.get(1));
    }

    @Test
    void theNewestOfAnAddressIsFirstWhileItsFirstWaitsTooLong() throws Exception {
        List<Peer> first = request(STRANGERS, 0, MIN);
        first.forEach(window::computes);
        List<Peer> waiting = List.of(request(STRANGERS, 100), request(STRANGERS, 100), request(STRANGERS, 100));
        begun.clear();
        pass(PATIENT_MS);
        window.end(first.get(0), End.FAILED);
        pass(1);
        window.end(first.get(1), End.FAILED);
        assertThat(begun).containsExactly(waiting.get(0), waiting.get(2));
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
}
