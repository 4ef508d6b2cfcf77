package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.ProviderPeer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A provider agent that serves every request by itself, in the way that a test sets: with its argument as the answer,
 * or in some bad way.
 */
final class ServingPeer implements AutoCloseable {
    private static final long POLL_US = 500;

    /** The behaviour of the peer. */
    enum Behaviour {
        GOOD,
        SLOW,
        REFUSING,
        FAILING,
        /** Serves none of the services that are asked for. */
        OF_ANOTHER_SERVICE,
        /** Serves another service, and does not give requests back for that, as older agents did not. */
        OF_ANOTHER_SERVICE_AND_OLD,
        /** Its provider refuses the token of every call. */
        WITH_A_WRONG_TOKEN,
        /** Requests are kept, and answered when it has another behaviour again. */
        FROZEN
    }

    static final int SLOW_MS = 100;

    private final ProviderPeer peer;

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "serving-peer");
        thread.setDaemon(true);
        return thread;
    });
    private final List<ProviderPeer.Received> kept = new ArrayList<>();
    private final Set<MeshConnection> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Behaviour behaviour = Behaviour.GOOD;

    ServingPeer() throws IOException {
        peer = new ProviderPeer(180, 4096);
        executor.scheduleWithFixedDelay(this::serve, POLL_US, POLL_US, TimeUnit.MICROSECONDS);
    }

    int port() {
        return peer.port();
    }

    void become(Behaviour changed) {
        behaviour = changed;
    }

    /** The links on which requests have come so far. */
    int links() {
        return links.size();
    }

    /** Returns the number of connections that were ever accepted. */
    int connections() {
        return peer.connections();
    }

    void closeLinks() throws IOException {
        peer.closeLinks();
    }

    void goAway() throws IOException {
        peer.goAway("restart");
    }

    /** Drains, as an agent whose operator drains it, which goes on. */
    void drain() throws IOException {
        peer.drain("draining");
    }

    /** The requests that have come so far. */
    int requests() {
        return requests.get();
    }

    private void serve() {
        try {
            if (behaviour != Behaviour.FROZEN) {
                for (ProviderPeer.Received request : kept) {
                    serve(request);
                }
                kept.clear();
            }
            while (!peer.hasNone()) {
                ProviderPeer.Received request = peer.nextRequest();
                requests.incrementAndGet();
                links.add(request.link());
                serve(request);
            }
        } catch (InterruptedException | IOException e) {
            // The test has closed the link, or is over.
        }
    }

    private void serve(ProviderPeer.Received request) throws IOException {
        switch (behaviour) {
            case GOOD -> answer(request);
            case SLOW -> executor.schedule(() -> answer(request), SLOW_MS, TimeUnit.MILLISECONDS);
            case REFUSING -> peer.refuse(request);
            case WITH_A_WRONG_TOKEN -> peer.answer(request, Outcome.PROVIDER_REFUSED_TOKEN.number(), Flags.JSON, "{}");
            case FAILING -> peer.answer(request, Outcome.PROVIDER_ERROR.number(), Flags.JSON, "{}");
            case OF_ANOTHER_SERVICE -> peer.refuseUnserved(request, "service a.B is not served here");
            case OF_ANOTHER_SERVICE_AND_OLD ->
                peer.answer(request, Outcome.SERVICE_NOT_FOUND.number(), Flags.JSON, "{}");
            case FROZEN -> kept.add(request);
        }
    }

    private Void answer(ProviderPeer.Received request) throws IOException {
        peer.answer(request, 0, Flags.TEXT, argument(request));
        return null;
    }

    /** The last eight characters of the last argument. */
    private static String argument(ProviderPeer.Received request) {
        String body = request.body();
        StringBuilder argument = new StringBuilder();
        for (int at = body.length() - 16; at < body.length(); at += 2) {
            argument.append((char) Integer.parseInt(body.substring(at, at + 2), 16));
        }
        return argument.toString();
    }

    @Override
    public void close() throws IOException {
        executor.shutdownNow();
        peer.close();
    }
}
