package io.dubbomesh.benchmark.connections;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import org.HdrHistogram.Histogram;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Opens many connections to a consumer agent, keeps them idle or calls {@code hash(String)} on each at a fixed rate, and in the end calls
 * once on every connection. Its output, a line each: {@code connected N}; {@code paused}, if told to pause before the closing calls; and
 * <pre>
 * RESULT connections=100 requests=1000 duration_us=10000000 p50_us=100 p90_us=.. p99_us=.. max_us=..
 *     socket_errors=0 timeouts=0 bad_statuses=0 wrong=0
 * </pre>
 * in one line. Requests (answered ones), duration and latencies are those of the load, or of the closing calls if there was none; errors
 * are those of all calls. A socket error is a call whose connection was lost, a timeout one that has no answer ten seconds after the last
 * call of its phase was due; the connection is closed then. Before it says {@code connected} it makes 4,000 calls on the first 64
 * connections, so that its own start is not what is measured.
 */
public final class ConnectionsLoad {
    private static final long TIMEOUT_MS = 10_000;

    /** Of the calls before and after the load: no more than a provider of 50 ms a call takes. */
    private static final double GENTLE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1) / 2_000.0;

    private static final int WARM_UP_CALLS = 4_000;
    private static final int WARM_UP_CONNECTIONS = 64;

    private final LoadSettings settings;
    private final int warmUpCalls;
    private final long timeoutMs;
    private final BufferedReader in;
    private final PrintStream out;

    /**
     * @param warmUpCalls how many are made before the load, at least 1
     * @param timeoutMs   how long to wait for the last answers
     */
    ConnectionsLoad(LoadSettings settings, int warmUpCalls, long timeoutMs, BufferedReader in, PrintStream out) {
        this.settings = settings;
        this.warmUpCalls = warmUpCalls;
        this.timeoutMs = timeoutMs;
        this.in = in;
        this.out = out;
    }

    public static void main(String[] args) throws InterruptedException {
        // Otherwise Netty waits in whole milliseconds for whatever is further away than ten.
        System.setProperty("io.netty.channel.epoll.epollWaitThreshold", "0");
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            new ConnectionsLoad(LoadSettings.from(System::getProperty), WARM_UP_CALLS, TIMEOUT_MS, in, System.out)
                    .run();
        } catch (IllegalArgumentException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** @throws IOException if a connection cannot be opened, or there is no line after a pause */
    void run() throws IOException, InterruptedException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        try {
            run(group.next());
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }

    private void run(EventLoop loop) throws IOException, InterruptedException {
        Future<List<FormConnection>> connected = new Connector(loop, settings.port(), settings.connections())
                .connect()
                .await();
        if (!connected.isSuccess()) {
            throw new IOException(connected.cause().getMessage(), connected.cause());
        }
        List<FormConnection> connections = connected.getNow();
        Phase warmUp = new Phase(
                loop,
                connections.subList(0, Math.min(connections.size(), WARM_UP_CONNECTIONS)),
                warmUpCalls,
                GENTLE_INTERVAL_NS,
                timeoutMs);
        warmUp.start().sync();
        out.println("connected " + connections.size());

        double callsPerSecond = settings.rate() * connections.size();
        long calls = Math.round(callsPerSecond * settings.seconds());
        Phase load = new Phase(loop, connections, calls, TimeUnit.SECONDS.toNanos(1) / callsPerSecond, timeoutMs);
        if (calls > 0) {
            load.start().sync();
        } else {
            TimeUnit.SECONDS.sleep(settings.seconds());
        }
        if (settings.pause()) {
            out.println("paused");
            if (in.readLine() == null) {
                throw new IOException("standard input has ended (expected: a line, to go on after the pause)");
            }
        }
        Phase closing = new Phase(loop, connections, connections.size(), GENTLE_INTERVAL_NS, timeoutMs);
        closing.start().sync();
        out.println(result(calls > 0 ? load : closing, List.of(warmUp, load, closing)));
    }

    private String result(Phase measured, List<Phase> all) {
        Histogram latencyUs = measured.latencyUs();
        return "RESULT connections=" + settings.connections() + " requests=" + measured.requests()
                + " duration_us=" + measured.durationUs() + " p50_us=" + latencyUs.getValueAtPercentile(50)
                + " p90_us=" + latencyUs.getValueAtPercentile(90) + " p99_us=" + latencyUs.getValueAtPercentile(99)
                + " max_us=" + latencyUs.getMaxValue()
                + " socket_errors=" + sum(all, Phase::socketErrors)
                + " timeouts=" + sum(all, Phase::timeouts)
                + " bad_statuses=" + sum(all, Phase::badStatuses)
                + " wrong=" + sum(all, Phase::wrong);
    }

    private static long sum(List<Phase> phases, ToLongFunction<Phase> count) {
        return phases.stream().mapToLong(count).sum();
    }
}
