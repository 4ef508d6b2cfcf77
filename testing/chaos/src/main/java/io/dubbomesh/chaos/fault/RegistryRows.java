package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Etcd;
import io.dubbomesh.chaos.site.Executions;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.NameServer;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.FaultyProxy;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.chaos.site.Site.pause;

/** An etcd that is away, empty, without a leader, or full of nonsense. */
public final class RegistryRows {
    private static final String OTHER_SERVICE = "com.example.Unused";

    /** The lease of the agents' keys, in seconds. */
    private static final int LEASE_SECONDS = 30;

    private RegistryRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                                "E1",
                                "etcd killed for 60 s, longer than the leases, then back",
                                "0 failed; one key each in 5 s; 10 % of a core at most; few log lines",
                                RegistryRows::etcdAway)
                        .within(180),
                Row.of("E2", "etcd back with nothing in it", "all registered in 5 s; 0 failed", RegistryRows::etcdEmpty)
                        .isQuick(),
                Row.of(
                        "E3",
                        "the consumer agent cut off from etcd while endpoints change, one of them by host name, and etcd is compacted",
                        "its list is that of etcd 2 s after healing",
                        RegistryRows::compacted),
                Row.of(
                                "E4",
                                "three nodes of etcd: the leader killed every 5 s, no quorum for 30 s, one direction"
                                        + " between two nodes cut",
                                "0 failed; a new provider is called 3 s after the quorum's return; 10 % of a core at most",
                                RegistryRows::noQuorum)
                        .within(240),
                Row.of(
                                "E5",
                                "a lease revoked by hand, a key deleted by hand; the clock of a provider agent set one hour"
                                        + " on",
                                "registered again in 3 s; 0 failed",
                                RegistryRows::byHand)
                        .within(180),
                Row.of(
                        "E6",
                        "etcd restarted by SIGTERM",
                        "0 failed; one key each; a put is seen in 1 s",
                        RegistryRows::restarted),
                Row.of(
                                "E7",
                                "1,000 endpoints registered and deregistered, 10,000 keys of others",
                                "threads, files, goroutines and watchers as before; 0 failed",
                                RegistryRows::churn)
                        .within(180),
                Row.of(
                                "E8",
                                "values that cannot be read; 5,000 endpoints of a service without calls, 500 of them by host names that a"
                                        + " silent name server knows",
                                "one log line each; others unaffected; at most 20 log lines and 10 threads for the 5,000",
                                RegistryRows::poisoned)
                        .within(150),
                Row.of(
                        "E9",
                        "one of four provider agents cut off from etcd beyond its lease, while its link works",
                        "0 failed; it keeps 25 % of the calls, +/- 5 %; one key again after the cut",
                        RegistryRows::cutOff),
                Row.of(
                        "E15",
                        "the answer to the first put of a registration is lost, then that to the put of a weight changed at the"
                                + " agent; an operator changes the weight in etcd after each",
                        "the operator's weight holds, under the agent's lease; 0 failed",
                        RegistryRows::answersLost));
    }

    private static double keysBack(Mesh mesh, int wanted, double most) throws Exception {
        return Wait.seconds(most, () -> {
            try {
                return mesh.etcd().entries().size() == wanted;
            } catch (UncheckedIOException e) {
                return false;
            }
        });
    }

    private static void etcdAway(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        Load load = mesh.load(Workload.rate(150));
        int seconds = site.seconds(60);
        double[] usualCpu = cpuPerSecond(mesh, seconds / 6);
        long linesBefore = mesh.consumer().logLines() + mesh.agent(0).logLines();
        mesh.etcd().node(0).kill();
        double[] awayCpu = cpuPerSecond(mesh, seconds);
        long lines = mesh.consumer().logLines() + mesh.agent(0).logLines() - linesBefore;
        mesh.etcd().node(0).restart();
        double back = keysBack(mesh, 3, 30);
        boolean present = mesh.etcd().entries().values().stream().allMatch(entry -> entry.lease() != 0);
        pause(3);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost("s until three keys", back, 5)
                .holds("all under a lease", present)
                .atMost("more % of a core, consumer agent", 100 * (awayCpu[0] - usualCpu[0]), 10)
                .atMost("more % of a core, provider agent", 100 * (awayCpu[1] - usualCpu[1]), 10)
                .atMost("log lines of both", lines, 8 + 2 * seconds / 30);
    }

    /** Returns the CPU time per second of the consumer agent and of a provider agent. */
    private static double[] cpuPerSecond(Mesh mesh, double seconds) throws Exception {
        double consumer = mesh.consumer().cpuSeconds();
        double agent = mesh.agent(0).cpuSeconds();
        pause(seconds);
        return new double[] {
            (mesh.consumer().cpuSeconds() - consumer) / seconds, (mesh.agent(0).cpuSeconds() - agent) / seconds
        };
    }

    private static void etcdEmpty(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        Load load = mesh.load(Workload.rate(150));
        pause(1);
        mesh.etcd().wipe();
        pause(3);
        mesh.etcd().node(0).restart();
        double back = keysBack(mesh, 3, 30);
        pause(3);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost("s until three keys", back, 5);
    }

    private static void compacted(Site site, Figures figures) throws Exception {
        site.closed(NameServer.start(site.directory()));
        Mesh mesh = Mesh.of(site, 3).start();
        FaultyProxy cable = site.proxy(site.port(), mesh.etcd().port());
        Part consumer = site.consumerAgent("cut-off-agent", "etcd://127.0.0.1:" + cable.port(), List.of());
        consumer.restart();
        site.call(Workload.closed(12), 2, consumer);
        Load load = site.load(Workload.rate(150), consumer);
        cable.stall();
        // One comes, by its name, one goes.
        int added = mesh.addProvider("-Dadvertise.host=added.mesh.test");
        mesh.start(added);
        mesh.agent(0).end(15);
        mesh.etcd().compact();
        pause(2);
        int before = mesh.provider(added).executions().count();
        cable.resume();
        cable.cut();
        double seen = Wait.seconds(20, () -> mesh.provider(added).executions().count() > before);
        int gone = mesh.provider(0).executions().count();
        pause(3);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost("s until the new one is called", seen, 2)
                .none(
                        "calls to the one that left",
                        mesh.provider(0).executions().count() - gone);
    }

    private static void noQuorum(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).etcd(3).start();
        Load load = mesh.load(Workload.rate(150));
        double[] usualCpu = cpuPerSecond(mesh, 5);
        Etcd etcd = mesh.etcd();
        for (int i = 0; i < 4; i++) {
            Part leader = etcd.leader();
            leader.kill();
            pause(2.5);
            leader.restart();
            pause(2.5);
        }
        etcd.node(1).kill();
        etcd.node(2).kill();
        int seconds = site.seconds(30);
        int added = mesh.addProvider();
        mesh.provider(added).restart();
        mesh.agent(added).start();
        double[] awayCpu = cpuPerSecond(mesh, seconds);
        etcd.node(1).start();
        etcd.node(2).start();
        Wait.seconds(20, () -> hasQuorum(etcd));
        double seen = Wait.seconds(20, () -> mesh.provider(added).executions().count() > 0);

        Host one = etcd.node(0).host();
        Host two = etcd.node(1).host();
        site.network().drop(one, two);
        pause(site.seconds(12));
        site.network().heal();
        pause(3);
        double keys = keysBack(mesh, 4, 20);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost("s until the new provider is called", seen, 3)
                .atMost("s until four keys after the asymmetric cut", keys, 5)
                .atMost("more % of a core, consumer agent", 100 * (awayCpu[0] - usualCpu[0]), 10)
                .atMost("more % of a core, provider agent", 100 * (awayCpu[1] - usualCpu[1]), 10);
    }

    private static boolean hasQuorum(Etcd etcd) {
        try {
            etcd.put("/chaos/quorum", "yes");
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private static void byHand(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).withClock(2).start();
        Load load = mesh.load(Workload.rate(150));
        pause(1);
        Map<String, Etcd.KeyValue> before = mesh.etcd().entries();
        mesh.etcd().revoke(before.get(mesh.key(0)).lease());
        double afterRevoking = Wait.seconds(20, () -> mesh.etcd().entries().containsKey(mesh.key(0)));
        mesh.etcd().delete(mesh.key(1));
        double afterDeleting = Wait.seconds(20, () -> mesh.etcd().entries().containsKey(mesh.key(1)));
        mesh.agent(2).setClock(Duration.ofHours(1));
        // It deregisters by itself, or its lease ends, since it is not renewed.
        double missing =
                Wait.longestGap(LEASE_SECONDS + 6, () -> mesh.etcd().entries().containsKey(mesh.key(2)));
        Map<String, Etcd.KeyValue> after = mesh.etcd().entries();
        Calls calls = load.stop();
        mesh.agent(2).end(15);
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost("s until registered after the lease was revoked", afterRevoking, 3)
                .atMost("s until registered after the key was deleted", afterDeleting, 3)
                .atMost("s without its key after the clock was set", missing, 3)
                .atLeast(
                        "minutes that its log is ahead",
                        minutesAhead(mesh.agent(2).log()),
                        59)
                .equal("keys", after.size(), 3)
                .holds("all under a lease", after.values().stream().allMatch(entry -> entry.lease() != 0));
    }

    /** Returns the minutes by which the last line is ahead. */
    private static long minutesAhead(String log) {
        String line = log.substring(log.stripTrailing().lastIndexOf('\n') + 1);
        return Duration.between(OffsetDateTime.now(), OffsetDateTime.parse(line.substring(0, line.indexOf(' '))))
                .plusSeconds(1)
                .toMinutes();
    }

    private static void restarted(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        Load load = mesh.load(Workload.rate(150));
        pause(1);
        mesh.etcd().node(0).end(15);
        mesh.etcd().node(0).restart();
        pause(4);
        int keys = mesh.etcd().entries().size();
        // A weight of 0 takes an endpoint out: its calls end when the watch has seen it.
        mesh.etcd().put(mesh.key(0), "{\"weight\":0,\"limit\":180}");
        pause(1.1);
        int executed = mesh.provider(0).executions().count();
        pause(2);
        int later = mesh.provider(0).executions().count();
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .equal("keys", keys, 3)
                .none("calls to an endpoint 1 s after its weight became 0", later - executed);
    }

    private static void churn(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).start();
        Etcd etcd = mesh.etcd();
        Load load = mesh.load(Workload.rate(100));
        pause(2);
        int threads = mesh.consumer().threads() + mesh.agent(0).threads();
        int files = mesh.consumer().openFiles();
        double goroutines = etcd.metric("go_goroutines");
        double watchers = etcd.metric("etcd_debugging_mvcc_watcher_total");
        for (int i = 0; i < site.times(10_000); i++) {
            etcd.put("/others/" + i, "nothing");
        }
        // No program listens there: the consumer agent connects and is refused.
        for (int i = 0; i < site.times(1_000); i++) {
            String key = Etcd.key(OTHER_SERVICE, "127.0.0.1:" + (1 + i % 50));
            etcd.put(key, "{\"weight\":1,\"limit\":180}");
            etcd.delete(key);
        }
        pause(5);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost(
                        "more threads",
                        mesh.consumer().threads() + mesh.agent(0).threads() - threads,
                        2)
                .atMost("more open files", mesh.consumer().openFiles() - files, 10)
                .atMost("more goroutines of etcd", etcd.metric("go_goroutines") - goroutines, 20)
                .atMost("more watchers", etcd.metric("etcd_debugging_mvcc_watcher_total") - watchers, 0);
    }

    private static void poisoned(Site site, Figures figures) throws Exception {
        site.closed(NameServer.start(site.directory())).silence(true);
        Mesh mesh = Mesh.of(site, 2).start();
        Etcd etcd = mesh.etcd();
        Load load = mesh.load(Workload.rate(100));
        pause(1);
        String good = "{\"weight\":1,\"limit\":180}";
        Map<String, String> bad = Map.of(
                Etcd.key(Workload.SERVICE, "127.0.0.1:99999"), good,
                Etcd.key(Workload.SERVICE, "no port"), good,
                Etcd.key(Workload.SERVICE, "198.18.0.9:1"), "{\"weight\":-1}",
                Etcd.key(Workload.SERVICE, "198.18.0.9:2"), "{\"weight\":1000000000}",
                Etcd.key(Workload.SERVICE, "198.18.0.9:3"), "{\"weight\":NaN}",
                Etcd.key(Workload.SERVICE, "198.18.0.9:4"), "x".repeat(1_000_000),
                Etcd.key(Workload.SERVICE, "198.18.0.9:5"), "{",
                // It might be another agent's: the good value stays.
                mesh.key(1), "nonsense");
        long lines = mesh.consumer().logLines();
        for (Map.Entry<String, String> entry : bad.entrySet()) {
            etcd.put(entry.getKey(), entry.getValue());
        }
        pause(3);
        long badLines = mesh.consumer().logLines() - lines;
        int longest =
                mesh.consumer().log().lines().mapToInt(String::length).max().orElse(0);

        lines = mesh.consumer().logLines();
        int threads = mesh.consumer().threads();
        int many = site.times(5_000);
        for (int i = 0; i < many; i++) {
            String host = i % 10 == 0 ? "host-" + i + ".mesh.test" : "127.1." + i / 250 + "." + (1 + i % 250);
            etcd.put(Etcd.key(OTHER_SERVICE, host + ":9"), good);
        }
        pause(6);
        int moreThreads = mesh.consumer().threads() - threads;
        long manyLines = mesh.consumer().logLines() - lines;
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost("log lines for " + bad.size() + " bad values", badLines, bad.size() + 2)
                .atMost("characters of the longest line", longest, 1_000)
                .atMost("log lines for " + many + " endpoints", manyLines, 20)
                .atMost("more threads", moreThreads, 10);
    }

    private static void cutOff(Site site, Figures figures) throws Exception {
        // The one that is cut off is alone on its host.
        Mesh mesh = Mesh.of(site, 4).onHosts().start();
        Load load = mesh.load(Workload.rate(200));
        pause(1);
        // Etcd is at home, and so is the consumer agent: what goes to etcd's port is lost, the link is not.
        site.network().drop(mesh.agent(3).host(), mesh.etcd().port());
        pause(LEASE_SECONDS + 6);
        boolean gone = !mesh.etcd().entries().containsKey(mesh.key(3));
        long goneNs = System.nanoTime();
        pause(site.seconds(12));
        long healedNs = System.nanoTime();
        site.network().heal();
        double back = keysBack(mesh, 4, 60);
        pause(2);
        Calls calls = load.stop();
        // The calls of one load: two that send in turn would each have endpoints of their own, since these are used in
        // turn.
        Calls without = calls.between(goneNs, healedNs);
        List<Integer> shares = mesh.shares(without);
        Executions executions = mesh.provider(3).executions();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .holds("its key was gone", gone)
                .atLeast("its % of the calls", 100.0 * shares.get(3) / without.count(), 23.75)
                .atMost("its % of the calls", 100.0 * shares.get(3) / without.count(), 26.25)
                .note("executed there in all " + executions.count())
                .atMost("s until four keys", back, 40);
    }

    private static void answersLost(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).start();
        FaultyProxy cable = site.proxy(site.port(), mesh.etcd().port());
        cable.loseAnswersTo(weight(3));
        Part agent = site.providerAgent(
                "late-agent",
                Host.HOME,
                mesh.provider(0).port(),
                "etcd://127.0.0.1:" + cable.port(),
                List.of("-Dlb.weight=3"));
        String key = Etcd.key(Workload.SERVICE, "127.0.0.1:" + agent.port());
        Load load = mesh.load(Workload.rate(150));
        agent.start();
        double put = Wait.seconds(20, () -> hasWeight(mesh.etcd().entries().get(key), 3));
        mesh.etcd().put(key, "{\"weight\":7}");
        double held = Wait.seconds(20, () -> isHeld(mesh.etcd().entries().get(key)));
        pause(5);
        Etcd.KeyValue afterFirst = mesh.etcd().entries().get(key);

        cable.loseAnswersTo(weight(5));
        agent.changeWeight(5);
        double putAgain = Wait.seconds(20, () -> hasWeight(mesh.etcd().entries().get(key), 5));
        mesh.etcd().put(key, "{\"weight\":9}");
        double heldAgain = Wait.seconds(20, () -> isHeld(mesh.etcd().entries().get(key)));
        pause(5);
        Etcd.KeyValue afterSecond = mesh.etcd().entries().get(key);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .atMost("s until its first put", put, 19)
                .atMost("s until its key is under a lease again", held, 5)
                .holds("the operator's 7 holds", hasWeight(afterFirst, 7) && isHeld(afterFirst))
                .atMost("s until it puts its own change", putAgain, 1)
                .atMost("s until its key is under a lease again", heldAgain, 5)
                .holds("the operator's 9 holds", hasWeight(afterSecond, 9) && isHeld(afterSecond));
    }

    private static String weight(int weight) {
        return "\"weight\":" + weight + ",";
    }

    private static boolean hasWeight(Etcd.KeyValue entry, int weight) {
        return entry != null && entry.value().contains(weight(weight));
    }

    private static boolean isHeld(Etcd.KeyValue entry) {
        return entry != null && entry.lease() != 0;
    }
}
