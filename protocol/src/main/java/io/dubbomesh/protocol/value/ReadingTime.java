package io.dubbomesh.protocol.value;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time that the reading of answers may take. Most values take up to 20 ns for a byte, which the lengths of answers
 * bound. The reader of one that can take longer charges it beforehand, with the nanoseconds that it took when it was
 * measured (compiled, on JDK 17): no clock decides who reads an answer.
 *
 * <p>An answer has some time of its own, by its length, which usual ones do not exceed: enough for a date in each
 * thirteen bytes. What exceeds it is taken from the time of the turn, which all answers of the turn share. Owned by one
 * thread.
 */
public final class ReadingTime {
    private static final int NS_PER_BYTE = 20;

    private static final long NS_OF_TURN = TimeUnit.MILLISECONDS.toNanos(2);
    /** Twice what the costliest numbers take whose text has 8 MiB. */
    private static final long NS_OF_ANSWER = TimeUnit.SECONDS.toNanos(2);

    private final long nsOfAnswer;
    private final long nsOfTurn;
    private final LongSupplier turns;

    /** The time taken by the answer that is being read, in nanoseconds. */
    private long ownNs;

    private long turn = -1;
    private long turnNs;

    private ReadingTime(long nsOfAnswer, long nsOfTurn, LongSupplier turns) {
        this.nsOfAnswer = nsOfAnswer;
        this.nsOfTurn = nsOfTurn;
        this.turns = turns;
    }

    /** Makes the time of a thread that reads one answer after the other: each has two seconds. */
    public static ReadingTime ofAnswer() {
        return new ReadingTime(NS_OF_ANSWER, 0, () -> 0);
    }

    /**
     * Makes the time of an event loop: in each turn, answers have two milliseconds together, beside the 1.3 ms that
     * each 64 KiB have of their own.
     *
     * @param turns the number of the turn that it is, not negative, and in each turn another one
     */
    public static ReadingTime ofTurn(LongSupplier turns) {
        return new ReadingTime(0, NS_OF_TURN, turns);
    }

    /** Returns a time without a limit, for values that are no answer of a provider. */
    public static ReadingTime unlimited() {
        return new ReadingTime(0, Long.MAX_VALUE, () -> 0);
    }

    /** Begins an answer of so many bytes. */
    public void begin(int bytes) {
        ownNs = nsOfAnswer + (long) bytes * NS_PER_BYTE;
    }

    /**
     * Takes time for what is read next.
     *
     * @throws CostlyValueException if so much is not left; from then on none is
     */
    public void charge(long ns) throws CostlyValueException {
        ownNs -= ns;
        if (ownNs < 0) {
            overdraw();
        }
    }

    private void overdraw() throws CostlyValueException {
        long now = turns.getAsLong();
        if (now != turn) {
            turn = now;
            turnNs = nsOfTurn;
        }
        turnNs += ownNs;
        ownNs = 0;
        if (turnNs < 0) {
            turnNs = 0;
            throw new CostlyValueException();
        }
    }
}
