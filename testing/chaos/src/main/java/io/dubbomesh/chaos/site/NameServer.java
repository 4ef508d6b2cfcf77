package io.dubbomesh.chaos.site;

import io.dubbomesh.benchmark.process.Programs;

import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The name server of all processes at home that are started after it: every name has the address 127.0.0.1. It can be
 * silent.
 */
public final class NameServer implements Closeable {
    private static final int PORT = 53;
    private static final int MAX_MESSAGE = 512;
    private static final int HEADER = 12;
    private static final int FLAGS = 2;
    private static final int ANSWERS = 6;
    private static final int ADDITIONAL = 10;
    private static final short RESPONSE = (short) 0x8580;
    private static final short NAME_OF_THE_QUESTION = (short) 0xc00c;
    private static final short TYPE_A = 1;
    private static final short CLASS_IN = 1;

    private final DatagramSocket socket;
    private volatile boolean silent;

    private NameServer(DatagramSocket socket) {
        this.socket = socket;
    }

    /** @param directory for its file, which is mounted in the place of /etc/resolv.conf */
    public static NameServer start(Path directory) throws IOException, InterruptedException {
        NameServer server = new NameServer(new DatagramSocket(PORT, InetAddress.getLoopbackAddress()));
        Path file = Files.writeString(directory.resolve("resolv.conf"), "nameserver 127.0.0.1\n");
        Programs.outputOf("mount", "--bind", file.toString(), "/etc/resolv.conf");
        Thread thread = new Thread(server::run, "name-server");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    public void silence(boolean now) {
        silent = now;
    }

    private void run() {
        byte[] buffer = new byte[MAX_MESSAGE];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                if (!silent) {
                    byte[] answer = answer(Arrays.copyOf(buffer, packet.getLength()));
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    /** With an address where one of IPv4 is asked for, otherwise without. */
    private static byte[] answer(byte[] question) {
        int end = HEADER;
        while (question[end] != 0) {
            end += 1 + question[end];
        }
        end += 1 + 2 * Short.BYTES;
        ByteBuffer answer = ByteBuffer.allocate(MAX_MESSAGE).put(question, 0, end);
        boolean hasAddress = answer.getShort(end - 2 * Short.BYTES) == TYPE_A;
        answer.putShort(FLAGS, RESPONSE)
                .putShort(ANSWERS, (short) (hasAddress ? 1 : 0))
                .putShort(ADDITIONAL, (short) 0);
        if (hasAddress) {
            answer.putShort(NAME_OF_THE_QUESTION).putShort(TYPE_A).putShort(CLASS_IN);
            answer.putInt(1)
                    .putShort((short) 4)
                    .put(InetAddress.getLoopbackAddress().getAddress());
        }
        return Arrays.copyOf(answer.array(), answer.position());
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            Programs.outputOf("umount", "/etc/resolv.conf");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
