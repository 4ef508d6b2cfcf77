package io.dubbomesh.benchmark.ledger;

import io.dubbomesh.benchmark.NumberProperty;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Clients that count their requests and check the answers while parts of the mesh are stopped and started. Each client has its own
 * connection and sends one request after the other, each with a different text. A request counts as sent when it was written; a connection
 * that a closed port refused does not count. Ends when no client could connect for three seconds, or when the time is up. The exit status
 * is 0 only if every request was answered and no answer was wrong.
 */
public final class Ledger {
    private static final String FORM = "interface=com.alibaba.dubbo.performance.demo.provider.IHelloService&method=hash"
            + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=";
    private static final int CONNECT_TIMEOUT_MS = 1_000;
    /** Longer than the agent's own deadline. */
    private static final int ANSWER_TIMEOUT_MS = 10_000;

    private static final long ALONE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_MS = 20;

    private final String host;
    private final int port;
    private final long endNs;
    private final Tally tally = new Tally();
    private final AtomicLong connectedNs = new AtomicLong(System.nanoTime());

    Ledger(String host, int port, long seconds) {
        this.host = host;
        this.port = port;
        this.endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    public static void main(String[] args) throws InterruptedException {
        Ledger ledger = new Ledger(
                System.getProperty("host", "127.0.0.1"),
                new NumberProperty("port", 1, 65535).whole(System::getProperty, 20000),
                new NumberProperty("seconds", 1, 3600).whole(System::getProperty, 60));
        Tally tally = ledger.run(new NumberProperty("clients", 1, 1024).whole(System::getProperty, 32));
        System.out.println("LEDGER " + tally);
        System.exit(tally.nothingLost() ? 0 : 1);
    }

    Tally run(int clients) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int number = i;
            Thread thread = new Thread(() -> call(number), "client-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return tally;
    }

    private void call(int client) {
        long call = 0;
        while (!isOver()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MS);
                socket.setSoTimeout(ANSWER_TIMEOUT_MS);
                socket.setTcpNoDelay(true);
                boolean goesOn = true;
                while (goesOn && System.nanoTime() - endNs < 0) {
                    goesOn = call(socket, "client " + client + " call " + call++);
                }
            } catch (IOException e) {
                // Without a connection no request was sent.
                pause();
            }
        }
    }

    private boolean isOver() {
        long nowNs = System.nanoTime();
        return nowNs - endNs >= 0 || nowNs - connectedNs.get() >= ALONE_NS;
    }

    /** Returns false if the connection cannot be used any more. */
    private boolean call(Socket socket, String text) throws IOException {
        byte[] body = (FORM + text.replace(' ', '+')).getBytes(US_ASCII);
        String head = "POST / HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: " + body.length + "\r\n\r\n";
        byte[] request = (head + new String(body, US_ASCII)).getBytes(US_ASCII);
        socket.getOutputStream().write(request);
        connectedNs.set(System.nanoTime());
        tally.sent();
        try {
            Answer answer = Answer.read(socket.getInputStream());
            tally.answered(answer, Integer.toString(text.hashCode()));
            return !answer.last();
        } catch (IOException | RuntimeException e) {
            tally.lost(text + ": " + e);
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
