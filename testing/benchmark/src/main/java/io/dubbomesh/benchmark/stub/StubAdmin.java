package io.dubbomesh.benchmark.stub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Changes a running stub provider: {@code curl 'http://127.0.0.1:PORT/?delay.ms=500&refuse=true'} with the properties
 * of {@link StubBehaviour}. The answer is its behaviour from then on and its counts.
 */
final class StubAdmin implements AutoCloseable {
    private final StubProvider provider;
    private final HttpServer server;

    private StubAdmin(StubProvider provider, HttpServer server) {
        this.provider = provider;
        this.server = server;
    }

    static StubAdmin start(StubProvider provider, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        StubAdmin admin = new StubAdmin(provider, server);
        server.createContext("/", admin::answer);
        server.start();
        return admin;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status = 200;
        String body;
        try {
            String query = exchange.getRequestURI().getQuery();
            if (query != null) {
                provider.change(behaviour -> changed(behaviour, query));
            }
            body = provider.behaviour() + "\n" + provider.report() + "\n";
        } catch (IllegalArgumentException e) {
            status = 400;
            body = e.getMessage() + "\n";
        }
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static StubBehaviour changed(StubBehaviour behaviour, String query) {
        StubBehaviour changed = behaviour;
        for (String pair : query.split("&")) {
            String[] parts = pair.split("=", 2);
            changed = changed.with(parts[0], parts.length == 2 ? parts[1] : "");
        }
        return changed;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
