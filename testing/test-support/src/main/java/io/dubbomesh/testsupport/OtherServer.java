package io.dubbomesh.testsupport;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** A server that may listen at a port in place of a Dubbo 2 provider. */
public final class OtherServer implements Closeable {
    private static final int MAX_REQUEST = 8 * 1024;
    private static final String HTTP_2_PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    /** Empty SETTINGS of HTTP/2. */
    private static final String SETTINGS = "\0\0\0\4\0\0\0\0\0";

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();

    /** Null: it never answers, nor closes. */
    private final UnaryOperator<String> answers;

    private OtherServer(UnaryOperator<String> answers) throws IOException {
        this.answers = answers;
        Threads.start("other-server", () -> {
            while (true) {
                Socket socket = listener.accept();
                accepted.add(socket);
                Threads.start("other-server-connection", () -> answer(socket));
            }
        });
    }

    /**
     * A provider of Dubbo 3 that speaks only Triple: it closes a connection that does not begin with the preface of
     * HTTP/2.
     */
    public static OtherServer triple() throws IOException {
        return answering(request -> request.startsWith(HTTP_2_PREFACE) ? SETTINGS : "");
    }

    /** Closes a connection whose first four bytes are no sensible length, unless they are one of its commands. */
    public static OtherServer zooKeeper() throws IOException {
        return answering(request ->
                request.startsWith("ruok") ? "ruok is not executed because it is not in the whitelist.\n" : "");
    }

    public static OtherServer silent() throws IOException {
        return new OtherServer(null);
    }

    /** Answers the first bytes of each connection, which have one char each, and closes it. */
    public static OtherServer answering(UnaryOperator<String> answers) throws IOException {
        return new OtherServer(answers);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Connections so far. */
    public int accepted() {
        return accepted.size();
    }

    private void answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] request = new byte[MAX_REQUEST];
        int length = in.read(request);
        if (answers == null) {
            while (length >= 0) {
                length = in.read(request);
            }
        } else if (length > 0) {
            socket.getOutputStream()
                    .write(answers.apply(new String(request, 0, length, ISO_8859_1))
                            .getBytes(ISO_8859_1));
        }
        socket.close();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }
}
