package io.dubbomesh.provider.discovery;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.TelnetListing;
import io.dubbomesh.protocol.dubbo.CallArguments;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.dubbo.Serialization;
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
 * A blocking connection to the provider for a few requests, one after the other, as frames or as telnet commands. Not for event loops. No method
 * takes longer than the deadline of the connection.
 */
final class DiscoveryConnection implements Closeable {
    private static final int MAX_BODY = 8 * 1024 * 1024;
    private static final int MAX_TEXT = 1024 * 1024;

    private final Socket socket = new Socket();
    private final Serialization serialization;
    private final long deadlineNs;
    private final InputStream in;
    private long lastId;

    /** @param serialization of the requests: that of calls, since the provider may refuse others */
    DiscoveryConnection(String host, int port, Serialization serialization, long deadlineNs) throws IOException {
        this.serialization = serialization;
        this.deadlineNs = deadlineNs;
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), timeLeftMs());
            in = socket.getInputStream();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Calls a method whose parameters are strings, and returns the frame of the answer, whatever it is. */
    ByteBuf call(MethodName method, String... arguments) throws IOException {
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
            DubboRequest.prepare(method, serialization, null).encode(request, id, false, call);
        } catch (CallException e) {
            throw new IllegalArgumentException(method.toString(), e);
        }
        socket.getOutputStream().write(ByteBufUtil.getBytes(request));
        while (true) {
            ByteBuf frame = readFrame();
            boolean event = DubboHeader.isEvent(frame, 0) || DubboHeader.isRequest(frame, 0);
            if (!event && DubboHeader.requestId(frame, 0) == id) {
                return frame;
            }
        }
    }

    private ByteBuf readFrame() throws IOException {
        byte[] header = new byte[DubboHeader.LENGTH];
        readFully(header);
        ByteBuf head = Unpooled.wrappedBuffer(header);
        int length = DubboHeader.bodyLength(head, 0);
        if (DubboHeader.magic(head, 0) != DubboHeader.MAGIC || length < 0 || length > MAX_BODY) {
            throw new IOException("the answer is not a Dubbo frame");
        }
        byte[] body = new byte[length];
        readFully(body);
        return Unpooled.wrappedBuffer(header, body);
    }

    private void readFully(byte[] bytes) throws IOException {
        int at = 0;
        while (at < bytes.length) {
            at += read(bytes, at);
        }
    }

    /** Sends a command, and returns the answer including the prompt at its end. */
    String telnet(String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        byte[] bytes = new byte[8 * 1024];
        while (answer.size() < MAX_TEXT) {
            answer.write(bytes, 0, read(bytes, 0));
            String text = answer.toString(UTF_8);
            if (text.endsWith(TelnetListing.PROMPT)) {
                return text;
            }
        }
        throw new IOException("an answer of more than " + MAX_TEXT + " bytes");
    }

    private int read(byte[] bytes, int at) throws IOException {
        socket.setSoTimeout(timeLeftMs());
        int count = in.read(bytes, at, bytes.length - at);
        if (count < 0) {
            throw new EOFException("closed by the provider");
        }
        return count;
    }

    private int timeLeftMs() throws SocketTimeoutException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        return (int) Math.min(leftMs, Integer.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
