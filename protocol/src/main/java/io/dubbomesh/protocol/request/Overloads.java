package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.request.CallArguments.Form;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.type.JsonShape;
import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The methods of one name. A call that names no parameter types is one of that which alone has so many parameters, or
 * takes these values, or {@linkplain Arguments#isPreferred is meant} by them. An object that no method takes as its
 * only argument has the arguments of one with parameters of these names. Owned by one event loop.
 */
final class Overloads {
    private static final int MAX_SIGNATURES = 2000;

    /** @param arguments of the method as its interface declares them */
    record Candidate(MethodDefinition method, Arguments arguments, DubboRequest request) {
        /** Returns the value of the header that names this method. */
        private String types() {
            return '"' + String.join(", ", method.parameterTypes()) + '"';
        }

        /** Returns the names of several parameters; empty if there are none, or they are not known. */
        private List<String> names() {
            List<String> names = method.facts().names();
            return names.size() > 1 ? names : List.of();
        }
    }

    private final List<Candidate> candidates;

    Overloads(List<Candidate> candidates) {
        this.candidates = candidates;
    }

    /**
     * @throws CallException BAD_REQUEST if none has so many parameters or several may be meant, BAD_ARGUMENT if none
     *     takes these values
     */
    DubboRequest choose(CallArguments call) throws CallException {
        List<JsonShape> values = call.form() == Form.TEXTS
                ? Arguments.formShapes(call.buffer(), call.offset(), call.length())
                : Arguments.jsonShapes(call.buffer(), call.offset(), call.length());
        List<Candidate> ofCount = candidates.stream()
                .filter(each -> each.method.parameterTypes().size() == values.size())
                .toList();
        if (call.form() == Form.OBJECT
                && candidates.stream().anyMatch(each -> !each.names().isEmpty())) {
            DubboRequest named = chooseByName(ofCount, call);
            if (named != null) {
                return named;
            }
        }
        if (ofCount.isEmpty()) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "arguments: " + values.size() + " (expected: those of one of " + joined(candidates, "; ") + ')');
        }
        return ofCount.size() == 1 ? ofCount.get(0).request : choose(fitting(ofCount, call), values);
    }

    /** Returns null if the object is the only argument of a method, or none has parameters of these names. */
    private DubboRequest chooseByName(List<Candidate> ofOne, CallArguments call) throws CallException {
        NamedArguments arguments = NamedArguments.read(call.buffer(), call.offset(), call.length());
        if (arguments == null) {
            return null;
        }
        List<Candidate> named = candidates.stream()
                .filter(each -> arguments.areOf(each.names()))
                .toList();
        if (named.isEmpty() && ofOne.isEmpty()) {
            String known = candidates.stream()
                    .filter(each -> !each.names().isEmpty())
                    .map(each -> String.join(", ", each.names()))
                    .distinct()
                    .collect(Collectors.joining("; "));
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "arguments by name: " + arguments.names() + " (expected: those of a method "
                            + candidates.get(0).method.name() + ", each once: "
                            + Quoted.plain(known, MAX_SIGNATURES) + ')');
        }
        if (named.isEmpty() || isTaken(ofOne, call)) {
            return null;
        }
        if (named.size() == 1) {
            return named.get(0).request;
        }
        List<Candidate> fitting = fitting(named, call);
        boolean inOneOrder = fitting.stream().map(Candidate::names).distinct().count() == 1;
        if (!inOneOrder) {
            throw ambiguous(fitting);
        }
        ByteBuf array = arguments.toArray(fitting.get(0).method);
        return choose(fitting, Arguments.jsonShapes(array, 0, array.readableBytes()));
    }

    private static boolean isTaken(List<Candidate> ofOne, CallArguments call) {
        try {
            return !ofOne.isEmpty() && !fitting(ofOne, call).isEmpty();
        } catch (CallException e) {
            return false;
        }
    }

    /** @param fitting that take these values */
    private static DubboRequest choose(List<Candidate> fitting, List<JsonShape> values) throws CallException {
        for (Candidate each : fitting) {
            if (fitting.stream().allMatch(other -> isPreferred(each, other, values))) {
                return each.request;
            }
        }
        // Only those to which no other one is preferred.
        throw ambiguous(fitting.stream()
                .filter(each -> fitting.stream()
                        .noneMatch(other ->
                                other != each && isPreferred(other, each, values) && !isPreferred(each, other, values)))
                .toList());
    }

    private static List<Candidate> fitting(List<Candidate> candidates, CallArguments call) throws CallException {
        List<Candidate> fitting = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        ByteBuf scratch = call.buffer().alloc().heapBuffer(call.length());
        try {
            for (Candidate each : candidates) {
                try {
                    each.request.checkArguments(scratch.clear(), call);
                    fitting.add(each);
                } catch (CallException e) {
                    if (e.outcome() == Outcome.VALIDATION_FAILED) {
                        // It takes values of these types.
                        fitting.add(each);
                        continue;
                    }
                    refusals.add(each.method.signature() + ": " + e.getMessage());
                }
            }
        } finally {
            scratch.release();
        }
        if (fitting.isEmpty()) {
            throw new CallException(
                    Outcome.BAD_ARGUMENT,
                    Quoted.plain(
                            "no method " + candidates.get(0).method.name() + " takes these arguments: "
                                    + String.join("; ", refusals),
                            MAX_SIGNATURES));
        }
        return fitting;
    }

    private static boolean isPreferred(Candidate one, Candidate other, List<JsonShape> values) {
        return one == other || one.arguments.isPreferred(other.arguments, values);
    }

    private static CallException ambiguous(List<Candidate> best) {
        return new CallException(
                Outcome.BAD_REQUEST,
                "method " + best.get(0).method.name()
                        + " is overloaded, and the arguments fit several: name the parameter"
                        + " types in the header X-Dubbo-Parameter-Types (expected: one of "
                        + Quoted.plain(
                                best.stream().map(Candidate::types).collect(Collectors.joining("; ")), MAX_SIGNATURES)
                        + ")");
    }

    private static String joined(List<Candidate> candidates, String separator) {
        return Quoted.plain(
                candidates.stream().map(each -> each.method.signature()).collect(Collectors.joining(separator)),
                MAX_SIGNATURES);
    }
}
