package io.dubbomesh.registry.zookeeper.session;

import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SocketFailure;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The members of a ZooKeeper, and as whom agents connect to them. The files are read for each session, and again
 * meanwhile.
 *
 * @param members of the ensemble
 * @param access  a user, if ZooKeeper's nodes ask for one
 */
public record Ensemble(List<HostPort> members, AccessFiles access) {
    /** The name in messages. */
    public static final String KIND = "zookeeper";

    private static final String DIGEST = "digest";

    /**
     * The names of a service's nodes come in one answer, some hundred bytes each; ZooKeeper's own bound would be 1 MiB.
     */
    private static final String MAX_ANSWER_BYTES = Integer.toString(64 << 20);

    /**
     * The rights to a user's nodes: that user may change them and all may read them, since consumer agents need
     * not have a user that may write.
     */
    private static final List<ACL> OF_USER = Stream.of(ZooDefs.Ids.CREATOR_ALL_ACL, ZooDefs.Ids.READ_ACL_UNSAFE)
            .flatMap(List::stream)
            .toList();

    public Ensemble {
        members = List.copyOf(members);
    }

    /** Returns the user that the file has now; null if there is no file. */
    public AccessFiles.User user() throws ZooKeeperFailure {
        try {
            return checkedUser(access);
        } catch (AccessFiles.Unusable e) {
            throw new ZooKeeperFailure(e.getMessage(), e);
        }
    }

    /**
     * @throws AccessFiles.Unusable also for a name with a colon: ZooKeeper would take what follows it for a part of the
     *     password
     */
    public static AccessFiles.User checkedUser(AccessFiles access) {
        AccessFiles.User user = access.readUser();
        if (user != null && user.name().indexOf(':') >= 0) {
            throw access.unusable("username-file", access.user(), "a colon in the name (expected: none)");
        }
        return user;
    }

    /**
     * Makes a client, to be closed with {@link ZooKeeperSession#close(ZooKeeper)}.
     *
     * @param user null for none
     */
    public ZooKeeper connect(AccessFiles.User user, int sessionMs, Watcher watcher) throws ZooKeeperFailure {
        try {
            ZooKeeper client = new ZooKeeper(toString(), sessionMs, watcher, false, config());
            add(client, user);
            return client;
        } catch (IOException | RuntimeException e) {
            throw new ZooKeeperFailure(SocketFailure.reason(e), e);
        }
    }

    /**
     * Name and password go first over each connection of the session, with those that were added before: no user is to
     * be added twice.
     */
    public static void add(ZooKeeper client, AccessFiles.User user) {
        if (user != null) {
            client.addAuthInfo(DIGEST, credentials(user).getBytes(UTF_8));
        }
    }

    private static ZKClientConfig config() {
        ZKClientConfig config = new PlainClientConfig();
        config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        config.setProperty(ZKClientConfig.JUTE_MAXBUFFER, MAX_ANSWER_BYTES);
        return config;
    }

    /** Returns the rights to nodes that an agent creates in a session with one user or none. */
    public List<ACL> acl() {
        return access.user() == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : OF_USER;
    }

    /**
     * Returns the same for this user alone, in a session that had another one before: ZooKeeper would give the nodes to
     * both.
     */
    public static List<ACL> aclOf(AccessFiles.User user) throws ZooKeeperFailure {
        try {
            Id owner = new Id(DIGEST, DigestAuthenticationProvider.generateDigest(credentials(user)));
            return Stream.concat(Stream.of(new ACL(ZooDefs.Perms.ALL, owner)), ZooDefs.Ids.READ_ACL_UNSAFE.stream())
                    .toList();
        } catch (NoSuchAlgorithmException e) {
            throw new ZooKeeperFailure(e.toString(), e);
        }
    }

    private static String credentials(AccessFiles.User user) {
        return user.name() + ':' + user.password();
    }

    /** Returns the members, by comma. */
    @Override
    public String toString() {
        return members.stream().map(HostPort::toString).collect(Collectors.joining(","));
    }
}
