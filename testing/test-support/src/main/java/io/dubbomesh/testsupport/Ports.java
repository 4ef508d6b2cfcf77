package io.dubbomesh.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback address for processes that cannot choose one themselves, each handed out once. They lie
 * below the range that the kernel uses for outgoing connections: tests open thousands of these, and one could take a
 * port between its choice and its use.
 */
public final class Ports {
    private static final int FIRST = 10_240;
    private static final int LAST = 32_767;

    private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

    private Ports() {}

    public static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            if (isFree(port) && HANDED_OUT.add(port)) {
                return port;
            }
        }
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
