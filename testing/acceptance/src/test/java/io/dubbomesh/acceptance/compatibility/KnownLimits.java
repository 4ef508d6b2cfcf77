package io.dubbomesh.acceptance.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads {@code compatibility.limits}, whose head describes its syntax: what a provider cannot do, and the answer in
 * that case.
 */
final class KnownLimits {

    /**
     * @param reason    from 0, as the reasons stand in the file
     * @param selector  the signature of a method, and the arguments and a header if it is about some of its calls only
     * @param answer    the answer in that case; null if it is right, and in the {@linkplain Setup#base base} it is not
     */
    record Limit(int reason, List<Setup> setups, List<CallStyle> styles, String selector, ExpectedAnswer answer) {

        boolean concerns(Setup setup, CallStyle style, Call call) {
            return setups.contains(setup) && styles.contains(style) && concerns(call);
        }

        boolean concerns(Call call) {
            String whole = call.signature() + " " + call.arguments() + " > " + call.query()
                    + String.join(" > ", call.headers());
            return selector.equals(call.signature()) || whole.equals(selector) || whole.startsWith(selector + " > ");
        }
    }

    private final List<String> reasons = new ArrayList<>();
    private final List<Limit> limits = new ArrayList<>();

    private KnownLimits() {}

    static KnownLimits read(Path file) throws IOException {
        KnownLimits known = new KnownLimits();
        for (String line : Files.readAllLines(file)) {
            try {
                known.add(CallTable.repeated(line));
            } catch (RuntimeException e) {
                throw new IOException(file.getFileName() + ": " + line, e);
            }
        }
        return known;
    }

    private void add(String line) {
        if (line.startsWith("= ")) {
            reasons.add(line.substring(2));
        } else if (!line.isEmpty() && !line.startsWith("#")) {
            String[] columns = CallTable.columns(line, 4);
            limits.add(new Limit(
                    reasons.size() - 1,
                    columns[0].equals("alone")
                            ? Setup.alone()
                            : Arrays.stream(columns[0].split(", "))
                                    .map(Setup::labelled)
                                    .toList(),
                    CallTable.styles(columns[1]),
                    columns[2],
                    columns[3].equals("right") ? null : ExpectedAnswer.of(columns[3])));
        }
    }

    List<String> reasons() {
        return reasons;
    }

    List<Limit> all() {
        return limits;
    }

    /** The limits of a set-up are those of its {@linkplain Setup#base base}, but for its own. Null if there is none. */
    Limit of(Setup setup, CallStyle style, Call call) {
        for (Limit limit : limits) {
            if (limit.concerns(setup, style, call)) {
                return limit.answer() == null ? null : limit;
            }
        }
        return setup.base() == null ? null : of(setup.base(), style, call);
    }

    /** Whether the answer is another than in the {@linkplain Setup#base base}. */
    boolean isOtherThanBase(Setup setup, CallStyle style, Call call) {
        return setup.base() != null && limits.stream().anyMatch(limit -> limit.concerns(setup, style, call));
    }
}
