package io.dubbomesh.registry.follow;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The followers of one registry. Thread-safe. */
public final class Followers implements AutoCloseable {
    private final List<DirectoryFollower> followers = new CopyOnWriteArrayList<>();

    public void add(DirectoryFollower follower) {
        followers.add(follower);
    }

    /** Returns as {@link io.dubbomesh.registry.Registry#ageNs}. */
    public long ageNs() {
        return followers.stream().mapToLong(DirectoryFollower::ageNs).max().orElse(-1);
    }

    @Override
    public void close() {
        followers.forEach(DirectoryFollower::close);
    }

    /** Closes the followers, and waits for each of them so long. */
    public void close(long timeoutMs) {
        followers.forEach(follower -> follower.close(timeoutMs));
    }
}
