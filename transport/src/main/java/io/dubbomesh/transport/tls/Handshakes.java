package io.dubbomesh.transport.tls;

import io.netty.channel.Channel;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The handshakes under way, oldest first. Anybody can begin one, so they are limited, and the oldest makes room for a new one: whoever begins many
 * and stays silent keeps nobody out. Each is left some time first, so that peers which all connect at once do not push each other out.
 */
final class Handshakes {
    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int max;
    private final Map<Channel, Long> begunNs = new LinkedHashMap<>();

    Handshakes(int max) {
        this.max = max;
    }

    /**
     * Adds a connection if there is room for it or can be made.
     *
     * @return the one that is to be closed: the oldest, which is not among these any more, {@code channel} itself, which is not added then, or null
     *     for none
     */
    synchronized Channel begin(Channel channel, long nowNs) {
        Channel replaced = null;
        if (begunNs.size() >= max) {
            Iterator<Map.Entry<Channel, Long>> all = begunNs.entrySet().iterator();
            Map.Entry<Channel, Long> oldest = all.next();
            if (nowNs - oldest.getValue() < LEAST_NS) {
                return channel;
            }
            replaced = oldest.getKey();
            all.remove();
        }
        begunNs.put(channel, nowNs);
        return replaced;
    }

    /** It is done, or has failed. */
    synchronized void end(Channel channel) {
        begunNs.remove(channel);
    }

    synchronized int count() {
        return begunNs.size();
    }
}
