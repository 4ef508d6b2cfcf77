package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HeaderTable;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.Responder;
import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static java.util.concurrent.TimeUnit.SECONDS;

@Timeout(30)
class HttpConnectionTest {
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);
    private static final HttpSettings ONE_AT_A_TIME = new HttpSettings(
            HttpLimits.DEFAULTS,
            16,
            1,
            new HttpSettings.Timeouts(
                    SECONDS.toNanos(5),
                    SECONDS.toNanos(10),
                    500,
                    SECONDS.toNanos(60),
                    SECONDS.toNanos(30),
                    SECONDS.toNanos(1)));

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    private final BlockingQueue<Responder> requests = new LinkedBlockingQueue<>();
    private final Response response = new Response();

    /** Leaves requests to the test, and fails at {@code /fail}. */
    private final class Handler implements HttpHandler {
        @Override
        public RequestFields newFields() {
            return new RequestFields() {
                @Override
                public void register(HeaderTable table) {}

                @Override
                public void reset() {}
            };
        }

        @Override
        public String allowedMethods(HttpRequestParser request) {
            return "";
        }

        @Override
        public void checkHead(HttpRequestParser request) {}

        @Override
        public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs) {
            if (request.target().getByte(1) == 'f') {
                throw new AssertionError("for the test");
            }
            requests.add(responder);
        }
    }

    @AfterEach
    void close() {
        loops.close();
        response.close();
    }

    @Test
    void whatFailsBehindAResponseEndsTheConnectionAndNotWhoeverResponds() throws Exception {
        EventLoop loop = loops.loops().get(0);
        HttpLoop http = new HttpLoop(loop, ONE_AT_A_TIME, 16, new Turn(loop), new Handler(), response);
        Channel listener = loops.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(http.newConnection());
                    }
                });
        try (HttpSocket client = new HttpSocket(((InetSocketAddress) listener.localAddress()).getPort())) {
            client.send(HttpSocket.request("GET /", "") + HttpSocket.request("GET /fail", ""));
            Responder first = Await.next(requests, "the first request");

            loop.submit(() -> first.respond(response.accepted())).sync();
            client.assertEnd();
        }
    }
}
