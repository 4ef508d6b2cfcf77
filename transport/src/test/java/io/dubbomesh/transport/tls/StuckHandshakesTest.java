package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Peers that begin a handshake and stop */
class StuckHandshakesTest extends TlsLinkFixture {
    private static final int PEERS = 1000;
    private static final long MIB = 1 << 20;
    /** The first nine bytes of a ClientHello whose length field says 16 MiB, in a record of 16 KiB. */
    private static final byte[] NINE_BYTES = Hex.bytes("1603014000" + "01fffffb");

    /** A record with the beginning of a ClientHello: TLS waits for more of it, and computes nothing. */
    private static final String BEGINNING = "1603010004" + "01001000";

    @Test
    void aThousandOfThemCostAtMost16MiBAndEndInTime() throws Exception {
        accepting.close();
        TlsSettings settings = LinkFiles.write(authority, directory.resolve("provider"), provider, "consumer.test");
        accepting = TlsAcceptor.ofLinks(TlsSettings.ofLinks(
                settings.certificates(),
                settings.key(),
                settings.peers().authorities(),
                List.of("consumer.test"),
                TimeUnit.SECONDS.toMillis(3)));
        // What the first connection loads is no matter.
        open();
        long before = used();
        List<Socket> peers = new ArrayList<>();
        long startNs = System.nanoTime();
        try {
            for (int i = 0; i < PEERS; i++) {
                Socket peer = new Socket(InetAddress.getLoopbackAddress(), port());
                peers.add(peer);
                peer.setSoTimeout(30_000);
                peer.getOutputStream().write(NINE_BYTES);
            }
            assertThat(used() - before).isLessThan(16 * MIB);
            for (Socket peer : peers) {
                assertEnd(peer);
            }
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(10));
        } finally {
            for (Socket peer : peers) {
                peer.close();
            }
        }
        open();
        assertThat(accepting.hasHandshakes()).isFalse();
    }

    /** All come from one address, so that the last one does not get its turn earlier. */
    @Test
    void aPeerIsServedBesideThoseThatStopAfterTheirClientHello() throws Exception {
        ByteBuffer hello = clientHello();
        List<Socket> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * HandshakeWindow.MIN; i++) {
                Socket peer = new Socket(InetAddress.getLoopbackAddress(), port());
                peers.add(peer);
                peer.setSoTimeout(30_000);
                peer.getOutputStream().write(hello.array(), 0, hello.position());
            }
            open();
            // The first of them has made room.
            assertThat(peers.get(0).getInputStream().read())
                    .as("a handshake record")
                    .isEqualTo(0x16);
            assertEnd(peers.get(0));
        } finally {
            for (Socket peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void aHandshakeThatGetsThePlaceOfAnotherBeginsInATaskOfItsOwn() throws Exception {
        List<EmbeddedChannel> peers = new ArrayList<>();
        for (int i = 0; i <= HandshakeWindow.MIN; i++) {
            EmbeddedChannel peer = new EmbeddedChannel();
            peers.add(peer);
            accepting.accept(peer, MemoryBudget.unlimited());
            peer.writeInbound(Hex.buffer(BEGINNING));
        }
        EmbeddedChannel waiting = peers.get(HandshakeWindow.MIN);
        assertThat(hasTls(peers.get(0))).isTrue();

        peers.get(0).close();
        assertThat(hasTls(waiting)).as("on the stack of the other one").isFalse();
        waiting.runPendingTasks();
        assertThat(hasTls(waiting)).isTrue();
        for (EmbeddedChannel peer : peers) {
            peer.close();
            peer.releaseOutbound();
        }
    }

    private static boolean hasTls(EmbeddedChannel peer) {
        return peer.pipeline().get(SslHandler.class) != null;
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory()
                - runtime.freeMemory()
                + PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }
}
