package io.dubbomesh.transport.loop;

import io.netty.util.concurrent.DefaultThreadFactory;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Resolves host names as the JDK does, by the system (/etc/hosts, nsswitch, search domains) and with its cache. The
 * system's resolver blocks, for ten seconds and more if the name server is silent, and cannot be interrupted; so a few
 * threads ask it, equal questions are one, and more questions than the threads can ask wait. Shared by all event loops.
 *
 * <p>A name that was resolved the last time goes before others, so that it need not wait for many that a silent name
 * server does not answer. Threads are added one after the other, not at once: otherwise all would wait for their
 * time-outs at the same time, and none would notice that the name server is back.
 */
final class NameResolver {
    static final int MAX_THREADS = 8;
    /** The bound of waiting names for a thread; names of endpoints come from a registry, that is, from others. */
    static final int MAX_WAITING = 65_536;

    /** Asks the system. */
    static final NameResolver SYSTEM =
            new NameResolver(InetAddress::getByName, new DefaultThreadFactory("resolver", true), 500);

    private static final int MAX_KNOWN = 4_096;
    private static final long IDLE_MS = 10_000;

    private final Lookup lookup;
    private final ThreadFactory threadFactory;
    private final long addThreadNs;
    private final Map<String, Question> questions = new HashMap<>();
    private final Deque<Question> first = new ArrayDeque<>();
    private final Deque<Question> others = new ArrayDeque<>();
    /** Names that were resolved the last time, the oldest first. */
    private final Set<String> known = new LinkedHashSet<>();

    private int threads;
    private int idleThreads;
    private long threadAddedNs;
    /** Whether it will be seen soon if a further thread is needed. */
    private boolean retryScheduled;

    /** Asks the system; blocks. */
    @FunctionalInterface
    interface Lookup {
        InetAddress address(String host) throws UnknownHostException;
    }

    /** A name, and who waits for its address. */
    private record Question(String host, List<CompletableFuture<InetAddress>> waiting) {}

    /** @param addThreadMs how long questions wait before there is a further thread */
    NameResolver(Lookup lookup, ThreadFactory threadFactory, long addThreadMs) {
        this.lookup = lookup;
        this.threadFactory = threadFactory;
        addThreadNs = TimeUnit.MILLISECONDS.toNanos(addThreadMs);
    }

    /**
     * Never blocks. Who waits no longer cancels the future.
     *
     * @return fails with an UnknownHostException, or a RejectedExecutionException if the system cannot be asked
     */
    CompletableFuture<InetAddress> resolve(String host) {
        CompletableFuture<InetAddress> answer = new CompletableFuture<>();
        List<CompletableFuture<InetAddress>> failed;
        Throwable failure;
        synchronized (this) {
            Question question = questions.get(host);
            if (question != null) {
                question.waiting.removeIf(CompletableFuture::isDone);
                question.waiting.add(answer);
            } else if (questions.size() >= MAX_WAITING) {
                return CompletableFuture.failedFuture(
                        new RejectedExecutionException("too many names wait to be resolved"));
            } else {
                question = new Question(host, new ArrayList<>(List.of(answer)));
                questions.put(host, question);
                (known.contains(host) ? first : others).add(question);
                notifyAll();
            }
            failure = addThread();
            failed = failure != null && threads == 0 ? takeAll() : List.of();
        }
        for (CompletableFuture<InetAddress> each : failed) {
            each.completeExceptionally(failure);
        }
        return answer;
    }

    /** Returns why there is none, if it cannot be started. */
    private Throwable addThread() {
        if (threads == MAX_THREADS || first.size() + others.size() <= idleThreads) {
            return null;
        }
        long nowNs = System.nanoTime();
        if (threads > 0 && nowNs - threadAddedNs < addThreadNs) {
            scheduleRetry(addThreadNs - (nowNs - threadAddedNs));
            return null;
        }
        threads++;
        try {
            threadFactory.newThread(this::run).start();
        } catch (OutOfMemoryError e) {
            // The system has no thread left, which says nothing about memory: the questions have failed, not the agent.
            threads--;
            return new RejectedExecutionException("the name was not resolved: " + e.getMessage());
        }
        threadAddedNs = nowNs;
        if (first.size() + others.size() > idleThreads + 1) {
            scheduleRetry(addThreadNs);
        }
        return null;
    }

    /**
     * Schedules another attempt: those that wait now may wait for one that is not answered, and no other question may
     * come.
     */
    private void scheduleRetry(long afterNs) {
        if (!retryScheduled) {
            retryScheduled = true;
            CompletableFuture.delayedExecutor(afterNs, TimeUnit.NANOSECONDS).execute(() -> {
                synchronized (this) {
                    retryScheduled = false;
                    addThread();
                }
            });
        }
    }

    private List<CompletableFuture<InetAddress>> takeAll() {
        List<CompletableFuture<InetAddress>> all = new ArrayList<>();
        questions.values().forEach(question -> all.addAll(question.waiting));
        questions.clear();
        first.clear();
        others.clear();
        return all;
    }

    private void run() {
        for (Question question = next(); question != null; question = next()) {
            InetAddress address = null;
            Throwable failure = null;
            try {
                address = lookup.address(question.host);
            } catch (UnknownHostException | RuntimeException | Error e) {
                failure = e;
            }
            for (CompletableFuture<InetAddress> answer : end(question, failure == null)) {
                if (failure == null) {
                    answer.complete(address);
                } else {
                    answer.completeExceptionally(failure);
                }
            }
        }
    }

    /** Returns the next question that has an asker; null if this thread is no longer needed. */
    private synchronized Question next() {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MS);
        idleThreads++;
        try {
            while (true) {
                Question question = first.isEmpty() ? others.poll() : first.poll();
                if (question != null && question.waiting.stream().allMatch(CompletableFuture::isDone)) {
                    questions.remove(question.host);
                } else if (question != null) {
                    return question;
                } else {
                    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
                    if (leftMs <= 0) {
                        threads--;
                        return null;
                    }
                    wait(leftMs);
                }
            }
        } catch (InterruptedException e) {
            threads--;
            return null;
        } finally {
            idleThreads--;
        }
    }

    private synchronized List<CompletableFuture<InetAddress>> end(Question question, boolean resolved) {
        questions.remove(question.host);
        known.remove(question.host);
        if (resolved) {
            known.add(question.host);
            if (known.size() > MAX_KNOWN) {
                known.remove(known.iterator().next());
            }
        }
        return question.waiting;
    }
}
