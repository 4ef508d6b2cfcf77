package io.dubbomesh.consumer.caller;

import io.dubbomesh.consumer.caller.CallingApp.By;
import io.netty.buffer.ByteBuf;

import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The applications whose requests one event loop has served, by who they are: the authenticated caller, else the
 * User-Agent, else the address. A request of a known one allocates nothing. When all places are taken, one that has not
 * called for ten seconds makes room for a new one; while there is none, new ones count together. Owned by the loop.
 */
public final class CallingApps {
    static final int PLACES = 64;
    static final long SILENT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_NAME = 80;
    /** The length of the table of user agents, which is at most half full. */
    private static final int SLOTS = 2 * PLACES;

    private static final int SPREAD = 0x9E3779B9;
    private static final int FIRST_BIT = Integer.SIZE - Integer.numberOfTrailingZeros(SLOTS);

    private final CallingApp[] agents = new CallingApp[SLOTS];
    private final Map<String, CallingApp> callers = new HashMap<>();
    private final Map<InetAddress, CallingApp> addresses = new HashMap<>();
    private final CallingApp other;
    /** The time of the last request, by {@link System#nanoTime}. */
    private long nowNs;

    public CallingApps(long startNs) {
        nowNs = startNs;
        other = new CallingApp(By.OTHER, "", nowNs);
    }

    /**
     * Called when a request has come.
     *
     * @param caller the authenticated one, or null
     * @param agent  of its User-Agent, as {@link #ofAgent} returned; null if it had none
     * @param from   the client's address
     */
    public void requested(String caller, CallingApp agent, SocketAddress from, long requestedNs) {
        nowNs = requestedNs;
        CallingApp app;
        if (caller != null) {
            app = callers.get(caller);
            app = app != null ? app : addCaller(caller);
        } else {
            app = agent != null ? agent : ofAddress(from);
        }
        app.requested(from, nowNs);
    }

    /** Returns the application with the User-Agent {@code in[at, end)}, of which the beginning counts. */
    public CallingApp ofAgent(ByteBuf in, int at, int end) {
        int length = Math.min(end - at, MAX_NAME);
        int hash = hash(in, at, length);
        for (int slot = slot(hash); agents[slot] != null; slot = slot + 1 & SLOTS - 1) {
            if (agents[slot].isAgent(in, at, length, hash)) {
                return agents[slot];
            }
        }
        if (!makeRoom()) {
            return other;
        }
        byte[] bytes = new byte[length];
        in.getBytes(at, bytes);
        CallingApp added = CallingApp.ofAgent(bytes, hash, nowNs);
        put(added);
        return added;
    }

    private static int hash(ByteBuf in, int at, int length) {
        int hash = length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = 31 * hash + Long.hashCode(in.getLong(at + i));
        }
        for (; i < length; i++) {
            hash = 31 * hash + in.getByte(at + i);
        }
        return hash;
    }

    private static int slot(int hash) {
        return hash * SPREAD >>> FIRST_BIT;
    }

    private void put(CallingApp agent) {
        int slot = slot(agent.hash());
        while (agents[slot] != null) {
            slot = slot + 1 & SLOTS - 1;
        }
        agents[slot] = agent;
    }

    private CallingApp addCaller(String caller) {
        if (!makeRoom()) {
            return other;
        }
        CallingApp added = new CallingApp(By.CALLER, caller, nowNs);
        callers.put(caller, added);
        return added;
    }

    private CallingApp ofAddress(SocketAddress from) {
        InetAddress host = CallingApp.hostOf(from);
        CallingApp app = host == null ? other : addresses.get(host);
        if (app == null) {
            if (!makeRoom()) {
                return other;
            }
            app = new CallingApp(By.ADDRESS, host.getHostAddress(), nowNs);
            addresses.put(host, app);
        }
        return app;
    }

    private boolean makeRoom() {
        List<CallingApp> all = all();
        if (all.size() < PLACES) {
            return true;
        }
        CallingApp oldest = all.get(0);
        for (CallingApp each : all) {
            oldest = each.lastNs() - oldest.lastNs() < 0 ? each : oldest;
        }
        if (nowNs - oldest.lastNs() < SILENT_NS) {
            return false;
        }
        evict(oldest);
        return true;
    }

    private void evict(CallingApp app) {
        other.take(app);
        callers.values().remove(app);
        addresses.values().remove(app);
        List<CallingApp> left =
                Stream.of(agents).filter(each -> each != null && each != app).toList();
        Arrays.fill(agents, null);
        left.forEach(this::put);
    }

    private List<CallingApp> all() {
        List<CallingApp> all = new ArrayList<>(callers.values());
        all.addAll(addresses.values());
        for (CallingApp agent : agents) {
            if (agent != null) {
                all.add(agent);
            }
        }
        return all;
    }

    /** Returns the counts, for operators. */
    public List<CallingApp.Count> counts() {
        List<CallingApp> all = all();
        if (other.requests() > 0) {
            all.add(other);
        }
        return all.stream().map(CallingApp::count).toList();
    }
}
