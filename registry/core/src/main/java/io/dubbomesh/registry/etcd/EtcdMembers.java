package io.dubbomesh.registry.etcd;

import io.dubbomesh.runtime.HostPort;
import io.netty.util.NetUtil;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The members of an etcd cluster. Each session is with the next one, so that a member that accepts connections but
 * cannot answer, because it has lost its leader, delays only one attempt. A name is looked up each time, and its
 * addresses are tried in turn. Belongs to one thread.
 */
final class EtcdMembers {
    private final List<HostPort> members;
    private final EtcdAccess access;
    private final long timeoutMs;
    private final AdaptiveTimeout timeout;
    private int attempts;

    EtcdMembers(List<HostPort> members, EtcdAccess access, long timeoutMs) {
        this.members = List.copyOf(members);
        this.access = access;
        this.timeoutMs = timeoutMs;
        this.timeout = new AdaptiveTimeout(timeoutMs);
        this.attempts = ThreadLocalRandom.current().nextInt(members.size());
    }

    /** Returns a session with the next member; whether the member answers shows when the session is used. */
    EtcdSession next() throws EtcdFailure {
        int attempt = attempts++;
        HostPort member = members.get(Math.floorMod(attempt, members.size()));
        try {
            InetAddress[] all = InetAddress.getAllByName(member.host());
            InetAddress one = all[Math.floorMod(attempt / members.size(), all.length)];
            HostPort address = new HostPort(NetUtil.toAddressString(one), member.port());
            return new EtcdSession(address, member.host(), access, timeoutMs, timeout);
        } catch (UnknownHostException e) {
            throw new EtcdFailure("unknown host " + member.host(), EtcdFailure.Kind.OTHER);
        }
    }

    EtcdAccess access() {
        return access;
    }

    int count() {
        return members.size();
    }

    @Override
    public String toString() {
        return members.stream().map(HostPort::toString).collect(Collectors.joining(",", "etcd://", ""));
    }
}
