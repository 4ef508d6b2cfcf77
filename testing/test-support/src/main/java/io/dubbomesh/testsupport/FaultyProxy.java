package io.dubbomesh.testsupport;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The network between a client and a server: it can stall unnoticed, reset its connections, delay, throttle and slice
 * what it carries. Each fault holds from the moment it is set, for present connections and later ones, until it is set
 * otherwise.
 */
public final class FaultyProxy implements Closeable {
    private static final int BUFFER = 8192;

    /** In a throttled direction a write is at most what passes in so long: otherwise the bytes would come in bursts. */
    private static final long THROTTLE_TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile int sliceLength = BUFFER;
    private volatile Delay requestDelay = Delay.NONE;
    private volatile Delay answerDelay = Delay.NONE;
    private volatile long bytesPerSecond = Long.MAX_VALUE;
    private final AtomicReference<String> unanswered = new AtomicReference<>();
    private boolean stalled;
    private boolean closed;

    /** A delay from {@code minNs} to {@code maxNs}, each as likely as the others. */
    private record Delay(long minNs, long maxNs) {
        static final Delay NONE = new Delay(0, 0);

        long nextNs() {
            return minNs == maxNs ? minNs : ThreadLocalRandom.current().nextLong(minNs, maxNs);
        }
    }

    /** Makes the proxy of a server on the loopback address. */
    public FaultyProxy(int targetPort) throws IOException {
        this(0, targetPort);
    }

    /** @param port where it listens; 0 for any */
    public FaultyProxy(int port, int targetPort) throws IOException {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        Threads.start("faulty-proxy", this::accept);
    }

    /** Returns the port to which clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of connections that it carries at present, or holds open while it is stalled. */
    public int connections() {
        return sockets.size() / 2;
    }

    /** Lets nothing through from now on, and neither end notices. */
    public synchronized void stall() {
        stalled = true;
    }

    /** Lets through what was kept back while it was stalled. */
    public synchronized void resume() {
        stalled = false;
        notifyAll();
    }

    /** Resets all present connections at both ends; new ones are accepted. */
    public void cut() throws IOException {
        for (Socket socket : sockets) {
            try {
                socket.setSoLinger(true, 0);
            } catch (SocketException e) {
                // One of the ends has closed it just now.
            }
            socket.close();
        }
    }

    /** Each write has at most so many bytes. */
    public void slice(int bytes) {
        sliceLength = bytes;
    }

    /** Delays what the server sends. */
    public void delayAnswers(Duration delay) {
        answerDelay = new Delay(delay.toNanos(), delay.toNanos());
    }

    /**
     * In each direction bytes arrive after {@code delay}, give or take {@code jitter}, in the order in which they were
     * sent.
     */
    public void delay(Duration delay, Duration jitter) {
        long minNs = delay.minus(jitter).toNanos();
        requestDelay = new Delay(minNs, delay.plus(jitter).toNanos());
        answerDelay = requestDelay;
    }

    /**
     * The first connection on which the client sends this text carries no answers from then on; what the client sends
     * still arrives. Other connections are not affected.
     */
    public void loseAnswersTo(String text) {
        unanswered.set(text);
    }

    /** Each connection carries so many bytes a second in each direction. */
    public void throttle(long bytes) {
        bytesPerSecond = bytes;
    }

    /** Ends slices, delays and throttling. */
    public void heal() {
        slice(BUFFER);
        delay(Duration.ZERO, Duration.ZERO);
        throttle(Long.MAX_VALUE);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = open(listener.accept());
            Socket server;
            try {
                Socket connecting = new Socket();
                connecting.connect(target);
                server = open(connecting);
            } catch (IOException refused) {
                sockets.remove(client);
                client.close();
                continue;
            }
            AtomicBoolean answersLost = new AtomicBoolean();
            carry("faulty-proxy-requests", client, server, bytes -> {
                if (isToBeUnanswered(bytes)) {
                    answersLost.set(true);
                }
                return requestDelay;
            });
            carry("faulty-proxy-answers", server, client, bytes -> answersLost.get() ? null : answerDelay);
        }
    }

    private Socket open(Socket socket) throws IOException {
        sockets.add(socket);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private boolean isToBeUnanswered(byte[] bytes) {
        String text = unanswered.get();
        return text != null && new String(bytes, ISO_8859_1).contains(text) && unanswered.compareAndSet(text, null);
    }

    /** @param delay of the bytes that were read; null if they are lost */
    private void carry(String name, Socket from, Socket to, Function<byte[], Delay> delay) {
        DelayLine line = new DelayLine();
        Threads.start(name, () -> read(from, line, delay));
        Threads.start(name, () -> write(from, to, line));
    }

    private void read(Socket from, DelayLine line, Function<byte[], Delay> delay)
            throws IOException, InterruptedException {
        try (line) {
            InputStream in = from.getInputStream();
            byte[] bytes = new byte[BUFFER];
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                Delay of = delay.apply(Arrays.copyOf(bytes, length));
                if (of != null) {
                    line.put(bytes, length, System.nanoTime() + of.nextNs());
                }
            }
        }
    }

    private void write(Socket from, Socket to, DelayLine line) throws IOException, InterruptedException {
        try (from;
                to;
                line;
                OutputStream out = to.getOutputStream()) {
            for (byte[] bytes = line.take(); bytes != null; bytes = line.take()) {
                for (int at = 0; at < bytes.length; ) {
                    awaitResumed();
                    int slice = Math.min(Math.min(sliceLength, throttledLength()), bytes.length - at);
                    out.write(bytes, at, slice);
                    at += slice;
                    awaitBandwidth(slice);
                }
            }
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private int throttledLength() {
        long rate = bytesPerSecond;
        return rate == Long.MAX_VALUE
                ? BUFFER
                : (int) Math.max(1, Math.min(BUFFER, rate * THROTTLE_TICK_NS / TimeUnit.SECONDS.toNanos(1)));
    }

    private void awaitBandwidth(int bytes) throws InterruptedException {
        long rate = bytesPerSecond;
        if (rate != Long.MAX_VALUE) {
            TimeUnit.NANOSECONDS.sleep(bytes * TimeUnit.SECONDS.toNanos(1) / rate);
        }
    }

    private synchronized void awaitResumed() throws InterruptedException {
        while (stalled && !closed) {
            wait();
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
