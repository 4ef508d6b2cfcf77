package io.dubbomesh.registry.dns;

import io.netty.util.NetUtil;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A name server with a zone that tests change; by UDP, and by TCP for what is truncated there. */
final class NameServer implements Closeable {
    static final int A = 1;
    static final int CNAME = 5;
    static final int AAAA = 28;
    static final int SRV = 33;
    static final int SERVFAIL = 2;
    static final int NXDOMAIN = 3;

    private static final int TRUNCATED = 0x0200;
    private static final int RESPONSE = 0x8180;
    private static final int MAX_UDP = 512;

    private final ServerSocket tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final DatagramSocket udp =
            new DatagramSocket(new InetSocketAddress(tcp.getInetAddress(), tcp.getLocalPort()));
    private final Map<String, Answer> zone = new ConcurrentHashMap<>();
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    record Resource(String name, int type, int ttlSeconds, byte[] data) {}

    /** @param code of the response */
    record Answer(int code, List<Resource> answers, List<Resource> additional) {}

    NameServer() throws IOException {
        start("name-server-udp", this::serveDatagrams);
        start("name-server-tcp", this::serveConnections);
    }

    String address() {
        return "127.0.0.1:" + tcp.getLocalPort();
    }

    static Resource address(String name, int ttlSeconds, String ip) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(ip);
        return new Resource(name, bytes.length == 4 ? A : AAAA, ttlSeconds, bytes);
    }

    static Resource alias(String name, int ttlSeconds, String target) {
        return new Resource(name, CNAME, ttlSeconds, encoded(target));
    }

    static Resource service(String name, int ttlSeconds, int priority, int weight, int port, String target) {
        byte[] encoded = encoded(target);
        byte[] data = ByteBuffer.allocate(6 + encoded.length)
                .putShort((short) priority)
                .putShort((short) weight)
                .putShort((short) port)
                .put(encoded)
                .array();
        return new Resource(name, SRV, ttlSeconds, data);
    }

    /** Everything else that has this name has no records of the type; what has no name at all does not exist. */
    void answer(String name, int type, Resource... answers) {
        answer(name, type, new Answer(0, List.of(answers), List.of()));
    }

    void answer(String name, int type, Answer answer) {
        zone.put(name + ' ' + type, answer);
    }

    /** Every question about the name fails so. */
    void fail(String name, int code) {
        zone.keySet().removeIf(key -> key.startsWith(name + ' '));
        zone.put(name + " 0", new Answer(code, List.of(), List.of()));
    }

    void forget(String name) {
        zone.keySet().removeIf(key -> key.startsWith(name + ' '));
    }

    void silence(boolean now) {
        silent = now;
    }

    /** Each as {@code udp name type}. */
    List<String> questions() {
        return questions;
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // Closed.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void serveDatagrams() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        while (true) {
            packet.setLength(4096);
            udp.receive(packet);
            byte[] response = response("udp", ByteBuffer.wrap(packet.getData(), 0, packet.getLength()), MAX_UDP);
            if (!silent) {
                udp.send(new DatagramPacket(response, response.length, packet.getSocketAddress()));
            }
        }
    }

    private void serveConnections() throws IOException {
        while (true) {
            try (Socket socket = tcp.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] question = new byte[in.readUnsignedShort()];
                in.readFully(question);
                byte[] response = response("tcp", ByteBuffer.wrap(question), 65_535);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeShort(response.length);
                out.write(response);
                out.flush();
                in.read();
            }
        }
    }

    private byte[] response(String transport, ByteBuffer question, int maxLength) throws IOException {
        int id = question.getShort(0);
        question.position(12);
        StringBuilder name = new StringBuilder();
        for (int length = question.get(); length > 0; length = question.get()) {
            byte[] label = new byte[length];
            question.get(label);
            name.append(name.length() == 0 ? "" : ".").append(new String(label, US_ASCII));
        }
        int type = question.getShort();
        questions.add(transport + ' ' + name + ' ' + type);
        Answer answer = answer(name.toString(), type);
        byte[] whole = message(id, name.toString(), type, answer, 0);
        return whole.length <= maxLength
                ? whole
                : message(id, name.toString(), type, new Answer(0, List.of(), List.of()), TRUNCATED);
    }

    private Answer answer(String name, int type) {
        Answer answer = zone.getOrDefault(name + " 0", zone.get(name + ' ' + type));
        if (answer == null) {
            boolean exists = zone.keySet().stream().anyMatch(key -> key.startsWith(name + ' '));
            answer = new Answer(exists ? 0 : NXDOMAIN, List.of(), List.of());
        }
        return answer;
    }

    private static byte[] message(int id, String name, int type, Answer answer, int flags) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(id);
        out.writeShort(RESPONSE | flags | answer.code());
        out.writeShort(1);
        out.writeShort(answer.answers().size());
        out.writeShort(0);
        out.writeShort(answer.additional().size());
        out.write(encoded(name));
        out.writeShort(type);
        out.writeShort(1);
        for (List<Resource> section : List.of(answer.answers(), answer.additional())) {
            for (Resource resource : section) {
                out.write(encoded(resource.name()));
                out.writeShort(resource.type());
                out.writeShort(1);
                out.writeInt(resource.ttlSeconds());
                out.writeShort(resource.data().length);
                out.write(resource.data());
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] encoded(String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String label : name.split("\\.")) {
            bytes.write(label.length());
            bytes.writeBytes(label.getBytes(US_ASCII));
        }
        bytes.write(0);
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        udp.close();
        try {
            tcp.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
