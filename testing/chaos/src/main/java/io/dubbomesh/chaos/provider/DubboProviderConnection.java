package io.dubbomesh.chaos.provider;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A connection by Dubbo 2: one thread reads frames, another writes what is queued. */
final class DubboProviderConnection implements ProviderConnection {
    private static final int MAGIC = 0xdabb;
    private static final int REQUEST = 0x80;
    private static final int EVENT = 0x20;
    private static final int HESSIAN = 2;
    private static final int OK = 20;
    private static final int POOL_EXHAUSTED = 100;
    private static final int MAX_BODY = 8 * 1024 * 1024;

    private static final int VALUE = 0x91;
    private static final byte[] NULL = {'N'};
    private static final byte[] NULL_RESULT = {(byte) 0x92};
    private static final byte[] READONLY = {1, 'R'};
    private static final byte[] END = {};

    private final AdjustableProvider provider;
    private final Socket socket;
    private final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();

    DubboProviderConnection(AdjustableProvider provider, Socket socket) {
        this.provider = provider;
        this.socket = socket;
    }

    void start() {
        new Thread(this::read, "reader").start();
        new Thread(this::write, "writer").start();
    }

    private void read() {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            while (true) {
                int magic = in.readUnsignedShort();
                int flags = in.readUnsignedByte();
                in.readByte();
                long id = in.readLong();
                int length = in.readInt();
                if (magic != MAGIC || length < 0 || length > MAX_BODY) {
                    return;
                }
                byte[] body = in.readNBytes(length);
                if ((flags & REQUEST) == 0) {
                    continue;
                }
                if ((flags & EVENT) != 0) {
                    put(HESSIAN | EVENT, OK, id, NULL);
                } else {
                    call(ProviderCall.read(id, ByteBuffer.wrap(body)));
                }
            }
        } catch (IOException e) {
            // The agent has gone.
        } finally {
            provider.closed(this);
            frames.add(END);
        }
    }

    /** An agent asks by {@code $echo} whether a service is exported: all are, and nothing is executed for it. */
    private void call(ProviderCall call) throws IOException {
        if (call.method().equals("$echo")) {
            put(HESSIAN, OK, call.requestId(), NULL_RESULT);
        } else {
            provider.call(this, call);
        }
    }

    private void write() {
        try (socket;
                OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
            for (byte[] frame = frames.take(); frame != END; frame = frames.take()) {
                out.write(frame);
                if (frames.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The agent has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void endCalls() {
        put(REQUEST | EVENT | HESSIAN, 0, 0, READONLY);
    }

    @Override
    public void refuse(ProviderCall call) {
        put(HESSIAN, POOL_EXHAUSTED, call.requestId(), shortText("Thread pool is EXHAUSTED!"));
    }

    @Override
    public void answer(ProviderCall call) {
        switch (call.method()) {
            case "hash" ->
                put(HESSIAN, OK, call.requestId(), number(call.argument().hashCode()));
            case "text" -> put(HESSIAN, OK, call.requestId(), text(Integer.parseInt(call.argument())));
            case "status" -> {
                int status = Integer.parseInt(call.argument());
                put(HESSIAN, status, call.requestId(), status == OK ? number(OK) : shortText("status " + status));
            }
            default -> put(HESSIAN, 60, call.requestId(), shortText("no such method"));
        }
    }

    private void put(int flags, int status, long id, byte[] body) {
        byte[] frame = new byte[16 + body.length];
        ByteBuffer.wrap(frame)
                .putShort((short) MAGIC)
                .put((byte) flags)
                .put((byte) status)
                .putLong(id)
                .putInt(body.length)
                .put(body);
        frames.add(frame);
    }

    private static byte[] shortText(String text) {
        return ((char) text.length() + text).getBytes(US_ASCII);
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(6)
                .put((byte) VALUE)
                .put((byte) 'I')
                .putInt(value)
                .array();
    }

    private static byte[] text(int length) {
        byte[] text = LongText.hessian(length);
        return ByteBuffer.allocate(1 + text.length).put((byte) VALUE).put(text).array();
    }
}
