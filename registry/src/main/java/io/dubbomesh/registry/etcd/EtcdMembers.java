package io.dubbomesh.registry.etcd;

import io.dubbomesh.runtime.HostPort;
import io.netty.util.NetUtil;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The members of an etcd cluster, tried one after the other: who lost one goes on with the next, so that a member that
 * accepts connections without being able to answer, cut off from its leader, holds nobody up. A name is looked up each time,
 * and of several addresses another one is tried. Belongs to one thread.
 */
final class EtcdMembers {
    private final List<HostPort> members;
    private final long timeoutMs;
    private final Patience patience;
    private int attempts;

    EtcdMembers(List<HostPort> members, long timeoutMs) {
        this.members = List.copyOf(members);
        this.timeoutMs = timeoutMs;
        this.patience = new Patience(timeoutMs);
        this.attempts = ThreadLocalRandom.current().nextInt(members.size());
    }

    /** A session with the next member; that it is alive shows when it is used. */
    EtcdSession next() throws EtcdFailure {
        int attempt = attempts++;
        HostPort member = members.get(Math.floorMod(attempt, members.size()));
        try {
            InetAddress[] all = InetAddress.getAllByName(member.host());
            InetAddress one = all[Math.floorMod(attempt / members.size(), all.length)];
            return new EtcdSession(new HostPort(NetUtil.toAddressString(one), member.port()), timeoutMs, patience);
        } catch (UnknownHostException e) {
            throw new EtcdFailure("unknown host " + member.host(), EtcdFailure.Kind.OTHER);
        }
    }

    /** The address by which this machine reaches {@code member}. */
    InetAddress localAddress(HostPort member) throws EtcdFailure {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(member.host(), member.port()), (int) timeoutMs);
            return socket.getLocalAddress();
        } catch (IOException e) {
            throw new EtcdFailure(e.getMessage(), EtcdFailure.Kind.OTHER);
        }
    }

    @Override
    public String toString() {
        return members.stream().map(HostPort::toString).collect(Collectors.joining(",", "etcd://", ""));
    }
}
