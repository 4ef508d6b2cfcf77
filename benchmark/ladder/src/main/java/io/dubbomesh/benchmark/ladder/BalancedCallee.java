package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;

import java.util.List;

/** Spreads calls over several callees. Owned by one event loop. */
final class BalancedCallee implements Callee, LoadView {
    private final List<Callee> callees;
    private final int[] weights;
    private final LoadBalancer balancer;

    /** @param weights from 1, one for each callee */
    BalancedCallee(List<Callee> callees, int[] weights, Strategy strategy, int loopIndex) {
        this.callees = callees;
        this.weights = weights;
        balancer = strategy.newBalancer(callees.size(), loopIndex);
    }

    @Override
    public void call(MethodName name, ByteBuf in, int offset, int length, Answer answer) {
        callees.get(balancer.pick(this)).call(name, in, offset, length, answer);
    }

    @Override
    public int size() {
        return weights.length;
    }

    @Override
    public int weight(int index) {
        return weights[index];
    }

    @Override
    public boolean hasRoom(int index) {
        return true;
    }
}
