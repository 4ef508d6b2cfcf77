package io.dubbomesh.chaos.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The answers of an agent to bytes on a connection of their own, each char of which is a byte.
 *
 * @param answers  the complete final ones in their order
 * @param isClosed whether the agent then ended the connection; else it is still open after {@link #PATIENCE_MS} without
 *     a byte
 * @param remainder what came behind the last complete answer
 */
public record Exchange(List<Answer> answers, boolean isClosed, String remainder) {
    /** The time in which an agent answers what it refuses, in milliseconds. */
    private static final int PATIENCE_MS = 3_000;

    private static final Pattern HEAD = Pattern.compile("HTTP/1\\.1 (\\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");

    /** An answer; the head with the empty line behind it. */
    public record Answer(int status, String head, String body) {}

    /** All at once. */
    public static Exchange of(InetSocketAddress target, String bytes) throws IOException {
        return of(target, bytes, 0);
    }

    /** A piece ends at each of the cuts, and is on its way before the next one is sent. */
    public static Exchange of(InetSocketAddress target, String bytes, long pauseNs, int... cuts) throws IOException {
        try (Socket socket = new Socket(target.getAddress(), target.getPort())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MS);
            try {
                send(socket.getOutputStream(), bytes.getBytes(ISO_8859_1), pauseNs, cuts);
            } catch (IOException closed) {
                // It was refused before its end; the answer can still be read.
            }
            return read(socket.getInputStream());
        }
    }

    private static void send(OutputStream out, byte[] bytes, long pauseNs, int... cuts) throws IOException {
        int at = 0;
        for (int cut : cuts) {
            out.write(bytes, at, cut - at);
            at = cut;
            LockSupport.parkNanos(pauseNs);
        }
        out.write(bytes, at, bytes.length - at);
    }

    private static Exchange read(InputStream in) {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        boolean isClosed = true;
        try {
            in.transferTo(received);
        } catch (SocketTimeoutException e) {
            isClosed = false;
        } catch (IOException reset) {
            // Bytes were still coming when the agent closed.
        }
        return parse(received.toString(ISO_8859_1), isClosed);
    }

    private static Exchange parse(String received, boolean isClosed) {
        List<Answer> answers = new ArrayList<>();
        int at = 0;
        Matcher head = HEAD.matcher(received);
        while (head.region(at, received.length()).lookingAt()) {
            int status = Integer.parseInt(head.group(1));
            Matcher length = LENGTH.matcher(head.group());
            int bodyLength = length.find() ? Integer.parseInt(length.group(1)) : 0;
            if (head.end() + bodyLength > received.length()) {
                break;
            }
            String body = received.substring(head.end(), head.end() + bodyLength);
            if (status >= 200) {
                answers.add(new Answer(status, head.group(), body));
            }
            at = head.end() + bodyLength;
        }
        return new Exchange(answers, isClosed, received.substring(at));
    }

    public List<Integer> statuses() {
        return answers.stream().map(Answer::status).toList();
    }

    /** Whether it was exactly this answer, with nothing behind it, and the end. */
    public boolean isRefusedBy(int... statuses) {
        return answers.size() == 1
                && isClosed
                && remainder.isEmpty()
                && has(answers.get(0).status(), statuses);
    }

    private static boolean has(int status, int... statuses) {
        for (int each : statuses) {
            if (each == status) {
                return true;
            }
        }
        return false;
    }

    /** Returns the time that a piece needs to arrive by itself. */
    public static long briefly() {
        return TimeUnit.MICROSECONDS.toNanos(300);
    }

    @Override
    public String toString() {
        return statuses()
                + (isClosed ? ", closed" : ", open")
                + (remainder.isEmpty() ? "" : ", then " + remainder.length() + " bytes");
    }
}
