package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.type.JsonShape;
import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The methods of one name. A call that names no parameter types is one of that which alone has so many parameters, or
 * takes these values, or {@linkplain Arguments#isPreferred is meant} by them. Owned by one event loop.
 */
final class Overloads {
    private static final int MAX_SIGNATURES = 2000;

    /** @param arguments of the method as its interface declares them */
    record Candidate(MethodDefinition method, Arguments arguments, DubboRequest request) {
        /** Returns the value of the header that names this method. */
        private String types() {
            return '"' + String.join(", ", method.parameterTypes()) + '"';
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
        List<JsonShape> values = call.isForm()
                ? Arguments.formShapes(call.buffer(), call.offset(), call.length())
                : Arguments.jsonShapes(call.buffer(), call.offset(), call.length());
        List<Candidate> ofCount = candidates.stream()
                .filter(each -> each.method.parameterTypes().size() == values.size())
                .toList();
        if (ofCount.isEmpty()) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "arguments: " + values.size() + " (expected: those of one of " + joined(candidates, "; ") + ')');
        }
        if (ofCount.size() == 1) {
            return ofCount.get(0).request;
        }
        List<Candidate> fitting = fitting(ofCount, call);
        for (Candidate each : fitting) {
            if (fitting.stream().allMatch(other -> isPreferred(each, other, values))) {
                return each.request;
            }
        }
        throw ambiguous(fitting, values);
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

    /** Names only those to which no other one is preferred. */
    private static CallException ambiguous(List<Candidate> fitting, List<JsonShape> values) {
        List<Candidate> best = fitting.stream()
                .filter(each -> fitting.stream()
                        .noneMatch(other ->
                                other != each && isPreferred(other, each, values) && !isPreferred(each, other, values)))
                .toList();
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
