package io.dubbomesh.benchmark.stub;

import io.dubbomesh.benchmark.NumberProperty;

import java.util.concurrent.TimeUnit;

/**
 * The behaviour of the stub provider; can be changed while it runs.
 *
 * @param delayNs      {@code delay.ms}, fractions allowed: how long a call occupies a thread
 * @param threads      {@code threads}: how many calls are worked on at once; further ones wait in order
 * @param limit {@code limit}: how many calls may be in service, waiting ones included; further ones are answered as a
 *     full Dubbo pool does, with status 100
 * @param refuse       {@code refuse}: answers every call so
 * @param fail         {@code fail}: answers every call at once with status 80, an error of the server
 * @param swallow      {@code swallow}: executes so many calls and does not answer them
 * @param frozen {@code frozen}: neither reads nor answers, as a stopped process; the kernel still accepts and
 *     acknowledges
 * @param answerLength {@code answer.length}: answers a text of so many characters, the hash and then {@code x}, instead
 *     of an int; 0 for the int
 */
public record StubBehaviour(
        long delayNs,
        int threads,
        int limit,
        boolean refuse,
        boolean fail,
        int swallow,
        boolean frozen,
        int answerLength) {
    public static final StubBehaviour DEFAULT =
            new StubBehaviour(0, Integer.MAX_VALUE, Integer.MAX_VALUE, false, false, 0, false, 0);

    /** Less than a Dubbo provider lets pass. */
    private static final int MAX_ANSWER = 8 * 1024 * 1024 - 64;

    private static final NumberProperty DELAY_MS = new NumberProperty("delay.ms", 0, 3_600_000);
    private static final NumberProperty THREADS = new NumberProperty("threads", 1, Integer.MAX_VALUE);
    private static final NumberProperty LIMIT = new NumberProperty("limit", 1, Integer.MAX_VALUE);
    private static final NumberProperty SWALLOW = new NumberProperty("swallow", 0, Integer.MAX_VALUE);
    private static final NumberProperty ANSWER_LENGTH = new NumberProperty("answer.length", 0, MAX_ANSWER);

    /**
     * With another value of one property.
     *
     * @throws IllegalArgumentException if there is no such property, or the value is not one of its values
     */
    public StubBehaviour with(String key, String value) {
        return switch (key) {
            case "delay.ms" -> {
                double ms = DELAY_MS.decimal(name -> value, 0);
                yield withDelayNs((long) (ms * TimeUnit.MILLISECONDS.toNanos(1)));
            }
            case "threads" ->
                new StubBehaviour(
                        delayNs, THREADS.whole(name -> value, 1), limit, refuse, fail, swallow, frozen, answerLength);
            case "limit" ->
                new StubBehaviour(
                        delayNs, threads, LIMIT.whole(name -> value, 1), refuse, fail, swallow, frozen, answerLength);
            case "refuse" ->
                new StubBehaviour(delayNs, threads, limit, isTrue(key, value), fail, swallow, frozen, answerLength);
            case "fail" ->
                new StubBehaviour(delayNs, threads, limit, refuse, isTrue(key, value), swallow, frozen, answerLength);
            case "swallow" -> withSwallow(SWALLOW.whole(name -> value, 0));
            case "frozen" ->
                new StubBehaviour(delayNs, threads, limit, refuse, fail, swallow, isTrue(key, value), answerLength);
            case "answer.length" ->
                new StubBehaviour(
                        delayNs, threads, limit, refuse, fail, swallow, frozen, ANSWER_LENGTH.whole(name -> value, 0));
            default ->
                throw new IllegalArgumentException(
                        key + " (expected: delay.ms, threads, limit, refuse, fail, swallow, frozen or answer.length)");
        };
    }

    private static boolean isTrue(String key, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(key + ": " + value + " (expected: true or false)");
        };
    }

    public StubBehaviour withDelayNs(long ns) {
        return new StubBehaviour(ns, threads, limit, refuse, fail, swallow, frozen, answerLength);
    }

    public StubBehaviour withSwallow(int count) {
        return new StubBehaviour(delayNs, threads, limit, refuse, fail, count, frozen, answerLength);
    }
}
