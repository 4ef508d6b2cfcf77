package io.dubbomesh.loadbalance;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * Calls that keep endpoints busy in a time of the test: each ends after the latency of its endpoint, and the balancer
 * hears of it. A number of clients send their next call when the last has ended.
 */
final class Calls {
    private record Call(int index, long sentNs, long endNs, long number) implements Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            int byTime = Long.compare(endNs, other.endNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    final Endpoints endpoints;
    final long[] latencyNs;
    final boolean[] fails;
    /** Endpoints that throw exceptions, on each so many'th call; 0 for none. */
    final int[] throwsEach;

    final int[] sent;
    /** Whether answers tell the calls that the endpoint has, as a provider agent's do. */
    boolean telling;

    LoadBalancer balancer;
    private final PriorityQueue<Call> calls = new PriorityQueue<>();
    private long number;

    Calls(Endpoints endpoints, LoadBalancer balancer, long latencyNs) {
        this.endpoints = endpoints;
        this.balancer = balancer;
        this.latencyNs = new long[endpoints.size()];
        Arrays.fill(this.latencyNs, latencyNs);
        fails = new boolean[endpoints.size()];
        throwsEach = new int[endpoints.size()];
        sent = new int[endpoints.size()];
    }

    /** Sends so many calls, of which at most {@code clients} are in flight. */
    Calls run(int count, int clients) {
        for (int i = 0; i < count; i++) {
            if (calls.size() >= clients) {
                endOne();
            }
            sendOne();
        }
        return this;
    }

    private void sendOne() {
        int index = endpoints.pick(balancer);
        sent[index]++;
        endpoints.inFlight[index]++;
        if (telling && endpoints.reportsLoad(index)) {
            endpoints.providerCalls[index]++;
        }
        // Latencies that differ a little, so that calls do not go in step.
        long jitter = (number * 7919 % 101 - 50) * latencyNs[index] / 500;
        calls.add(new Call(index, endpoints.nowNs, endpoints.nowNs + latencyNs[index] + jitter, number++));
    }

    private void endOne() {
        Call call = calls.remove();
        endpoints.nowNs = call.endNs;
        int index = call.index;
        endpoints.inFlight[index]--;
        if (telling) {
            endpoints.report(index, endpoints.inFlight[index], latencyNs[index]);
        }
        if (fails[index]) {
            balancer.failed(index, call.endNs - call.sentNs, call.endNs);
        } else if (throwsEach[index] > 0 && call.number % throwsEach[index] == 0) {
            balancer.endedWithoutResult(index, call.endNs - call.sentNs, call.endNs);
        } else {
            balancer.answered(index, call.endNs - call.sentNs, call.endNs);
        }
    }

    void forget() {
        Arrays.fill(sent, 0);
    }
}
