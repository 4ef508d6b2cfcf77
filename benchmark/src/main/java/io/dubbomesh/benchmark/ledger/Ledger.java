package io.dubbomesh.benchmark.ledger;

import io.dubbomesh.benchmark.NumberProperty;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that count their requests and check the answers while parts of the mesh are stopped and started. Each client sends one request
 * after the other, each with a different text. A connection that a closed port refused does not count. Ends when no client could connect
 * for three seconds, or when the time is up. The exit status is 0 only if every request was answered and no answer was wrong.
 */
public final class Ledger {
    private static final String FORM = "interface=com.alibaba.dubbo.performance.demo.provider.IHelloService&method=hash"
            + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    /** Longer than the agent's own deadline. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private static final long ALONE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_MS = 20;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final URI uri;
    private final long endNs;
    private final Tally tally = new Tally();
    private final AtomicLong connectedNs = new AtomicLong(System.nanoTime());

    Ledger(String host, int port, long seconds) {
        this.uri = URI.create("http://" + host + ":" + port);
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
        for (long call = 0; !isOver(); call++) {
            try {
                call("client " + client + " call " + call);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private boolean isOver() {
        long nowNs = System.nanoTime();
        return nowNs - endNs >= 0 || nowNs - connectedNs.get() >= ALONE_NS;
    }

    private void call(String text) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(ANSWER_TIMEOUT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(FORM + text.replace(' ', '+')))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            tally.answered(answer.statusCode(), answer.body(), Integer.toString(text.hashCode()));
        } catch (ConnectException | HttpConnectTimeoutException e) {
            // Without a connection no request was sent.
            Thread.sleep(PAUSE_MS);
            return;
        } catch (IOException e) {
            tally.lost(text + ": " + e);
        }
        connectedNs.set(System.nanoTime());
    }
}
