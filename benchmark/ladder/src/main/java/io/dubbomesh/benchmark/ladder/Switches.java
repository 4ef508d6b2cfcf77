package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.transport.socket.Transport;

import java.util.List;

/**
 * The steps of the ladder, each {@code -Dladder.KEY=VALUE}, lowest first; without a word the highest holds. Both agents take all of
 * them, also those that concern only the other one.
 *
 * @param dubboConnections of each inbound event loop
 * @param workers          threads that wait for futures
 * @param threads          event loops for what is accepted, and as many for what is opened if they are not shared
 */
record Switches(
        Balance balance,
        Wait waiting,
        Link link,
        Loops loops,
        int dubboConnections,
        Transport transport,
        boolean quickAck,
        boolean noDelay,
        Http http,
        Flush flush,
        Decode decode,
        int workers,
        int threads) {
    enum Balance {
        RANDOM,
        WEIGHTED
    }

    enum Wait {
        FUTURE,
        CALLBACK
    }

    enum Link {
        HTTP,
        PROTOBUF,
        MESH
    }

    enum Loops {
        OWN,
        SHARED
    }

    enum Http {
        NETTY,
        OWN
    }

    enum Flush {
        WRITE,
        TURN
    }

    enum Decode {
        FRAME,
        BATCH
    }

    private enum Sockets {
        NIO,
        EPOLL
    }

    private static final String PREFIX = "ladder.";
    private static final List<String> KEYS = List.of(
            "balance",
            "wait",
            "link",
            "loops",
            "dubbo.connections",
            "transport",
            "quickack",
            "nodelay",
            "http",
            "flush",
            "decode",
            "workers",
            "threads");

    static Switches from(Settings settings) {
        settings.requireKnown(PREFIX, KEYS);
        Sockets sockets = settings.oneOf(PREFIX + "transport", Sockets.class);
        boolean quickAck = settings.flag(PREFIX + "quickack", sockets == Sockets.EPOLL);
        if (quickAck && sockets == Sockets.NIO) {
            throw Settings.wrong(PREFIX + "quickack", "true", "false with " + PREFIX + "transport=nio");
        }
        return new Switches(
                settings.oneOf(PREFIX + "balance", Balance.class),
                settings.oneOf(PREFIX + "wait", Wait.class),
                settings.oneOf(PREFIX + "link", Link.class),
                settings.oneOf(PREFIX + "loops", Loops.class),
                settings.number(PREFIX + "dubbo.connections", 1, 1, 64),
                transport(sockets),
                quickAck,
                settings.flag(PREFIX + "nodelay", true),
                settings.oneOf(PREFIX + "http", Http.class),
                settings.oneOf(PREFIX + "flush", Flush.class),
                settings.oneOf(PREFIX + "decode", Decode.class),
                settings.number(PREFIX + "workers", 256, 1, 4096),
                settings.number(PREFIX + "threads", 1, 1, 64));
    }

    private static Transport transport(Sockets sockets) {
        try {
            return Transport.of(sockets.name());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(PREFIX + "transport: " + e.getMessage(), e);
        }
    }
}
