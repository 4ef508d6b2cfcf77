package io.dubbomesh.chaos.provider;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/**
 * A stub provider with a pool of threads, as far as an agent can see: each call occupies one for a time, and calls
 * beyond them are refused with status 100. It changes while it runs, by lines on its standard input:
 * <pre>
 * delay MS      how long a call takes
 * threads N     how many calls are executed at once
 * answer        executes calls (as at its start)
 * refuse        refuses every call
 * swallow       executes calls and never answers them
 * readonly      tells the agents to send no more calls (Dubbo's event READONLY, or GOAWAY)
 * </pre>
 * It serves, of any interface, {@code hash(String)}, {@code text(String)}, a text of so many characters, and by Dubbo 2
 * {@code status(String)}, which is answered with that Dubbo status. Each call that is executed leaves a line in the
 * calls file, the hash of its argument, before it is answered, and each that is refused a line with {@code !} before
 * it. SIGTERM tells the agents to send no more calls, and ends the process when those in service are answered.
 */
public final class AdjustableProvider {
    private static final long MAX_END_NS = TimeUnit.SECONDS.toNanos(8);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private enum Mode {
        ANSWER,
        REFUSE,
        SWALLOW
    }

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Set<ProviderConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger inService = new AtomicInteger();
    private final FileChannel calls;
    private volatile long delayNs;
    private volatile int threads;
    private volatile Mode mode = Mode.ANSWER;
    private volatile boolean ending;
    private volatile long lastCallNs = System.nanoTime();
    /** The listener, where clients that are told to go would come back by it. */
    private volatile Closeable closesFirst = () -> {};

    private AdjustableProvider(long delayNs, int threads, Path callsFile) throws IOException {
        this.delayNs = delayNs;
        this.threads = threads;
        calls = FileChannel.open(callsFile, CREATE, APPEND);
    }

    /** Settings by {@code -Dkey=value}: host, port, protocol (dubbo or tri), delay.ms, threads, calls.file. */
    public static void main(String[] args) throws IOException, InterruptedException {
        AdjustableProvider provider = new AdjustableProvider(
                ns(System.getProperty("delay.ms", "20")),
                Integer.getInteger("threads", 200),
                Path.of(System.getProperty("calls.file")));
        Runtime.getRuntime().addShutdownHook(new Thread(provider::end));
        Thread commands = new Thread(provider::readCommands, "commands");
        commands.setDaemon(true);
        commands.start();
        InetSocketAddress address =
                new InetSocketAddress(System.getProperty("host", "127.0.0.1"), Integer.getInteger("port", 20_880));
        if (System.getProperty("protocol", "dubbo").equals("tri")) {
            provider.closesFirst = TripleProviderConnection.listen(provider, address);
            System.out.println("listening");
        } else {
            provider.listen(address);
        }
    }

    private void listen(InetSocketAddress address) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(address);
            System.out.println("listening");
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                DubboProviderConnection connection = new DubboProviderConnection(this, socket);
                connection.start();
                opened(connection);
            }
        }
    }

    private static long ns(String ms) {
        return (long) (Double.parseDouble(ms) * TimeUnit.MILLISECONDS.toNanos(1));
    }

    void opened(ProviderConnection connection) {
        connections.add(connection);
        if (ending) {
            connection.endCalls();
        }
    }

    void closed(ProviderConnection connection) {
        connections.remove(connection);
    }

    private void readCommands() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                switch (words[0]) {
                    case "delay" -> delayNs = ns(words[1]);
                    case "threads" -> threads = Integer.parseInt(words[1]);
                    case "answer" -> mode = Mode.ANSWER;
                    case "refuse" -> mode = Mode.REFUSE;
                    case "swallow" -> mode = Mode.SWALLOW;
                    case "readonly" -> endCalls();
                    default -> throw new IllegalArgumentException(line);
                }
                System.out.println("done: " + line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void endCalls() {
        ending = true;
        connections.forEach(ProviderConnection::endCalls);
    }

    /** A call has arrived, on the thread of its connection. */
    void call(ProviderConnection connection, ProviderCall call) throws IOException {
        lastCallNs = System.nanoTime();
        if (mode == Mode.REFUSE || inService.get() >= threads) {
            log("!" + call.argument().hashCode());
            connection.refuse(call);
            return;
        }
        inService.incrementAndGet();
        log(Integer.toString(call.argument().hashCode()));
        boolean answers = mode == Mode.ANSWER;
        long takesNs = delayNs;
        if (takesNs == 0) {
            end(connection, call, answers);
        } else {
            timer.schedule(() -> end(connection, call, answers), takesNs, TimeUnit.NANOSECONDS);
        }
    }

    private void end(ProviderConnection connection, ProviderCall call, boolean answers) {
        inService.decrementAndGet();
        if (answers) {
            connection.answer(call);
        }
    }

    /** One write for each line: it survives a SIGKILL. */
    private void log(String line) throws IOException {
        calls.write(ByteBuffer.wrap((line + "\n").getBytes(US_ASCII)));
    }

    private void end() {
        try {
            closesFirst.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        endCalls();
        long startNs = System.nanoTime();
        try {
            while (System.nanoTime() - startNs < MAX_END_NS
                    && (inService.get() > 0 || System.nanoTime() - Math.max(startNs, lastCallNs) < QUIET_NS)) {
                Thread.sleep(10);
            }
            // What was answered last is still to be written.
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
