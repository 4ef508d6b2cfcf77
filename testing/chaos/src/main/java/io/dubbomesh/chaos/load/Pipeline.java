package io.dubbomesh.chaos.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A connection for many calls, of which some are in flight at once. It looks at no more of an answer than it must, so
 * that it is fast.
 */
public final class Pipeline implements Closeable {
    private static final int TIMEOUT_MS = 20_000;
    private static final int BUFFER = 64 * 1024;
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final String GOOD = "HTTP/1.1 200 ";
    private static final String LENGTH = "\r\ncontent-length: ";

    private final Socket socket;
    private final InputStream in;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();

    public Pipeline(InetSocketAddress target) throws IOException {
        socket = new Socket(target.getAddress(), target.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    }

    /**
     * Sends these requests, each char of which is a byte, in one write; returns the bodies of their answers, the head
     * of one that is not 200.
     */
    public List<String> call(List<String> requests) throws IOException {
        socket.getOutputStream().write(String.join("", requests).getBytes(ISO_8859_1));
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            answers.add(answer());
        }
        return answers;
    }

    private String answer() throws IOException {
        String fields = head();
        int length = fields.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        int from = length + LENGTH.length();
        byte[] body =
                in.readNBytes(length < 0 ? 0 : Integer.parseInt(fields.substring(from, fields.indexOf('\r', from))));
        return fields.startsWith(GOOD) ? new String(body, UTF_8) : fields;
    }

    private String head() throws IOException {
        head.reset();
        int matched = 0;
        while (matched < HEAD_END.length) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("instead of an answer");
            }
            head.write(next);
            matched = next == HEAD_END[matched] ? matched + 1 : next == HEAD_END[0] ? 1 : 0;
        }
        return head.toString(ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
