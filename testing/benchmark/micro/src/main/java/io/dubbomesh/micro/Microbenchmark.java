package io.dubbomesh.micro;

import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/** The settings of every benchmark where the command line has none: all of them in a few minutes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class Microbenchmark {
    /** A benchmark that computes something else measures nothing. */
    protected static void requireEqual(Object actual, Object expected) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException(actual + " (expected: " + expected + ")");
        }
    }
}
