package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static org.assertj.core.api.Assertions.assertThat;

/** The calls whose answers are streams, between a client and an endpoint that takes one call at a time. */
@Timeout(30)
class StreamedCallsTest {
    private final UpstreamFixture fixture = new UpstreamFixture();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final Link link = new Link();
    private final StreamClient client = new StreamClient(events);
    private final Upstream upstream = link.upstream(fixture);

    @AfterEach
    void close() throws Exception {
        assertThat(events).isEmpty();
        fixture.onLoop(() -> {
            upstream.close();
            return null;
        });
        fixture.close();
    }

    private long call(String... headers) throws Exception {
        fixture.onLoop(() -> {
            upstream.update(ReadyLink.directory());
            ByteBuf request = UpstreamFixture.request("/a.B/m", headers);
            long nowNs = System.nanoTime();
            upstream.dispatch(UpstreamFixture.parsed(request), client, nowNs, nowNs);
            request.release();
            return null;
        });
        return Await.next(link.sent, "the call");
    }

    private long stream() throws Exception {
        long id = call("Accept: text/html, application/x-ndjson;q=0.9");
        send(id, "", 0);
        assertThat(next()).isEqualTo("opened LINES");
        return id;
    }

    private void send(long id, String message, int windowBytes) throws Exception {
        fixture.onLoop(() -> {
            link.answer(id, Outcome.OK, Flags.JSON | Flags.MORE, message, windowBytes);
            return null;
        });
    }

    private void end(long id, Outcome outcome) throws Exception {
        fixture.onLoop(() -> {
            link.answer(id, outcome, Flags.JSON, outcome == Outcome.OK ? "" : "{\"detail\":\"no\"}", 0);
            return null;
        });
    }

    private String next() throws Exception {
        return Await.next(events, "an event");
    }

    @Test
    void eachMessageGoesToTheClientAndItsBytesBackToTheProvider() throws Exception {
        long id = stream();
        send(id, "{\"a\":1}", 20);
        assertThat(next()).isEqualTo("message {\"a\":1}");
        assertThat(next()).isEqualTo("consumed 20");
        send(id, "2", 6);
        assertThat(next()).isEqualTo("message 2");
        assertThat(next()).isEqualTo("consumed 6");
        end(id, Outcome.OK);
        assertThat(next()).isEqualTo("OK");
    }

    /** The link has one frame for them. */
    @Test
    void theBytesOfTheMessagesOfATurnAreGivenBackTogether() throws Exception {
        long id = stream();
        fixture.onLoop(() -> {
            link.answer(id, Outcome.OK, Flags.JSON | Flags.MORE, "1", 10);
            link.answer(id, Outcome.OK, Flags.JSON | Flags.MORE, "2", 11);
            return null;
        });
        assertThat(next()).isEqualTo("message 1");
        assertThat(next()).isEqualTo("message 2");
        assertThat(next()).isEqualTo("consumed 21");
        end(id, Outcome.OK);
        assertThat(next()).isEqualTo("OK");
    }

    @Test
    void aBlockedClientOwesTheBytesUntilItTakesMore() throws Exception {
        long id = stream();
        client.block(true);
        send(id, "1", 10);
        send(id, "2", 11);
        assertThat(next()).isEqualTo("message 1");
        assertThat(next()).isEqualTo("message 2");
        assertThat(events).isEmpty();
        client.block(false);
        fixture.onLoop(() -> {
            client.source().resumed();
            return null;
        });
        assertThat(next()).isEqualTo("consumed 21");
        end(id, Outcome.PROVIDER_ERROR);
        assertThat(next()).isEqualTo("PROVIDER_ERROR");
    }

    /** It is not resumed then: a message found it ready before. */
    @Test
    void whatABlockedClientOwesIsGivenBackWithTheNextMessageThatItTakes() throws Exception {
        long id = stream();
        client.block(true);
        send(id, "1", 10);
        assertThat(next()).isEqualTo("message 1");
        client.block(false);
        send(id, "2", 11);
        assertThat(next()).isEqualTo("message 2");
        assertThat(next()).isEqualTo("consumed 21");
        end(id, Outcome.OK);
        assertThat(next()).isEqualTo("OK");
    }

    /** The bound is 4 MiB and a message more. */
    @Test
    void aStreamWhoseOutputPilesUpForABlockedClientIsEnded() throws Exception {
        long id = stream();
        String message = "1".repeat(1 << 20);
        client.block(true);
        for (int i = 0; i < 6; i++) {
            send(id, message, 5);
            assertThat(next()).startsWith("message ");
        }
        send(id, message, 5);
        assertThat(next()).isEqualTo("cancelled " + id);
        assertThat(next()).isEqualTo("OVERLOADED");
        assertThat((int) fixture.onLoop(upstream::pendingCount)).isZero();
    }

    @Test
    void whatAClientHasTakenDoesNotPileUp() throws Exception {
        long id = stream();
        String message = "1".repeat(1 << 20);
        for (int round = 0; round < 3; round++) {
            client.block(true);
            for (int i = 0; i < 4; i++) {
                send(id, message, 5);
                assertThat(next()).startsWith("message ");
            }
            client.block(false);
            fixture.onLoop(() -> {
                client.source().resumed();
                return null;
            });
            assertThat(next()).isEqualTo("consumed 20");
        }
        end(id, Outcome.OK);
        assertThat(next()).isEqualTo("OK");
    }

    @Test
    void aClientThatLeavesEndsTheStreamAtTheProvider() throws Exception {
        long id = stream();
        send(id, "1", 10);
        next();
        next();
        fixture.onLoop(() -> {
            client.source().cancelled();
            return null;
        });
        assertThat(next()).isEqualTo("cancelled " + id);
        send(id, "2", 10);
        assertThat(next()).as("again, as it may have begun behind that").isEqualTo("cancelled " + id);
        assertThat((int) fixture.onLoop(upstream::pendingCount)).isZero();
    }

    @Test
    void aClientThatHasLeftBeforeTheStreamWasOpenEndsItToo() throws Exception {
        long id = call("Accept: text/event-stream");
        fixture.onLoop(() -> {
            client.leave();
            return null;
        });
        send(id, "", 0);
        assertThat(next()).isEqualTo("cancelled " + id);
        assertThat((int) fixture.onLoop(upstream::pendingCount)).isZero();
    }

    /** The time-out of the request is that of the whole stream. */
    @Test
    void aStreamEndsWithItsDeadline() throws Exception {
        long id = call("Accept: text/event-stream", "X-Request-Timeout: 200");
        send(id, "1", 0);
        assertThat(next()).isEqualTo("opened EVENTS");
        assertThat(next()).isEqualTo("message 1");
        assertThat(next()).isEqualTo("cancelled " + id);
        assertThat(next()).isEqualTo("TIMEOUT");
    }

    /** Its endpoint takes one call at a time. */
    @Test
    void theEndpointOfAStreamHasRoomForOthersFromItsFirstMessageOn() throws Exception {
        long id = stream();
        send(id, "1", 0);
        next();
        long second = call();
        end(second, Outcome.OK);
        assertThat(next()).isEqualTo("OK");
        end(id, Outcome.OK);
        assertThat(next()).isEqualTo("OK");
        assertThat((int) fixture.onLoop(upstream::pendingCount)).isZero();
    }

    @Test
    void aFailureBeforeTheFirstMessageIsAnswered() throws Exception {
        long id = stream();
        end(id, Outcome.METHOD_NOT_FOUND);
        assertThat(next()).isEqualTo("METHOD_NOT_FOUND");
    }

    /** Keeps what it is told of the streams. */
    private final class Link extends ReadyLink {
        private final BlockingQueue<Long> sent = new LinkedBlockingQueue<>();

        @Override
        void sent(long requestId) {
            sent.add(requestId);
        }

        @Override
        public void consumed(long requestId, int bytes) {
            events.add("consumed " + bytes);
        }

        @Override
        public void cancelStream(long requestId) {
            events.add("cancelled " + requestId);
        }
    }
}
