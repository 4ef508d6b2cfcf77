package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.PrequalRamp.Neighbours;
import io.dubbomesh.benchmark.simulate.world.Policy;

import java.util.List;
import java.util.Locale;

/**
 * How much the {@link PrequalRamp} depends on what it assumes of neighbours: its step of 1.41 with other ones, each of
 * which leaves about as much on average.
 */
final class RampNeighbours implements Scenario {
    private static final int STEP = 6;
    private static final List<Neighbours> ASSUMED = List.of(
            Neighbours.USUAL,
            new Neighbours(1.4, 5, 12),
            new Neighbours(1.4, 80, 188),
            new Neighbours(1.1, 5, 40),
            new Neighbours(2.8, 40, 22),
            new Neighbours(1, 0.001, 1000));

    private final PrequalRamp ramp;

    RampNeighbours(int seconds) {
        ramp = new PrequalRamp(seconds);
    }

    @Override
    public String description() {
        return "the step of 1.41 of prequal-ramp by what neighbours leave, in parts of the allocation, for how long,"
                + " and for how long they leave nothing";
    }

    @Override
    public List<Policy> policies() {
        return ramp.policies();
    }

    @Override
    public List<Phase> run(Policy policy, long seed) {
        return ASSUMED.stream().map(neighbours -> run(policy, seed, neighbours)).toList();
    }

    private Phase run(Policy policy, long seed, Neighbours neighbours) {
        Phase step = ramp.run(policy, seed, neighbours, STEP, STEP + 1).get(0);
        String name = String.format(
                Locale.ROOT,
                "%.1f for %.0f s, 0 for %.0f s",
                neighbours.spare(),
                neighbours.freeS(),
                neighbours.contendedS());
        return new Phase(name, step.tally(), step.shareError(), step.links());
    }
}
