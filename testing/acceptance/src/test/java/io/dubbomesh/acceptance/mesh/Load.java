package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that call the demo's service over keep-alive connections of their own, every time with a text that no other
 * client sends; each answer is compared with the expected one.
 */
public final class Load implements AutoCloseable {
    private static final int STACK = 256 * 1024;
    private static final int CALLS_PER_SECOND = 500;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final int port;
    private final int callsEach;
    private final long meanPauseNs;
    private final List<Thread> clients = new ArrayList<>();
    private final List<Failure> failures = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> right = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger connected = new AtomicInteger();
    private final AtomicInteger toldToClose = new AtomicInteger();
    private volatile boolean stopped;

    private Load(int port, int callsEach, long meanPauseNs) {
        this.port = port;
        this.callsEach = callsEach;
        this.meanPauseNs = meanPauseNs;
    }

    /** Calls so often that every provider has executed its first calls, in which it is slow. */
    public static void warmUp(int port) throws IOException {
        try (HttpSocket socket = new HttpSocket(port)) {
            for (int i = 0; i < 30; i++) {
                socket.call(Form.post(Form.hash("warm up"), Form.PATIENT)).assertHash("warm up");
            }
        }
    }

    /** Starts clients that call until they are stopped or told to close, each again as soon as it is answered. */
    public static Load start(int port, int clients) {
        return start(clients, new Load(port, Integer.MAX_VALUE, 0));
    }

    /** Starts clients that end after so many calls each. */
    public static Load start(int port, int clients, int callsEach) {
        return start(clients, new Load(port, callsEach, 0));
    }

    /**
     * Starts clients that call until they are stopped, some {@value #CALLS_PER_SECOND} times a second together, so that
     * the processors are left to what the test waits for. With a provider that takes 20 ms, some ten calls are in
     * flight whenever something happens; with a faster one fewer.
     */
    public static Load startSteady(int port, int clients) {
        return start(clients, new Load(port, Integer.MAX_VALUE, clients * SECOND_NS / CALLS_PER_SECOND));
    }

    private static Load start(int clients, Load load) {
        for (int i = 0; i < clients; i++) {
            int number = i;
            Thread client = new Thread(null, () -> load.run(number), "client " + i, STACK);
            load.clients.add(client);
            client.start();
        }
        return load;
    }

    private void run(int number) {
        Random random = new Random(number);
        try (HttpSocket socket = new HttpSocket(port)) {
            connected.incrementAndGet();
            for (int i = 0; i < callsEach && !stopped; i++) {
                String text = number + " " + i + " " + "x".repeat(random.nextInt(1000));
                HttpAnswer answer = socket.call(Form.post(Form.hash(text), Form.PATIENT));
                judge(text, answer);
                if (answer.hasConnectionClose()) {
                    toldToClose.incrementAndGet();
                    return;
                }
                pause(random);
            }
        } catch (IOException | AssertionError e) {
            failures.add(new Failure(System.nanoTime(), 0, "client " + number + ": " + e));
        }
    }

    /** Pauses for any time up to twice the mean one, so that clients do not call in step. */
    private void pause(Random random) {
        if (meanPauseNs > 0) {
            LockSupport.parkNanos(random.nextLong(2 * meanPauseNs));
        }
    }

    private void judge(String text, HttpAnswer answer) {
        if (answer.status() == 200 && answer.text().equals(Integer.toString(text.hashCode()))) {
            right.add(text.hashCode());
        } else {
            failures.add(new Failure(System.nanoTime(), answer.status(), answer.toString()));
        }
    }

    /** Returns when so many more calls have been answered rightly. */
    public void awaitMore(int calls) throws Exception {
        int before = right.size();
        Await.until(
                Duration.ofSeconds(30),
                calls + " more right answers, failures: " + failures,
                () -> right.size() - before >= calls);
    }

    /** Returns when the time is over, in which calls have been answered rightly without a pause. */
    public void awaitMoreFor(Duration time) throws Exception {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < time.toNanos()) {
            awaitMore(100);
        }
    }

    /** Ends each client after the call under way. */
    public Load stop() throws InterruptedException {
        stopped = true;
        return join();
    }

    /** Returns when all clients have ended on their own. */
    public Load join() throws InterruptedException {
        for (Thread client : clients) {
            client.join();
        }
        return this;
    }

    /** The values of the right answers. */
    public List<Integer> right() {
        synchronized (right) {
            return List.copyOf(right);
        }
    }

    /** Wrong answers, other statuses, and answers that did not come. */
    public List<Failure> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    public int connected() {
        return connected.get();
    }

    public int toldToClose() {
        return toldToClose.get();
    }

    /** Stops like {@link #stop}, without waiting. */
    @Override
    public void close() {
        stopped = true;
    }

    /** @param status 0 if there was no answer, or one that is not HTTP */
    public record Failure(long atNs, int status, String what) {}
}
