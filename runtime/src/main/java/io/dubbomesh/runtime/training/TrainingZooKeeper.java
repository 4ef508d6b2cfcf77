package io.dubbomesh.runtime.training;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Stands in for a ZooKeeper in which one Dubbo provider is registered: answers the names of its nodes, and for anything
 * else that there is no such node. So the client of ZooKeeper is among what a consumer agent has trained.
 *
 * <pre>
 * session  = length32 and a ConnectRequest; length32 and a ConnectResponse
 * request  = length32 xid32 type32 and a body, for names: length32 path, watch8
 * response = length32 xid32 zxid64 error32 and a body, for names: count32, each length32 and the name; a Stat
 * </pre>
 */
final class TrainingZooKeeper extends TrainingServer {
    private static final int SESSION_MS = 30_000;
    private static final int PASSWORD_LENGTH = 16;
    private static final int STAT_LENGTH = 68;

    private static final int PING = 11;
    private static final int GET_NAMES = 12;
    private static final int CLOSE = -11;

    private static final int OK = 0;
    private static final int NO_NODE = -101;

    private static final String SERVICE = "com.example.Registered";

    /** The name below each node that has one. */
    private static final Map<String, String> NAMES = Map.of(
            "/dubbo",
            SERVICE,
            "/dubbo/" + SERVICE + "/providers",
            URLEncoder.encode(
                    "dubbo://192.0.2.7:20880/" + SERVICE + "?application=training&dubbo=2.0.2&interface=" + SERVICE
                            + "&methods=hash&side=provider&timestamp=1795000000000&version=1.0&weight=100",
                    UTF_8));

    private TrainingZooKeeper() throws IOException {}

    static TrainingZooKeeper start() throws IOException {
        TrainingZooKeeper zooKeeper = new TrainingZooKeeper();
        zooKeeper.listen();
        return zooKeeper;
    }

    @Override
    void serve(DataInputStream in, DataOutputStream out) throws IOException {
        in.readFully(new byte[in.readInt()]);
        openSession(out);
        while (true) {
            int length = in.readInt();
            int xid = in.readInt();
            int type = in.readInt();
            byte[] body = new byte[length - 2 * Integer.BYTES];
            in.readFully(body);
            answer(out, xid, type, new String(body, UTF_8));
        }
    }

    private static void openSession(DataOutputStream out) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream response = new DataOutputStream(bytes);
        response.writeInt(0);
        response.writeInt(SESSION_MS);
        response.writeLong(1);
        response.writeInt(PASSWORD_LENGTH);
        response.write(new byte[PASSWORD_LENGTH]);
        response.writeBoolean(false);
        write(out, bytes);
    }

    private static void answer(DataOutputStream out, int xid, int type, String body) throws IOException {
        String name = null;
        if (type == GET_NAMES) {
            name = NAMES.get(body.substring(Integer.BYTES, body.length() - 1));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream response = new DataOutputStream(bytes);
        response.writeInt(xid);
        response.writeLong(1);
        response.writeInt(name != null || type == PING || type == CLOSE ? OK : NO_NODE);
        if (name != null) {
            response.writeInt(1);
            response.writeInt(name.length());
            response.writeBytes(name);
            response.write(new byte[STAT_LENGTH]);
        }
        write(out, bytes);
    }

    private static void write(DataOutputStream out, ByteArrayOutputStream content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream packet = new DataOutputStream(bytes);
        packet.writeInt(content.size());
        content.writeTo(packet);
        out.write(bytes.toByteArray());
    }
}
