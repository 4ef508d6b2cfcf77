package io.dubbomesh.runtime.process;

import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program with an agent that behaves as its argument says; run by {@link AgentProcessTest} as a process of its own.
 */
final class AgentProgram {
    private AgentProgram() {}

    public static void main(String[] arguments) {
        AgentProcess.run(
                "test-reference.conf",
                settings -> settings.integer("server.port", 1, 65535),
                port -> "test-agent",
                port -> start(port, arguments[0]));
    }

    private static Agent start(int port, String behaviour) throws Exception {
        say("starting");
        switch (behaviour) {
            case "port" -> {
                try {
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                } catch (java.io.IOException e) {
                    throw StartException.cannotListen("server", "127.0.0.1", port, e);
                }
            }
            case "bug" -> throw new IllegalStateException("a bug\nin two lines");
            case "slow start" -> System.in.read();
            default -> {}
        }
        say("started");
        switch (behaviour) {
            case "out of memory" -> throwOutOfMemory();
            case "out of threads" -> throw new OutOfMemoryError("unable to create native thread: for the test");
            case "logs out of memory" ->
                LoggerFactory.getLogger("io.netty.test")
                        .debug("caught", new IllegalStateException(new OutOfMemoryError("for the test")));
            default -> {}
        }
        return graceNs -> {
            say("stopping within " + TimeUnit.NANOSECONDS.toSeconds(graceNs + 500_000_000) + " s on "
                    + Thread.currentThread().getName());
            switch (behaviour) {
                case "never stops" -> new CountDownLatch(1).await();
                case "fails to stop" -> throw new IllegalStateException("cannot stop");
                default -> say("in order");
            }
        };
    }

    private static void throwOutOfMemory() {
        new Thread(() -> {
                    throw new OutOfMemoryError("for the test");
                })
                .start();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
