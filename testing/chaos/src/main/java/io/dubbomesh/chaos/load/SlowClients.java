package io.dubbomesh.chaos.load;

import io.dubbomesh.chaos.provider.LongText;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Many clients, each with one connection, that write and read no faster than they are told, or not at all. One thread
 * visits them all in each tick.
 */
public final class SlowClients implements Closeable {
    private static final Pattern STATUS = Pattern.compile("HTTP/1.1 (\\d{3}) ");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");
    private static final int SCRATCH = 256 * 1024;
    private static final int AT_ONCE = 10;

    private final InetSocketAddress target;
    private final Manner manner;
    private final List<Client> clients = new ArrayList<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);
    private final ByteBuffer filler = ByteBuffer.allocateDirect(SCRATCH);
    private final Thread thread;
    private volatile boolean stopping;

    /**
     * The behaviour of each client.
     *
     * @param head         sent at once
     * @param bodyLength   bytes that are sent after it, {@code written} of them in each tick
     * @param read         bytes in each tick; 0: reads nothing, but sees a reset
     * @param tickMs       from one tick to the next
     * @param receive      size of the socket's receive buffer; 0: the system's
     * @param reconnects   whether it connects again when it was closed
     * @param readsText    whether the body of an answer 200 is to be a {@link LongText}
     */
    public record Manner(
            byte[] head,
            int bodyLength,
            int written,
            int read,
            int tickMs,
            int receive,
            boolean reconnects,
            boolean readsText) {

        public Manner(byte[] head, int bodyLength, int written, int read, int tickMs, int receive, boolean reconnects) {
            this(head, bodyLength, written, read, tickMs, receive, reconnects, false);
        }

        /** Connects, sends these bytes, and waits; again when it was closed. */
        public static Manner silent(byte[] head) {
            return silent(head, 500);
        }

        /** The same, and connects once in each tick at most. */
        public static Manner silent(byte[] head, int tickMs) {
            return new Manner(head, 0, 0, SCRATCH, tickMs, 0, true);
        }

        /** A call with a parameter of so many bytes, which takes so long to send. */
        public static Manner upload(int length, int seconds, int tickMs) {
            String start = form("hash", "");
            int each = length / Math.max(1, seconds * 1000 / tickMs);
            return new Manner(post(start, start.length() + length), length, each, SCRATCH, tickMs, 0, false);
        }

        /** A call with an answer of so many bytes, which is read at this rate. */
        public static Manner download(int length, int bytesPerSecond, int tickMs) {
            return download(length, bytesPerSecond, tickMs, 16 * 1024);
        }

        public static Manner download(int length, int bytesPerSecond, int tickMs, int receiveBuffer) {
            String form = form("text", Integer.toString(length));
            int each = bytesPerSecond * tickMs / 1000;
            return new Manner(post(form, form.length()), 0, 0, each, tickMs, receiveBuffer, false, true);
        }

        /** Sends so many calls in one write, with answers of so many bytes that are never read. */
        public static Manner deaf(int calls, int length) {
            String form = form("text", Integer.toString(length));
            String requests = new String(post(form, form.length()), US_ASCII).repeat(calls);
            return new Manner(requests.getBytes(US_ASCII), 0, 0, 0, 500, 16 * 1024, false);
        }

        private static String form(String method, String parameter) {
            return "interface=" + Workload.SERVICE + "&method=" + method
                    + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=" + parameter;
        }

        private static byte[] post(String body, int length) {
            return ("POST / HTTP/1.1\r\nHost: mesh\r\nX-Request-Timeout: 30000\r\n"
                            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                            + length + "\r\n\r\n" + body)
                    .getBytes(US_ASCII);
        }
    }

    /**
     * The numbers of clients by their ends so far: with a complete answer 200, with another complete answer, cut off
     * before; and how many are still at it.
     *
     * @param wrong how many of them all have read a wrong byte of a text
     */
    public record Ends(int good, int refused, int cut, int present, int wrong) {
        @Override
        public String toString() {
            return good + " served, " + refused + " refused, " + cut + " cut, " + present + " left";
        }
    }

    private SlowClients(InetSocketAddress target, Manner manner) {
        this.target = target;
        this.manner = manner;
        while (filler.hasRemaining()) {
            filler.put((byte) 'x');
        }
        thread = new Thread(this::run, "slow-clients");
        thread.setDaemon(true);
    }

    /** Returns when all have connected, which they do as fast as they can. */
    public static SlowClients start(InetSocketAddress target, int count, Manner manner) throws IOException {
        return start(target, count, manner, client -> null);
    }

    /**
     * Each from an address of its own in 127.0.0.0/8, all of which is this machine.
     *
     * @param network the second byte of the addresses
     */
    public static SlowClients startFromManyAddresses(InetSocketAddress target, int network, int count, Manner manner)
            throws IOException {
        return start(target, count, manner, client -> {
            byte[] address = {127, (byte) network, (byte) (client >> 8), (byte) client};
            return new InetSocketAddress(InetAddress.getByAddress(address), 0);
        });
    }

    private static SlowClients start(InetSocketAddress target, int count, Manner manner, Sources sources)
            throws IOException {
        SlowClients slow = new SlowClients(target, manner);
        slow.connect(count, sources);
        slow.thread.start();
        return slow;
    }

    /** With so many new connections in a second, each of which begins at once. */
    public static SlowClients start(InetSocketAddress target, int count, int perSecond, Manner manner)
            throws IOException, InterruptedException {
        SlowClients slow = new SlowClients(target, manner);
        long nextNs = System.nanoTime();
        for (int left = count; left > 0; left -= AT_ONCE) {
            int opened = slow.clients.size();
            slow.connect(Math.min(left, AT_ONCE), client -> null);
            for (Client client : slow.clients.subList(opened, slow.clients.size())) {
                client.tick();
            }
            nextNs += TimeUnit.SECONDS.toNanos(AT_ONCE) / perSecond;
            TimeUnit.NANOSECONDS.sleep(nextNs - System.nanoTime());
        }
        slow.thread.start();
        return slow;
    }

    private void connect(int count, Sources sources) throws IOException {
        for (int i = 0; i < count; i++) {
            clients.add(new Client(sources.of(i)));
        }
    }

    private void run() {
        long tickNs = System.nanoTime();
        try {
            while (!stopping) {
                for (Client client : clients) {
                    client.tick();
                }
                tickNs += TimeUnit.MILLISECONDS.toNanos(manner.tickMs);
                long waitNs = tickNs - System.nanoTime();
                if (waitNs > 0) {
                    TimeUnit.NANOSECONDS.sleep(waitNs);
                } else {
                    tickNs = System.nanoTime();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of texts that all have read so far. */
    public long textBytes() {
        return clients.stream().mapToLong(client -> client.textBytes).sum();
    }

    public Ends ends() {
        int[] counts = new int[End.values().length];
        for (Client client : clients) {
            counts[client.end.ordinal()]++;
        }
        return new Ends(
                counts[End.GOOD.ordinal()],
                counts[End.REFUSED.ordinal()],
                counts[End.CUT.ordinal()],
                counts[End.NONE.ordinal()],
                (int) clients.stream().filter(client -> client.wrong).count());
    }

    /** Waits until all have ended, at most so long. */
    public Ends await(int seconds) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (ends().present() > 0 && System.nanoTime() - endNs < 0) {
            Thread.sleep(100);
        }
        return ends();
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Client client : clients) {
            client.close();
        }
    }

    /** The address from which each client connects; null for where the system chooses. */
    private interface Sources {
        InetSocketAddress of(int client) throws IOException;
    }

    private enum End {
        NONE,
        GOOD,
        REFUSED,
        CUT
    }

    private final class Client {
        private final InetSocketAddress source;
        private SocketChannel channel;
        private ByteBuffer head;
        private int bodyLeft;
        private String answer;
        private int status;
        private long answerLeft;
        private volatile long textBytes;
        private volatile boolean wrong;
        private volatile End end;

        Client(InetSocketAddress source) throws IOException {
            this.source = source;
            open();
        }

        private void open() throws IOException {
            head = ByteBuffer.wrap(manner.head);
            bodyLeft = manner.bodyLength;
            answer = "";
            status = 0;
            end = End.NONE;
            channel = SocketChannel.open();
            if (manner.receive > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, manner.receive);
            }
            try {
                channel.bind(source);
                channel.connect(target);
                channel.configureBlocking(false);
            } catch (IOException refused) {
                end(End.CUT);
            }
        }

        void tick() throws IOException {
            if (end != End.NONE && manner.reconnects) {
                open();
            }
            if (end == End.NONE) {
                try {
                    write();
                    read();
                } catch (IOException e) {
                    end(End.CUT);
                }
            }
        }

        private void write() throws IOException {
            if (head.hasRemaining()) {
                channel.write(head);
            } else if (bodyLeft > 0 && status == 0) {
                ByteBuffer piece = filler.duplicate().position(0).limit(Math.min(manner.written, bodyLeft));
                bodyLeft -= channel.write(piece);
            }
        }

        private void read() throws IOException {
            int left = manner.read;
            while (left > 0 && end == End.NONE) {
                scratch.clear().limit(Math.min(left, SCRATCH));
                int count = channel.read(scratch);
                if (count < 0) {
                    end(End.CUT);
                }
                if (count <= 0) {
                    return;
                }
                left -= count;
                scratch.flip();
                received();
            }
        }

        private void received() throws IOException {
            if (status == 0) {
                answer += ISO_8859_1.decode(scratch);
                int headEnd = answer.indexOf("\r\n\r\n");
                if (headEnd < 0) {
                    return;
                }
                Matcher line = STATUS.matcher(answer);
                Matcher length = LENGTH.matcher(answer);
                if (!line.lookingAt() || !length.find()) {
                    end(End.CUT);
                    return;
                }
                status = Integer.parseInt(line.group(1));
                answerLeft = Long.parseLong(length.group(1));
                body(US_ASCII.encode(answer.substring(headEnd + 4)));
                answer = "";
            } else {
                body(scratch);
            }
            if (answerLeft <= 0) {
                end(status == 200 ? End.GOOD : End.REFUSED);
            }
        }

        private void body(ByteBuffer bytes) {
            answerLeft -= bytes.remaining();
            if (!manner.readsText || status != 200) {
                return;
            }
            long at = textBytes;
            while (bytes.hasRemaining()) {
                wrong |= bytes.get() != LongText.at(at++);
            }
            textBytes = at;
        }

        private void end(End how) throws IOException {
            end = how;
            close();
        }

        void close() throws IOException {
            channel.close();
        }
    }
}
