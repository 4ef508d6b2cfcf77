package io.dubbomesh.transport.loop;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One object for each event loop, which alone uses it. An instance belongs to an agent, so several agents can live in
 * one JVM.
 *
 * @param <S> the state of a loop
 */
public final class PerLoop<S> {
    private static final long ANSWER_TIMEOUT_S = 1;

    private final List<EventLoop> loops;
    private final List<S> states = new ArrayList<>();
    private final FastThreadLocal<S> ofThread = new FastThreadLocal<>();

    /** Has none yet; see {@link #create}. */
    public PerLoop(EventLoops loops) {
        this.loops = loops.loops();
    }

    /**
     * Makes a state for each loop, on the calling thread.
     *
     * @param newState gets a loop and its index
     */
    public void create(BiFunction<EventLoop, Integer, S> newState) {
        for (int i = 0; i < loops.size(); i++) {
            S state = newState.apply(loops.get(i), i);
            states.add(state);
            loops.get(i).submit(() -> ofThread.set(state)).syncUninterruptibly();
        }
    }

    /** Returns the state of the loop that runs the calling thread. */
    public S current() {
        return ofThread.get();
    }

    /** Returns the states in the order of the loops; each is to be used on its own loop only. */
    public List<S> all() {
        return states;
    }

    /** Has each loop do something with its state, without waiting for it. */
    public void execute(Consumer<S> action) {
        for (int i = 0; i < states.size(); i++) {
            S state = states.get(i);
            loops.get(i).execute(() -> action.accept(state));
        }
    }

    /** Runs an action like {@link #execute}, and waits until each loop has done it, for at most a second each. */
    public void run(Consumer<S> action) {
        for (int i = 0; i < states.size(); i++) {
            S state = states.get(i);
            loops.get(i).submit(() -> action.accept(state)).awaitUninterruptibly(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
        }
    }

    /**
     * Asks each loop about its state, all at once, and waits for their answers, for at most a second.
     *
     * @return the answers in the order of the loops
     * @throws TimeoutException if a loop has not answered or is closed; its message says so
     */
    public <T> List<T> ask(Function<S, T> question) throws TimeoutException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_TIMEOUT_S);
        List<Future<T>> answers = new ArrayList<>();
        try {
            for (int i = 0; i < states.size(); i++) {
                S state = states.get(i);
                answers.add(loops.get(i).submit(() -> question.apply(state)));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> answer : answers) {
                all.add(answer.get(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS));
            }
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException("interrupted");
        } catch (RejectedExecutionException e) {
            throw new TimeoutException("the agent ends");
        } catch (TimeoutException e) {
            throw new TimeoutException("an event loop did not answer within " + ANSWER_TIMEOUT_S + " s");
        } catch (ExecutionException e) {
            throw new IllegalStateException("an event loop failed to answer", e.getCause());
        }
    }

    /** Returns whether a condition holds on each loop; false too where one does not answer within a second. */
    public boolean allMatch(Predicate<S> condition) {
        for (int i = 0; i < states.size(); i++) {
            S state = states.get(i);
            try {
                if (!loops.get(i).submit(() -> condition.test(state)).get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS)) {
                    return false;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException | TimeoutException e) {
                return false;
            }
        }
        return true;
    }
}
