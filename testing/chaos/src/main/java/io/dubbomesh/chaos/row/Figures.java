package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Call;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.site.Executions;
import io.dubbomesh.chaos.site.Part;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of a row, and whether each is as wanted. Filled by the row's thread, read by any. */
public final class Figures {
    private final List<String> texts = new ArrayList<>();
    private boolean passed = true;

    public Figures atMost(String what, double value, double limit) {
        return add(what + " " + number(value), value <= limit, "at most " + number(limit));
    }

    public Figures atLeast(String what, double value, double limit) {
        return add(what + " " + number(value), value >= limit, "at least " + number(limit));
    }

    public Figures equal(String what, long value, long wanted) {
        return add(what + " " + value, value == wanted, Long.toString(wanted));
    }

    /** 0 is wanted. */
    public Figures none(String what, long value) {
        return equal(what, value, 0);
    }

    public Figures holds(String what, boolean value) {
        return add(what + ": " + (value ? "yes" : "no"), value, "yes");
    }

    /** Adds a note for the reader only. */
    public Figures note(String text) {
        return add(text, true, "");
    }

    public Figures fail(String why) {
        return add(why, false, "");
    }

    private synchronized Figures add(String text, boolean good, String wanted) {
        texts.add(good ? text : "**" + text + "**" + (wanted.isEmpty() ? "" : " (wanted: " + wanted + ")"));
        passed &= good;
        return this;
    }

    /** Returns how many lines of a text have this word. */
    public static long linesWith(String text, String word) {
        return text.lines().filter(line -> line.contains(word)).count();
    }

    private static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e9) {
            return Long.toString((long) value);
        }
        return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.2f" : "%.1f", value);
    }

    /** Checks what every row demands: each call answered once and rightly, and executed at most once. */
    public Figures nothingLost(Calls calls, List<Part> providers) throws IOException {
        return nothingWrong(calls, providers)
                .none("lost", calls.where(Call::isLost).count());
    }

    /** The same where connections may break, since the consumer agent is killed. */
    public Figures nothingWrong(Calls calls, List<Part> providers) throws IOException {
        Executions executions = Executions.of(providers);
        Calls refused = calls.withStatus(503).where(call -> executions.has(call.hash()));
        Calls phantoms = calls.good().where(call -> !executions.has(call.hash()));
        return note(calls.count() + " calls")
                .none("wrong", calls.where(Call::isWrong).count())
                .none(
                        "executed twice",
                        calls.where(call -> executions.times(call.hash()) > 1).count())
                .none("executed though refused", refused.count())
                .none("answered without execution", phantoms.count());
    }

    public synchronized boolean passed() {
        return passed && !texts.isEmpty();
    }

    @Override
    public synchronized String toString() {
        return String.join("; ", texts);
    }
}
