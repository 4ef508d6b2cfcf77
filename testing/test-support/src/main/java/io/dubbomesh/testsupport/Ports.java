package io.dubbomesh.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Free ports of the loopback address for processes that cannot choose one themselves, each handed out once. They lie
 * below the range that the kernel uses for outgoing connections: tests open thousands of these, and one could take a
 * port between its choice and its use.
 *
 * <p>JVMs that run tests at the same time do not hand out the same port: each takes blocks of ports for itself, by a
 * lock on a file for each block, which ends with the JVM.
 */
public final class Ports {
    private static final int FIRST = 10_240;
    private static final int BLOCK = 128;
    private static final int BLOCKS = 176;

    private static final Path LOCKS = Path.of(
            System.getProperty("java.io.tmpdir", "/tmp"),
            "dubbomesh-ports-" + ProcessHandle.current().info().user().orElse("unknown"));
    /** Keeps the locks from being collected. */
    private static final List<FileChannel> LOCKED = new ArrayList<>();

    private static int nextBlock = (int) (ProcessHandle.current().pid() % BLOCKS);
    private static int next;
    private static int end;

    private Ports() {}

    public static synchronized int free() {
        while (true) {
            if (next == end) {
                takeBlock();
            }
            int port = next++;
            if (isFree(port)) {
                return port;
            }
        }
    }

    private static void takeBlock() {
        try {
            Files.createDirectories(LOCKS);
            for (int i = 0; i < BLOCKS; i++) {
                int block = nextBlock;
                nextBlock = (nextBlock + 1) % BLOCKS;
                if (isLocked(block)) {
                    next = FIRST + block * BLOCK;
                    end = next + BLOCK;
                    return;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no ports are left (expected: one of " + BLOCKS + " locks in " + LOCKS + ")");
    }

    /** Returns whether the block has become one of this JVM. */
    private static boolean isLocked(int block) throws IOException {
        FileChannel channel = FileChannel.open(
                LOCKS.resolve(Integer.toString(block)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                LOCKED.add(channel);
                return true;
            }
        } catch (OverlappingFileLockException e) {
            // Taken by this JVM already.
        }
        channel.close();
        return false;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
