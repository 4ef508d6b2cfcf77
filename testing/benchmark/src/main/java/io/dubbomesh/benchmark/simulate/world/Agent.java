package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.health.SlowStart;
import io.dubbomesh.consumer.upstream.call.RetryBudget;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.consumer.upstream.link.EndpointRoom;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.loadbalance.subset.FleetShares;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.transport.call.StandingDelay;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * An event loop of a consumer agent: picks a member for each call with the product's balancer, judges members by the
 * product's health, shares limits with the other loops of the agent, has calls wait by the product's rule of queues,
 * and sends a call again that a provider agent has refused, once, as far as the product's budget allows.
 */
public final class Agent implements LoadView {
    private static final long CHECK_NS = 100_000_000;
    /** The golden section of {@link #CHECK_NS}, whose multiples are spread evenly. */
    private static final long GOLDEN_SECTION_NS = 61_803_399;

    private static final long QUEUE_TARGET_NS = 20_000_000;
    private static final long QUEUE_BURST_NS = 250_000_000;

    /** The members that have room for a call, as PoolView has it. */
    private enum Reach {
        WITHIN_SHARE,
        BEYOND_SHARE,
        EJECTED
    }

    /**
     * The place of an event loop in its agent.
     *
     * @param number among the loops of all agents
     * @param loads  that the loops of its agent share
     */
    record Loop(int number, EndpointLoads loads, int index, int count) {
        /** Returns when its checks begin: loops of real agents are not in step. */
        long checkPhaseNs() {
            return number * GOLDEN_SECTION_NS % CHECK_NS;
        }
    }

    private final Timeline timeline;
    private final HealthSettings settings;
    private final SlowStart slowStart;
    private final Loop loop;
    private final long timeoutNs;
    /** One way. */
    private final long networkNs;

    private final StandingDelay delay = new StandingDelay(QUEUE_TARGET_NS, QUEUE_BURST_NS, 0);
    private final RetryBudget retries = new RetryBudget(0);
    private final ArrayDeque<Call> queue = new ArrayDeque<>();
    private final double[] latencyLogs = new double[4096];
    private LoadBalancer balancer;
    private Member[] members = {};
    /** Evens out the loads of a subset; null where the list has all endpoints. */
    private FleetShares shares;

    private Tally tally = new Tally();
    private int weightsVersion;
    private Reach reach = Reach.WITHIN_SHARE;
    /** The key of the present call: each call has one of its own. */
    private long key;
    /** A member that the present call must not go to; null for none. */
    private Member excluded;

    private long nowNs;
    private long picks;
    private int inFlight;

    /** @param balancer for a list without endpoints */
    Agent(
            Timeline timeline,
            LoadBalancer balancer,
            HealthSettings settings,
            Loop loop,
            long timeoutNs,
            long networkNs) {
        this.timeline = timeline;
        this.balancer = balancer;
        this.settings = settings;
        this.loop = loop;
        this.timeoutNs = timeoutNs;
        this.networkNs = networkNs;
        slowStart = new SlowStart(settings.slowStartNs());
        timeline.after(loop.checkPhaseNs(), () -> timeline.every(CHECK_NS, this::check));
    }

    /** Counts calls that are sent from now on elsewhere. */
    public void countIn(Tally next) {
        tally = next;
    }

    // --- members ---

    public List<Member> members() {
        return List.of(members);
    }

    /** Takes another subset of the backends. */
    public void updateSubset(List<Backend> backends, List<Integer> weights) {
        shares = shares == null ? new FleetShares(0) : shares;
        update(backends, weights);
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
        shares = shares == null ? null : shares.changed(previousIndex);
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
        EndpointRoom room = new EndpointRoom(
                loop.loads().open(EndpointProtocol.MESH.at("backend", backend.number())), loop.index(), loop.count());
        return new Member(backend, weight, settings, room, startNs, nowNs);
    }

    private void setWeights() {
        for (Member member : members) {
            member.part = slowStart.part(member.startNs, nowNs);
        }
        weightsVersion++;
    }

    // --- the view of the balancer ---

    @Override
    public long key() {
        return key;
    }

    @Override
    public long identity(int index) {
        return members[index].backend.number();
    }

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public int weight(int index) {
        int weight = members[index].weight * members[index].part;
        return shares == null ? weight : Math.max(1, (int) (weight * shares.factor(index)));
    }

    @Override
    public int weightsVersion() {
        return weightsVersion;
    }

    @Override
    public boolean hasRoom(int index) {
        Member member = members[index];
        return member.health.isInRotation() == (reach != Reach.EJECTED)
                && member != excluded
                && member.hasRoom(reach != Reach.WITHIN_SHARE, nowNs);
    }

    @Override
    public int inFlight(int index) {
        return members[index].room.inFlight();
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
            to.room.sent();
            to.sentSince++;
            inFlight++;
            to.health.sent(sentNs);
            timeline.after(
                    networkNs,
                    () -> to.backend.serve((end, load) -> timeline.after(networkNs, () -> {
                        if (!ended && attempt == attempts) {
                            answered(end, load);
                        }
                    })));
        }

        private void answered(Backend.End end, BackendLoad load) {
            nowNs = timeline.nowNs();
            leave();
            if (load != null) {
                member.report(load);
            }
            if (end == Backend.End.EXECUTED || end == Backend.End.THREW) {
                member.health.answered(sentNs, nowNs);
                if (end == Backend.End.EXECUTED) {
                    balancerAnswered();
                } else {
                    balancerEndedWithoutResult();
                }
                end(end == Backend.End.EXECUTED);
                return;
            }
            if (end == Backend.End.REFUSED) {
                member.room.refused(nowNs);
                failed(member.health.refused(sentNs, nowNs));
            } else if (end != Backend.End.LOST || member.noticeLoss()) {
                failed(member.health.failed(sentNs, nowNs));
            }
            Member other = end == Backend.End.REFUSED && attempts == 1 && retries.tryRetry(nowNs) ? pick(member) : null;
            if (other == null) {
                end(false);
            } else {
                send(other);
            }
        }

        private void balancerAnswered() {
            if (member.index >= 0) {
                balancer.answered(member.index, nowNs - sentNs, nowNs);
                if (shares != null) {
                    // The provider still counted the answered call.
                    double own = (member.room.inFlight() + 1.0) / member.weight;
                    shares.answered(member.index, (double) member.load.calls() / member.weight, own, nowNs - sentNs);
                }
            }
        }

        private void balancerEndedWithoutResult() {
            if (member.index >= 0) {
                balancer.endedWithoutResult(member.index, nowNs - sentNs, nowNs);
                if (shares != null) {
                    shares.endedWithoutResult(member.index);
                }
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
                if (shares != null) {
                    shares.endedWithoutResult(member.index);
                }
                if (eject) {
                    eject(member, false);
                }
            }
        }

        private void leave() {
            member.room.ended();
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
        retries.called(nowNs);
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
            key = nowNs + ++picks;
            for (Member member : members) {
                if (member.health.isProbeDue(nowNs) && member.hasRoom(true, nowNs)) {
                    return member;
                }
            }
        }
        int index = pickFrom(Reach.WITHIN_SHARE);
        if (index == LoadBalancer.NONE) {
            index = pickFrom(Reach.BEYOND_SHARE);
        }
        if (index == LoadBalancer.NONE && isPanicking(0)) {
            index = pickFrom(Reach.EJECTED);
        }
        return index == LoadBalancer.NONE ? null : members[index];
    }

    private int pickFrom(Reach wanted) {
        reach = wanted;
        return balancer.pick(this, nowNs);
    }

    // --- health, as PoolRotation has it ---

    private boolean isPanicking(int more) {
        long sum = 0;
        long ejected = more;
        for (Member member : members) {
            if (member.isAlive()) {
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

    private double ownLoad(int index) {
        return (double) members[index].room.inFlight() / members[index].weight;
    }

    private void check() {
        nowNs = timeline.nowNs();
        int known = 0;
        boolean starting = false;
        for (Member member : members) {
            if (member.reconnect(nowNs)) {
                balancer.forgetFailures(member.index);
                starting = true;
            }
            starting |= member.part < SlowStart.WHOLE;
            if (member.health.hasLatency()) {
                latencyLogs[known++] = member.health.latencyLog();
            }
        }
        boolean moved = shares != null && shares.settle(this::ownLoad);
        if (starting || moved) {
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
