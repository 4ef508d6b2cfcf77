package io.dubbomesh.registry;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The members of an etcd cluster, tried one after the other: who lost one goes on with the next, so that a member that
 * accepts connections without being able to answer, cut off from its leader, holds nobody up. Belongs to one thread.
 */
final class EtcdMembers {
    private final List<Address> members;
    private final long timeoutMs;
    private int next;

    EtcdMembers(List<Address> members, long timeoutMs) {
        this.members = List.copyOf(members);
        this.timeoutMs = timeoutMs;
        this.next = ThreadLocalRandom.current().nextInt(members.size());
    }

    /** A session with the next member; that it is alive shows when it is used. */
    EtcdSession next() {
        EtcdSession session = new EtcdSession(members.get(next), timeoutMs);
        next = (next + 1) % members.size();
        return session;
    }

    /** The address by which this machine reaches {@code member}. */
    InetAddress localAddress(Address member) throws EtcdFailure {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(member.host(), member.port()), (int) timeoutMs);
            return socket.getLocalAddress();
        } catch (IOException e) {
            throw new EtcdFailure(e.getMessage(), EtcdFailure.Kind.OTHER);
        }
    }

    @Override
    public String toString() {
        return members.stream().map(Address::toString).collect(Collectors.joining(",", "etcd://", ""));
    }
}
