package io.dubbomesh.contest;

import io.undertow.Handlers;
import io.undertow.Undertow;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.Dsl;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Stands in for the consumer of the 2018 Dubbo Mesh benchmark: takes {@code GET /invoke} on port 8087 and calls the
 * consumer agent on {@code 127.0.0.1:20000} by async-http-client with its defaults. Undertow has as many threads as
 * with Spring Boot's configuration.
 */
final class MeshConsumer implements AutoCloseable {
    private static final int IO_THREADS = 4;
    private static final int WORKER_THREADS = 256;

    private final AsyncHttpClient client;
    private final Undertow server;

    /** @param port 0 for any free port */
    MeshConsumer(String host, int port, String agentUrl) {
        client = Dsl.asyncHttpClient();
        server = Undertow.builder()
                .addHttpListener(port, host)
                .setIoThreads(IO_THREADS)
                .setWorkerThreads(WORKER_THREADS)
                .setHandler(Handlers.path().addExactPath("/invoke", new InvokeHandler(client, agentUrl)))
                .build();
        server.start();
    }

    public static void main(String[] args) {
        MeshConsumer consumer = new MeshConsumer("0.0.0.0", 8087, "http://127.0.0.1:20000");
        System.out.println("listening on " + consumer.port());
    }

    int port() {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        server.stop();
        client.close();
    }
}
