package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.RegistryKind;
import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.runtime.HostPort;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** {@code zookeeper://host:2181[,host:2181][/root]}, and a question mark and {@link AccessFiles} behind it. */
public final class ZooKeeperKind implements RegistryKind {
    private static final String PREFIX = "zookeeper://";
    private static final int PORT = 2181;
    /** The root where Dubbo registers unless it is told otherwise. */
    static final String ROOT = "/dubbo";

    private static final String AGENTS_ROOT = "/dubbomesh";

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+");

    /** Made by ServiceLoader. */
    public ZooKeeperKind() {}

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public String form() {
        return "zookeeper://host:2181[,host:2181][/root][?username-file=]";
    }

    @Override
    public Registry open(String uri, Duration lease, MetadataSource metadata) {
        int question = uri.indexOf('?');
        String rest = uri.substring(PREFIX.length(), question < 0 ? uri.length() : question);
        int slash = rest.indexOf('/');
        String root = slash < 0 ? ROOT : rest.substring(slash);
        if (!PATH.matcher(root).matches()) {
            throw new IllegalArgumentException("root " + root);
        }
        List<HostPort> members = new ArrayList<>();
        for (String member : (slash < 0 ? rest : rest.substring(0, slash)).split(",", -1)) {
            members.add(ReachableAddress.parse(member, PORT));
        }
        AccessFiles access = question < 0
                ? AccessFiles.none(Ensemble.KIND)
                : AccessFiles.parse(Ensemble.KIND, uri.substring(question + 1));
        if (access.ca() != null) {
            throw access.unusable("ca", access.ca(), "agents do not speak TLS to a ZooKeeper");
        }
        Ensemble.checkedUser(access);
        return new ZooKeeperRegistry(
                new Ensemble(members, access), root, ZooKeeperTimes.DEFAULT, RegistrationTimes.of(lease), metadata);
    }

    /**
     * Returns the root of provider agents, beside Dubbo's root, so that Dubbo does not find them: {@code /dubbomesh}
     * for {@code /dubbo}, and {@code /dubbomesh-shop} for {@code /shop}, since systems that share a ZooKeeper have
     * roots of their own. A root has no {@code +}, so that {@code /a/b} and {@code /a-b} do not meet.
     */
    static String agentsRoot(String root) {
        return root.equals(ROOT)
                ? AGENTS_ROOT
                : AGENTS_ROOT + '-' + root.substring(1).replace('/', '+');
    }
}
