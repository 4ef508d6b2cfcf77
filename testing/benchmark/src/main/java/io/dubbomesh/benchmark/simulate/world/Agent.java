package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.health.SlowStart;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.transport.call.StandingDelay;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * An event loop of a consumer agent: picks a member for each call with the product's balancer, judges members by the
 * product's health, has calls wait by the product's rule of queues, and sends a call again that a provider agent has
 * refused, once.
 */
public final class Agent implements LoadView {
    private static final long CHECK_NS = 100_000_000;
    private static final long QUEUE_TARGET_NS = 20_000_000;
    private static final long QUEUE_BURST_NS = 250_000_000;

    /** The members that have room for a call. */
    private enum Reach {
        IN_ROTATION,
        EJECTED
    }

    private final Timeline timeline;
    private final HealthSettings settings;
    private final SlowStart slowStart;
    private final int loops;
    private final long timeoutNs;
    /** One way. */
    private final long networkNs;

    private final StandingDelay delay = new StandingDelay(QUEUE_TARGET_NS, QUEUE_BURST_NS, 0);
    private final ArrayDeque<Call> queue = new ArrayDeque<>();
    private final double[] latencyLogs = new double[4096];
    private LoadBalancer balancer;
    private Member[] members = {};
    private Tally tally = new Tally();
    private int weightsVersion;
    private Reach reach = Reach.IN_ROTATION;
    /** A member that the present call must not go to; null for none. */
    private Member excluded;

    private long nowNs;
    private int inFlight;

    /**
     * @param balancer for a list without endpoints
     * @param loops    of the agent, with this one
     */
    public Agent(
            Timeline timeline,
            LoadBalancer balancer,
            HealthSettings settings,
            int loops,
            long timeoutNs,
            long networkNs) {
        this.timeline = timeline;
        this.balancer = balancer;
        this.settings = settings;
        this.loops = loops;
        this.timeoutNs = timeoutNs;
        this.networkNs = networkNs;
        slowStart = new SlowStart(settings.slowStartNs());
        timeline.every(CHECK_NS, this::check);
    }

    /** Counts calls that are sent from now on elsewhere. */
    public void countIn(Tally next) {
        tally = next;
    }

    // --- members ---

    public List<Member> members() {
        return List.of(members);
    }

    /** Takes other backends; those that stay keep what is known of them. */
    public void update(List<Backend> backends, List<Integer> weights) {
        nowNs = timeline.nowNs();
        Member[] changed = new Member[backends.size()];
        int[] previousIndex = new int[changed.length];
        Member[] before = members;
        for (int i = 0; i < changed.length; i++) {
            Backend backend = backends.get(i);
            previousIndex[i] = indexOf(backend);
            changed[i] = previousIndex[i] >= 0 ? before[previousIndex[i]] : newMember(backend, weights.get(i));
        }
        balancer = balancer.changed(previousIndex);
        for (Member left : before) {
            left.index = -1;
        }
        for (int i = 0; i < changed.length; i++) {
            changed[i].index = i;
        }
        members = changed;
        setWeights();
    }

    private int indexOf(Backend backend) {
        for (Member member : members) {
            if (member.backend == backend) {
                return member.index;
            }
        }
        return -1;
    }

    private Member newMember(Backend backend, int weight) {
        long startNs = members.length > 0 ? nowNs : nowNs - settings.slowStartNs();
        return new Member(backend, weight, settings, startNs, nowNs);
    }

    private void setWeights() {
        for (Member member : members) {
            member.part = slowStart.part(member.startNs, nowNs);
        }
        weightsVersion++;
    }

    // --- the view of the balancer ---

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public int weight(int index) {
        return members[index].weight * members[index].part;
    }

    @Override
    public int weightsVersion() {
        return weightsVersion;
    }

    @Override
    public boolean hasRoom(int index) {
        Member member = members[index];
        return member.health.isInRotation() == (reach == Reach.IN_ROTATION)
                && member != excluded
                && member.hasRoom(loops);
    }

    @Override
    public int inFlight(int index) {
        return members[index].inFlight;
    }

    @Override
    public boolean reportsLoad(int index) {
        return members[index].load != null;
    }

    @Override
    public int providerCalls(int index) {
        return members[index].load.calls() + members[index].sentSince;
    }

    @Override
    public long providerCallNs(int index) {
        return members[index].load.callNs();
    }

    // --- calls ---

    /** A call of a client, from its arrival to its end. */
    private final class Call {
        private final long arrivedNs = timeline.nowNs();
        private final Tally countedIn = tally;
        private final Runnable whenEnded;
        private boolean ended;
        private Member member;
        private long sentNs;
        private int attempts;

        private Call(Runnable whenEnded) {
            this.whenEnded = whenEnded;
        }

        private void send(Member to) {
            member = to;
            sentNs = timeline.nowNs();
            attempts++;
            int attempt = attempts;
            to.inFlight++;
            to.sentSince++;
            inFlight++;
            to.health.sent(sentNs);
            timeline.after(
                    networkNs,
                    () -> to.backend.serve(end -> timeline.after(networkNs, () -> {
                        if (!ended && attempt == attempts) {
                            answered(end);
                        }
                    })));
        }

        private void answered(Backend.End end) {
            nowNs = timeline.nowNs();
            if (end != Backend.End.LOST) {
                member.load = member.backend.load();
                member.sentSince = 0;
            }
            leave();
            if (end == Backend.End.EXECUTED) {
                member.health.answered(sentNs, nowNs);
                if (member.index >= 0) {
                    balancer.answered(member.index, nowNs - sentNs, nowNs);
                }
                end(true);
                return;
            }
            if (end == Backend.End.THREW) {
                member.health.answered(sentNs, nowNs);
                if (member.index >= 0) {
                    balancer.endedWithoutResult(member.index, nowNs - sentNs, nowNs);
                }
                end(false);
                return;
            }
            failed(
                    end == Backend.End.REFUSED
                            ? member.health.refused(sentNs, nowNs)
                            : member.health.failed(sentNs, nowNs));
            Member other = end == Backend.End.REFUSED && attempts == 1 ? pick(member) : null;
            if (other == null) {
                end(false);
            } else {
                send(other);
            }
        }

        private void expired() {
            if (ended) {
                return;
            }
            nowNs = timeline.nowNs();
            if (member == null) {
                queue.remove(this);
                delay.abandoned(queue.size(), nowNs);
            } else {
                leave();
                failed(member.health.timedOut(sentNs, nowNs));
            }
            end(false);
        }

        private void failed(boolean eject) {
            if (member.index >= 0) {
                balancer.failed(member.index, nowNs - sentNs, nowNs);
                if (eject) {
                    eject(member, false);
                }
            }
        }

        private void leave() {
            member.inFlight--;
            inFlight--;
            member.health.ended();
            if (member.health.isProbeUndecided()) {
                member.health.postponeProbe(nowNs);
            }
        }

        private void end(boolean succeeded) {
            ended = true;
            if (succeeded) {
                countedIn.succeeded(timeline.nowNs() - arrivedNs);
            } else {
                countedIn.failed();
            }
            drainQueue();
            whenEnded.run();
        }
    }

    /** Takes a call; {@code whenEnded} is run when the client has its answer. */
    public void call(Runnable whenEnded) {
        nowNs = timeline.nowNs();
        Call call = new Call(whenEnded);
        Member member = queue.isEmpty() ? pick(null) : null;
        if (member != null) {
            call.send(member);
        } else if (members.length > 0 && delay.admits(queue.size(), inFlight, timeoutNs, nowNs)) {
            queue.add(call);
        } else {
            call.end(false);
            return;
        }
        timeline.after(timeoutNs, call::expired);
    }

    private void drainQueue() {
        Member member;
        while (!queue.isEmpty() && (member = pick(null)) != null) {
            Call next = queue.remove();
            delay.served(queue.size(), nowNs);
            next.send(member);
        }
    }

    private Member pick(Member except) {
        excluded = except;
        if (except == null) {
            for (Member member : members) {
                if (member.health.isProbeDue(nowNs) && member.hasRoom(loops)) {
                    return member;
                }
            }
        }
        reach = Reach.IN_ROTATION;
        int index = balancer.pick(this, nowNs);
        if (index == LoadBalancer.NONE && isPanicking(0)) {
            reach = Reach.EJECTED;
            index = balancer.pick(this, nowNs);
        }
        return index == LoadBalancer.NONE ? null : members[index];
    }

    // --- health, as PoolRotation has it ---

    private boolean isPanicking(int more) {
        long sum = 0;
        long ejected = more;
        for (Member member : members) {
            if (member.backend.isAlive()) {
                sum += member.weight;
                ejected += member.health.isInRotation() ? 0 : member.weight;
            }
        }
        return ejected * 100 > sum * settings.panicPercent() || ejected >= sum;
    }

    private void eject(Member member, boolean asSlow) {
        if (settings.ejection() && members.length > 1) {
            member.health.eject(asSlow, nowNs);
        }
    }

    private void check() {
        nowNs = timeline.nowNs();
        int known = 0;
        boolean starting = false;
        for (Member member : members) {
            starting |= member.part < SlowStart.WHOLE;
            if (member.health.hasLatency()) {
                latencyLogs[known++] = member.health.latencyLog();
            }
        }
        if (starting) {
            setWeights();
        }
        if (known > 0) {
            Arrays.sort(latencyLogs, 0, known);
            double median = latencyLogs[(known - 1) / 2];
            for (Member member : members) {
                member.health.compareWith(median);
            }
        }
        for (Member member : members) {
            if (member.health.isStalled(nowNs, false)) {
                eject(member, false);
            } else if (member.health.isSlow() && !isPanicking(member.weight)) {
                eject(member, true);
            }
            member.health.ageLatency();
        }
        drainQueue();
    }
}
