package io.dubbomesh.consumer.caller;

import io.dubbomesh.consumer.text.Words;
import io.netty.buffer.ByteBuf;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** An application that calls, and what is counted of it. Owned by one event loop. */
public final class CallingApp {
    /** The kind of a name. */
    public enum By {
        /** The name of a caller that was authenticated. */
        CALLER,
        /** The beginning of its User-Agent. */
        USER_AGENT,
        ADDRESS,
        /** None: those that have no place of their own count together. */
        OTHER
    }

    private final By by;
    private final String name;
    /** The user agent; empty if there is none. */
    private final byte[] bytes;

    private final int hash;

    private long requests;
    private long lastNs;
    private SocketAddress address;

    /**
     * One, or the same one of several event loops.
     *
     * @param address of the client that called last; null if it is not known
     */
    public record Count(By by, String name, long requests, String address, long lastNs) {}

    CallingApp(By by, String name, long nowNs) {
        this(by, name, new byte[0], 0, nowNs);
    }

    private CallingApp(By by, String name, byte[] bytes, int hash, long nowNs) {
        this.by = by;
        this.name = name;
        this.bytes = bytes;
        this.hash = hash;
        lastNs = nowNs;
    }

    static CallingApp ofAgent(byte[] bytes, int hash, long nowNs) {
        return new CallingApp(By.USER_AGENT, new String(bytes, ISO_8859_1), bytes, hash, nowNs);
    }

    boolean isAgent(ByteBuf in, int at, int length, int agentHash) {
        return hash == agentHash && bytes.length == length && Words.equal(in, at, bytes, 0, length);
    }

    void requested(SocketAddress from, long nowNs) {
        requests++;
        address = from;
        lastNs = nowNs;
    }

    /** Counts what another one has counted, which has no place any more. */
    void take(CallingApp other) {
        requests += other.requests;
        if (address == null || other.lastNs - lastNs > 0) {
            address = other.address;
            lastNs = other.lastNs;
        }
    }

    int hash() {
        return hash;
    }

    long requests() {
        return requests;
    }

    long lastNs() {
        return lastNs;
    }

    Count count() {
        InetAddress host = hostOf(address);
        return new Count(by, name, requests, host == null ? null : host.getHostAddress(), lastNs);
    }

    /** Returns null if it is not known. */
    static InetAddress hostOf(SocketAddress address) {
        return address instanceof InetSocketAddress ip ? ip.getAddress() : null;
    }
}
