package io.dubbomesh.benchmark.ledger;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Every call of a client, in the order in which they were to be sent: when it was to be sent, when it was, and what
 * became of it. Written by the client's event loop; to be read after the load has ended. Calls have numbers from the
 * first on, one after the other.
 */
public final class Ledger {
    private static final int FIRST_CAPACITY = 1 << 14;
    private static final Outcome[] OUTCOMES = Outcome.values();

    private final NumberedText texts;
    private final int firstNumber;
    private long[] intendedNs = new long[FIRST_CAPACITY];
    private long[] sentNs = new long[FIRST_CAPACITY];
    private long[] endNs = new long[FIRST_CAPACITY];
    private short[] statuses = new short[FIRST_CAPACITY];
    private byte[] outcomes = new byte[FIRST_CAPACITY];
    private int size;
    private long surplusAnswers;

    public Ledger(NumberedText texts, int firstNumber) {
        this.texts = texts;
        this.firstNumber = firstNumber;
    }

    /**
     * Adds a call and returns its number.
     *
     * @throws IllegalStateException if there is no further number
     */
    public int add(long intended) {
        if (firstNumber + size == NumberedText.COUNT) {
            throw new IllegalStateException(size + " calls from number " + firstNumber + " on (expected: numbers below "
                    + NumberedText.COUNT + ")");
        }
        if (size == outcomes.length) {
            int capacity = 2 * size;
            intendedNs = Arrays.copyOf(intendedNs, capacity);
            sentNs = Arrays.copyOf(sentNs, capacity);
            endNs = Arrays.copyOf(endNs, capacity);
            statuses = Arrays.copyOf(statuses, capacity);
            outcomes = Arrays.copyOf(outcomes, capacity);
        }
        intendedNs[size] = intended;
        sentNs[size] = -1;
        endNs[size] = -1;
        return firstNumber + size++;
    }

    public void sent(int number, long nowNs) {
        sentNs[number - firstNumber] = nowNs;
    }

    /** @param status 0 without an answer */
    public void ended(int number, long nowNs, Outcome outcome, int status) {
        int at = number - firstNumber;
        endNs[at] = nowNs;
        statuses[at] = (short) status;
        outcomes[at] = (byte) outcome.ordinal();
    }

    /** An answer on a connection on which no call waited for one. */
    public void addSurplusAnswer() {
        surplusAnswers++;
    }

    public NumberedText texts() {
        return texts;
    }

    public int size() {
        return size;
    }

    public boolean contains(int number) {
        return number >= firstNumber && number - firstNumber < size;
    }

    public Call call(int number) {
        int at = number - firstNumber;
        return new Call(number, intendedNs[at], sentNs[at], endNs[at], OUTCOMES[outcomes[at]], statuses[at]);
    }

    /** In the order in which they were to be sent. */
    public Stream<Call> calls() {
        return IntStream.range(firstNumber, firstNumber + size).mapToObj(this::call);
    }

    /** The calls that were to be sent in this time since the start of the load. */
    public Slice slice(Duration from, Duration to) {
        Slice slice = new Slice(from, to);
        calls().filter(call -> call.intendedNs() >= from.toNanos() && call.intendedNs() < to.toNanos())
                .forEach(slice::add);
        return slice;
    }

    /** All calls. */
    public Slice all() {
        return slice(Duration.ZERO, end());
    }

    /** Just after the time at which the last call was to be sent. */
    public Duration end() {
        return Duration.ofNanos(size == 0 ? 1 : intendedNs[size - 1] + 1);
    }

    /** Joins this ledger with the providers'. */
    public Verdict verdict(Executions executions) {
        return Verdict.of(this, executions, surplusAnswers);
    }

    /**
     * Writes a line for each call: number, hash, intended, sent and end in microseconds since the start, outcome,
     * status.
     */
    public void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("number,hash,intended_us,sent_us,end_us,outcome,status\n");
            for (int i = 0; i < size; i++) {
                Call call = call(firstNumber + i);
                out.write("%d,%d,%d,%d,%d,%s,%d%n"
                        .formatted(
                                call.number(),
                                texts.hash(call.number()),
                                call.intendedNs() / 1000,
                                call.sentNs() / 1000,
                                call.endNs() / 1000,
                                call.outcome(),
                                call.status()));
            }
        }
    }
}
