package io.dubbomesh.transport.loop;

import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.HostPort;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class ConnectorTest {
    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Connector connector(String host, Function<InetSocketAddress, Future<?>> open) {
        return new Connector(loop, new HostPort(host, 20880), new Backoff(1, 2), open, events::add);
    }

    @Test
    void aFailedAttemptIsReportedAndRepeatedUntilOneSucceeds() throws Exception {
        int[] attempts = {0};
        Connector connector = connector("192.0.2.7", address -> {
            if (++attempts[0] < 3) {
                return loop.newFailedFuture(new IOException("refused " + attempts[0]));
            }
            events.add("open " + address.getHostString() + ':' + address.getPort());
            return loop.newSucceededFuture(null);
        });
        loop.execute(connector::connect);

        assertThat(events.take()).isEqualTo("refused 1");
        assertThat(events.take()).isEqualTo("refused 2");
        assertThat(events.take()).isEqualTo("open 192.0.2.7:20880");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "finishConnect(..) failed with error(-111): Connection refused: /192.0.2.7:20880",
                "Connection refused: /192.0.2.7:20880",
                "Connection refused"
            })
    void theReasonHasNeitherTheSystemCallNorTheAddress(String message) throws Exception {
        Connector connector = connector("192.0.2.7", address -> loop.newFailedFuture(new ConnectException(message)));
        loop.execute(connector::connect);

        assertThat(events.take()).isEqualTo("Connection refused");
        loop.submit(connector::close).get();
    }

    @Test
    void aNameThatCannotBeResolvedIsReportedAndTriedAgain() throws Exception {
        Connector connector = connector("no-such-host.invalid", address -> {
            throw new AssertionError("there is no address");
        });
        loop.execute(connector::connect);

        assertThat(events.take()).isEqualTo("unknown host");
        assertThat(events.take()).isEqualTo("unknown host");
        loop.submit(connector::close).get();
    }

    @Test
    void whereNoThreadCanBeStartedTheAttemptHasFailedAndTheProcessGoesOn() throws Exception {
        FatalErrors.handle(error -> events.add("the process ends"));
        try {
            NameResolver resolver = new NameResolver(InetAddress::getByName, run -> new ThreadThatCannotStart(), 0);
            Connector connector = new Connector(
                    resolver, loop, new HostPort("localhost", 1), new Backoff(1, 2), address -> null, events::add);
            loop.execute(connector::connect);

            for (int attempt = 0; attempt < 2; attempt++) {
                assertThat(events.take()).startsWith("the name was not resolved: unable to create native thread");
            }
            loop.submit(connector::close).get();
        } finally {
            FatalErrors.handle(error -> {});
        }
    }

    @Test
    void anAttemptThatThrowsIsFollowedByOthers() throws Exception {
        for (Throwable thrown : new Throwable[] {new IllegalStateException("a"), new OutOfMemoryError("b")}) {
            for (String host : new String[] {"192.0.2.7", "localhost"}) {
                int[] attempts = {0};
                Connector connector = connector(host, address -> {
                    if (++attempts[0] > 1) {
                        events.add("open");
                        return loop.newSucceededFuture(null);
                    }
                    if (thrown instanceof Error error) {
                        throw error;
                    }
                    throw (RuntimeException) thrown;
                });
                loop.execute(connector::connect);

                assertThat(events.poll(5, TimeUnit.SECONDS)).isEqualTo(thrown.toString());
                assertThat(events.poll(5, TimeUnit.SECONDS)).isEqualTo("open");
            }
        }
    }

    @Test
    void aClosedConnectorMakesNoMoreAttempts() throws Exception {
        int[] attempts = {0};
        Connector[] connector = new Connector[1];
        connector[0] = connector("::1", address -> {
            attempts[0]++;
            connector[0].close();
            loop.schedule(() -> events.add("later"), 20, TimeUnit.MILLISECONDS);
            return loop.newFailedFuture(new IOException("refused"));
        });
        loop.execute(connector[0]::connect);

        assertThat(events.take()).isEqualTo("later");
        assertThat(attempts[0]).isEqualTo(1);
    }
}
