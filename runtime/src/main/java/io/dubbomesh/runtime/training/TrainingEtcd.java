package io.dubbomesh.runtime.training;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Stands in for an etcd that has no keys: answers each request of HTTP/2 in the form of gRPC, as if what it asks for
 * had been done, and keeps nothing. So the client of etcd is among what the agents have trained.
 *
 * <pre>
 * frame = length24 type8 flags8 stream32, and length bytes of content
 * </pre>
 */
final class TrainingEtcd extends TrainingServer {
    private static final int PREFACE_LENGTH = 24;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;

    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;

    /** HEADER_TABLE_SIZE is 0: paths are never shortened to a place in a table. */
    private static final byte[] NO_TABLE = {0, 1, 0, 0, 0, 0};

    /** {@code :status: 200} and {@code content-type: application/grpc}. */
    private static final byte[] HEAD = ("\u0088\u000f\u0010\u0010" + "application/grpc").getBytes(ISO_8859_1);
    /** {@code grpc-status: 0}. */
    private static final byte[] TRAILERS = ("\0\13grpc-status\1" + "0").getBytes(ISO_8859_1);

    /** The first field of every answer: a header with a revision. */
    private static final String REVISION = "\n\2\30\1";

    private static final String LEASE = "/etcdserverpb.Lease/";
    private static final String WATCH = "/etcdserverpb.Watch/Watch";

    /** What answers to these paths hold behind the revision: that a write succeeded; a lease and its seconds. */
    private static final Map<String, String> ANSWERS = Map.of(
            "/etcdserverpb.KV/Range",
            "",
            "/etcdserverpb.KV/Txn",
            "\20\1",
            LEASE + "LeaseGrant",
            "\20\1\30\12",
            LEASE + "LeaseKeepAlive",
            "\20\1\30\12",
            LEASE + "LeaseTimeToLive",
            "\20\1\30\12",
            LEASE + "LeaseRevoke",
            "",
            WATCH,
            "");

    private TrainingEtcd() throws IOException {}

    static TrainingEtcd start() throws IOException {
        TrainingEtcd etcd = new TrainingEtcd();
        etcd.listen();
        return etcd;
    }

    @Override
    void serve(DataInputStream in, DataOutputStream out) throws IOException {
        in.readFully(new byte[PREFACE_LENGTH]);
        write(out, SETTINGS, 0, 0, NO_TABLE);
        Map<Integer, String> paths = new HashMap<>();
        while (true) {
            byte[] content = new byte[in.readUnsignedShort() << 8 | in.readUnsignedByte()];
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            in.readFully(content);
            switch (type) {
                case SETTINGS, PING -> {
                    if ((flags & ACK) == 0) {
                        write(out, type, ACK, 0, type == PING ? content : new byte[0]);
                    }
                }
                case HEADERS -> paths.put(stream, path(new String(content, ISO_8859_1)));
                case DATA -> {
                    if (content.length > 0) {
                        answer(out, stream, paths);
                    }
                }
                default -> {}
            }
        }
    }

    private static String path(String headers) {
        List<String> paths = ANSWERS.keySet().stream().filter(headers::contains).toList();
        return paths.isEmpty() ? "" : paths.get(0);
    }

    /**
     * Answers a message. A watch goes on: its first answer says that it has begun, the others report no change.
     */
    private static void answer(DataOutputStream out, int stream, Map<Integer, String> paths) throws IOException {
        String path = paths.get(stream);
        if (path == null) {
            write(out, DATA, 0, stream, message(REVISION));
            return;
        }
        write(out, HEADERS, END_HEADERS, stream, HEAD);
        if (path.equals(WATCH)) {
            paths.remove(stream);
            write(out, DATA, 0, stream, message(REVISION + "\30\1"));
            return;
        }
        write(out, DATA, 0, stream, message(REVISION + ANSWERS.getOrDefault(path, "")));
        write(out, HEADERS, END_HEADERS | END_STREAM, stream, TRAILERS);
    }

    /** Returns a message of gRPC: not compressed, its length, its bytes. */
    private static byte[] message(String content) {
        return ByteBuffer.allocate(Byte.BYTES + Integer.BYTES + content.length())
                .put((byte) 0)
                .putInt(content.length())
                .put(content.getBytes(ISO_8859_1))
                .array();
    }

    private static void write(DataOutputStream out, int type, int flags, int stream, byte[] content)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream frame = new DataOutputStream(bytes);
        frame.writeByte(content.length >> 16);
        frame.writeShort(content.length);
        frame.writeByte(type);
        frame.writeByte(flags);
        frame.writeInt(stream);
        frame.write(content);
        out.write(bytes.toByteArray());
    }
}
