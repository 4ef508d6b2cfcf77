package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.TelnetListing;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.tls.TlsConnector;
import io.dubbomesh.transport.tls.TlsConnector.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A blocking connection to the provider for a few requests, as frames or, one after the other, as telnet commands. Not
 * for event loops. No method waits longer than to the deadline of the connection.
 */
final class DiscoveryConnection implements Closeable {
    private static final int MAX_BODY = 8 * 1024 * 1024;
    private static final int MAX_TEXT = 1024 * 1024;
    private static final int READ_BYTES = 8 * 1024;

    private final Socket socket;
    private final Serialization serialization;
    private final long deadlineNs;
    private final InputStream in;
    /** The bytes of the next frame that have arrived. */
    private final ByteBuf received = Unpooled.buffer();

    private long lastId;

    /**
     * @param serialization of the requests: that of calls, since the provider may refuse others
     * @param tls           null for plain text
     */
    DiscoveryConnection(HostPort address, Serialization serialization, TlsConnector tls, long deadlineNs)
            throws IOException {
        this.serialization = serialization;
        this.deadlineNs = deadlineNs;
        socket = tls == null ? connect(address) : tls.open(Peer.at(address), deadlineNs);
        in = socket.getInputStream();
    }

    private Socket connect(HostPort address) throws IOException {
        Socket plain = new Socket();
        try {
            plain.setTcpNoDelay(true);
            plain.connect(new InetSocketAddress(address.host(), address.port()), timeLeftMs());
            return plain;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    /** Calls a method whose parameters are strings, and returns the frame of any answer. */
    ByteBuf call(MethodName method, String... arguments) throws IOException {
        long id = send(method, arguments);
        while (true) {
            ByteBuf answer = readAnswer(deadlineNs);
            if (answer == null) {
                throw noAnswer();
            }
            if (DubboHeader.requestId(answer, 0) == id) {
                return answer;
            }
        }
    }

    /** Sends a call of a method whose parameters are strings, and returns the id that its answer will have. */
    long send(MethodName method, String... arguments) throws IOException {
        return send(method, ExportedAs.INTERFACE, arguments);
    }

    /** Does the same for a service that is exported in this way. */
    long send(MethodName method, ExportedAs exported, String... arguments) throws IOException {
        ByteBuf form = Unpooled.buffer();
        for (String argument : arguments) {
            form.writeInt(ByteBufUtil.utf8Bytes(argument));
            form.writeCharSequence(argument, UTF_8);
        }
        ByteBuf request = Unpooled.buffer();
        long id = ++lastId;
        CallArguments call =
                new CallArguments().form(form, 0, form.writerIndex()).timeLeftMs(timeLeftMs());
        try {
            DubboRequest.prepare(method, serialization, null, exported).encode(request, id, false, call);
        } catch (CallException e) {
            throw new IllegalArgumentException(method.toString(), e);
        }
        socket.getOutputStream().write(ByteBufUtil.getBytes(request));
        return id;
    }

    /**
     * Returns the frame of the next answer, to whichever call; null if none has come wholly by then, which may still
     * come.
     *
     * @param untilNs no later than the deadline
     */
    ByteBuf readAnswer(long untilNs) throws IOException {
        while (true) {
            ByteBuf frame = nextFrame();
            if (frame == null) {
                if (!readMore(untilNs)) {
                    return null;
                }
            } else if (!DubboHeader.isEvent(frame, 0) && !DubboHeader.isRequest(frame, 0)) {
                return frame;
            }
        }
    }

    /** Returns null if it has not come wholly. */
    private ByteBuf nextFrame() throws IOException {
        if (received.readableBytes() < DubboHeader.LENGTH) {
            return null;
        }
        int at = received.readerIndex();
        int length = DubboHeader.bodyLength(received, at);
        if (DubboHeader.magic(received, at) != DubboHeader.MAGIC || length < 0 || length > MAX_BODY) {
            throw new IOException("the answer is not a Dubbo frame");
        }
        int whole = DubboHeader.LENGTH + length;
        if (received.readableBytes() < whole) {
            return null;
        }
        ByteBuf frame = Unpooled.copiedBuffer(received.readSlice(whole));
        received.discardSomeReadBytes();
        return frame;
    }

    /** Waits for bytes; false if none have come by then. */
    private boolean readMore(long untilNs) throws IOException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(untilNs - System.nanoTime());
        if (leftMs <= 0) {
            return false;
        }
        byte[] bytes = new byte[READ_BYTES];
        socket.setSoTimeout((int) Math.min(leftMs, Integer.MAX_VALUE));
        try {
            received.writeBytes(bytes, 0, read(bytes));
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** Sends a command, and returns the answer including the prompt at its end. */
    String telnet(String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        byte[] bytes = new byte[READ_BYTES];
        while (answer.size() < MAX_TEXT) {
            socket.setSoTimeout(timeLeftMs());
            answer.write(bytes, 0, read(bytes));
            String text = answer.toString(UTF_8);
            if (text.endsWith(TelnetListing.PROMPT)) {
                return text;
            }
        }
        throw new IOException("an answer of more than " + MAX_TEXT + " bytes");
    }

    private int read(byte[] bytes) throws IOException {
        int count = in.read(bytes);
        if (count < 0) {
            throw new EOFException("closed by the provider");
        }
        return count;
    }

    private int timeLeftMs() throws SocketTimeoutException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
            throw noAnswer();
        }
        return (int) Math.min(leftMs, Integer.MAX_VALUE);
    }

    private static SocketTimeoutException noAnswer() {
        return new SocketTimeoutException("no answer in time");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
