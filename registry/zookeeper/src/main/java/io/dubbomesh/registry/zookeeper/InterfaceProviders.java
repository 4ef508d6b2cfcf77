package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperSession;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads what providers register by interface, {@code /dubbo/{interface}/providers/{url}}, and follows it. Belongs to
 * the thread of the watch.
 *
 * <p>ZooKeeper 3.6 and newer report every change below {@code /dubbo} with the name of the node, so that nothing is
 * read after the first list. Older ones report once that the children of a node changed, for each node that is watched;
 * they are read anew then.
 */
final class InterfaceProviders {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    /** Below an interface. */
    static final Set<String> CATEGORIES = Set.of("providers", "consumers", "routers", "configurators");

    private static final String PROVIDERS = "/providers";
    private static final String OVERRIDES = "/configurators";
    /** The rules of Dubbo 2.6. */
    private static final String ROUTERS = "/routers";
    /** What is read of each interface. */
    private static final List<String> READ = List.of(PROVIDERS, OVERRIDES, ROUTERS);
    /** Interfaces that are read by one question: with 4,096 providers each the answer is no longer than one may be. */
    private static final int TOGETHER = 16;
    /** Beside the interfaces: what else Dubbo keeps there. */
    static final Set<String> OTHERS = Set.of("config", "mapping", "metadata");

    private final String root;
    private final DubboProviders providers;
    private final Runnable lost;
    private final Runnable readAgain;
    private final UnreadableNodes unreadable = new UnreadableNodes();

    /** Whether ZooKeeper reports every change below a node; learnt with the first session. */
    private boolean reportsAll = true;
    /** The time at which the root was created, by ZooKeeper's clock; 0 if it is not known. */
    private long rootCreated;
    /** The list that is being read; null if none is. */
    private Reading reading;

    private boolean keepMissing;
    /** The services whose overrides were read since {@link #read}; no more than are listed. */
    private final Set<String> overridden = new HashSet<>();

    /**
     * @param lost      is called when ZooKeeper turns out to have lost its data
     * @param readAgain is called when ZooKeeper turns out to be older than 3.6
     */
    InterfaceProviders(String root, DubboProviders providers, boolean reportsAll, Runnable lost, Runnable readAgain) {
        this.root = root;
        this.providers = providers;
        this.reportsAll = reportsAll;
        this.lost = lost;
        this.readAgain = readAgain;
    }

    /** Sets whether entries that are missing in a list are kept: for a while after ZooKeeper has lost its data. */
    void keepMissing(boolean keep) {
        keepMissing = keep;
    }

    /** Reads everything, and watches it from now on. */
    void read(ZooKeeperSession session) {
        if (reportsAll) {
            session.watchAll(root, this::watched);
        }
        overridden.clear();
        Reading started = new Reading(unreadable);
        reading = started;
        started.ask();
        session.children(
                root,
                !reportsAll,
                (names, stat) -> {
                    long created = stat == null ? 0 : stat.getCtime();
                    if (rootCreated != 0 && created != rootCreated) {
                        lost.run();
                    }
                    rootCreated = created;
                    readServices(session, started, names == null ? List.of() : names);
                    answered(started);
                },
                code -> failed(started, root, code));
    }

    /** ZooKeeper older than 3.6 may close the connection over it: everything is read again then. */
    private void watched(KeeperException.Code code) {
        if (code == KeeperException.Code.UNIMPLEMENTED) {
            reportsAll = false;
            readAgain.run();
        }
    }

    private void readServices(ZooKeeperSession session, Reading of, List<String> names) {
        List<String> interfaces =
                names.stream().filter(name -> !OTHERS.contains(name)).toList();
        for (String name : interfaces) {
            of.ask();
            of.found(service(name));
        }
        if (!reportsAll) {
            interfaces.forEach(name -> readService(session, of, name));
            return;
        }
        for (int i = 0; i < interfaces.size(); i += TOGETHER) {
            readTogether(session, of, interfaces.subList(i, Math.min(i + TOGETHER, interfaces.size())));
        }
    }

    /** Reads some services by one question: a thousand services are too many for three of each. */
    private void readTogether(ZooKeeperSession session, Reading of, List<String> names) {
        List<String> paths = new ArrayList<>();
        for (String name : names) {
            for (String category : READ) {
                paths.add(root + '/' + name + category);
            }
        }
        session.childrenOfAll(paths, answers -> {
            for (int i = 0; i < names.size(); i++) {
                int first = i * READ.size();
                takeService(of, names.get(i), answers.subList(first, first + READ.size()));
            }
        });
    }

    /** @param answers in the order of {@link #READ} */
    private void takeService(Reading of, String name, List<ZooKeeperSession.Names> answers) {
        String path = root + '/' + name;
        if (answers.get(0).failure() != null) {
            failed(of, path + PROVIDERS, answers.get(0).failure());
            return;
        }
        if (answers.get(0).names() != null) {
            takeProviders(name, answers.get(0).names());
            if (isAnswered(path + OVERRIDES, answers.get(1))) {
                putOverrides(name, answers.get(1).names());
            }
            if (isAnswered(path + ROUTERS, answers.get(2))) {
                putRouters(name, answers.get(2).names());
            }
        }
        answered(of);
    }

    private boolean isAnswered(String path, ZooKeeperSession.Names answer) {
        if (answer.failure() != null) {
            logUnreadable(path, answer.failure());
        }
        return answer.failure() == null;
    }

    private void takeProviders(String name, List<String> urls) {
        put(service(name), urls);
        overridden.add(service(name));
        if (!keepMissing) {
            providers.retain(service(name), urls);
        }
    }

    private void putOverrides(String name, List<String> urls) {
        providers.putOverrides(service(name), urls == null ? List.of() : urls, System.nanoTime());
    }

    private void putRouters(String name, List<String> urls) {
        providers.putRouters(service(name), urls == null ? List.of() : urls, System.nanoTime());
    }

    /** ZooKeeper older than 3.6 is asked for one node after the other. */
    private void readService(ZooKeeperSession session, Reading of, String name) {
        String path = root + '/' + name + PROVIDERS;
        session.children(
                path,
                !reportsAll,
                (urls, stat) -> {
                    if (urls != null) {
                        takeProviders(name, urls);
                        of.ask();
                        readOverrides(session, name, () -> answered(of));
                    }
                    answered(of);
                },
                code -> failed(of, path, code));
    }

    private void readOverrides(ZooKeeperSession session, String name, Runnable done) {
        String path = root + '/' + name + OVERRIDES;
        session.children(
                path,
                !reportsAll,
                (urls, stat) -> {
                    putOverrides(name, urls);
                    readRouters(session, name, done);
                },
                code -> {
                    logUnreadable(path, code);
                    readRouters(session, name, done);
                });
    }

    private void logUnreadable(String path, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH) {
            unreadable.log(path);
        } else {
            LOG.debug("{}: {}", path, code);
        }
    }

    private void readRouters(ZooKeeperSession session, String name, Runnable done) {
        String path = root + '/' + name + ROUTERS;
        session.children(
                path,
                !reportsAll,
                (urls, stat) -> {
                    putRouters(name, urls);
                    done.run();
                },
                code -> {
                    logUnreadable(path, code);
                    done.run();
                });
    }

    /** Reads the overrides of a service that has appeared: no watch reports those that were there before. */
    private void readFirstOverrides(ZooKeeperSession session, String name) {
        if (providers.isKnown(service(name)) && overridden.add(service(name))) {
            readOverrides(session, name, () -> {});
        }
    }

    private void put(String service, List<String> urls) {
        if (reading != null) {
            // It may be newer than the names that are being read.
            reading.found(service);
        }
        if (!providers.isKnown(service)) {
            // It may have gone to make room for others, and its overrides with it.
            overridden.remove(service);
        }
        providers.addService(service);
        long nowNs = System.nanoTime();
        urls.forEach(url -> providers.put(service, url, nowNs));
    }

    private void failed(Reading of, String path, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH && path.equals(root)) {
            // A user who might read it before: what is known is no less true.
            providers.services().forEach(of::found);
        }
        of.failed(path, code);
        end(of);
    }

    private void answered(Reading of) {
        of.answered();
        end(of);
    }

    private void end(Reading of) {
        if (of == reading && of.isComplete() && !keepMissing) {
            for (String service : providers.services()) {
                if (!of.hasFound(service)) {
                    providers.retain(service, List.of());
                }
            }
        }
    }

    /** Returns whether everything was read since {@link #read}. */
    boolean isRead() {
        return reading != null && reading.isComplete();
    }

    /**
     * Returns whether an answer failed for another reason than the end of the connection, so that it has to be asked
     * for again.
     */
    boolean hasFailed() {
        return reading != null && reading.hasFailed();
    }

    /** Returns whether ZooKeeper reports every change below a node, as far as is known. */
    boolean reportsAll() {
        return reportsAll;
    }

    /** Takes a change that ZooKeeper reports. */
    void changed(ZooKeeperSession session, WatchedEvent event) {
        String path = event.getPath();
        // The session watches /dubbomesh too.
        if (!path.startsWith(root + '/') && !path.equals(root)) {
            return;
        }
        String[] names = path.substring(root.length()).split("/", -1);
        if (names.length >= 3 && names[2].equals(OVERRIDES.substring(1))) {
            readOverrides(session, names[1], () -> {});
        } else if (names.length >= 3 && names[2].equals(ROUTERS.substring(1))) {
            readRouters(session, names[1], () -> {});
        } else if (reportsAll) {
            nodeChanged(session, event, names);
        } else if (names.length == 1) {
            listChanged(session);
        } else if (names.length == 3 && path.endsWith(PROVIDERS)) {
            providersChanged(session, names[1]);
        }
    }

    /** {@code names}: nothing, the interface, "providers", the URL. */
    private void nodeChanged(ZooKeeperSession session, WatchedEvent event, String[] names) {
        if (names.length < 3 || OTHERS.contains(names[1]) || !names[2].equals(PROVIDERS.substring(1))) {
            return;
        }
        String service = service(names[1]);
        switch (event.getType()) {
            case NodeCreated -> {
                put(service, names.length == 4 ? List.of(names[3]) : List.of());
                readFirstOverrides(session, names[1]);
            }
            case NodeDeleted -> {
                if (names.length == 4) {
                    providers.remove(service, names[3], System.nanoTime());
                }
            }
            default -> {}
        }
    }

    private void listChanged(ZooKeeperSession session) {
        session.children(
                root,
                true,
                (names, stat) -> {
                    Set<String> known = providers.services();
                    for (String name : names == null ? List.<String>of() : names) {
                        if (!OTHERS.contains(name) && !known.contains(service(name))) {
                            providersChanged(session, name);
                        }
                    }
                },
                code -> LOG.debug("{}: {}", root, code));
    }

    private void providersChanged(ZooKeeperSession session, String name) {
        String path = root + '/' + name + PROVIDERS;
        session.children(
                path,
                true,
                (urls, stat) -> {
                    if (urls != null) {
                        put(service(name), urls);
                        readFirstOverrides(session, name);
                        providers.removeOthers(service(name), urls, System.nanoTime());
                    }
                },
                code -> LOG.debug("{}: {}", path, code));
    }

    private static String service(String name) {
        try {
            return name.indexOf('%') < 0 ? name : URLDecoder.decode(name, UTF_8);
        } catch (IllegalArgumentException e) {
            return name;
        }
    }
}
