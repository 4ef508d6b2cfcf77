package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The switches of the agents in {@code benchmark/ladder}, and the order in which the entries of 2018 flipped them. */
final class LadderSteps {
    private static final String LEAK_DETECTION = "io.netty.leakDetection.level";
    private static final String PREFIX = "ladder.";

    /** Where the steps begin; at the top none of these is set. */
    private static final List<String> BOTTOM = List.of(
            "wait=future",
            "balance=random",
            "link=http",
            "loops=own",
            "dubbo.connections=4",
            "transport=nio",
            "quickack=false",
            "nodelay=false",
            "http=netty",
            "flush=write",
            "decode=frame");

    /** From the bottom to the top; what is flipped together stands in one step. */
    private static final List<List<String>> CLIMB = List.of(
            List.of("wait=callback"),
            List.of("balance=weighted"),
            List.of("link=protobuf"),
            List.of("loops=shared"),
            List.of("dubbo.connections=1"),
            List.of("transport=epoll"),
            List.of("link=mesh"),
            List.of("nodelay=true", "quickack=true"),
            List.of("http=own"),
            List.of("flush=turn"),
            List.of("decode=batch"));

    /** With the sockets' step goes Netty's leak detection. */
    private static final String WITHOUT_LEAK_DETECTION = "quickack=true";

    private LadderSteps() {}

    /** By their names, the JVMs' arguments: the top, then each step taken back alone. */
    static Map<String, List<String>> eachAlone() {
        Map<String, List<String>> sides = new LinkedHashMap<>();
        sides.put("top", arguments(Map.of(), false));
        for (String step : BOTTOM) {
            Map<String, String> switches = new LinkedHashMap<>();
            put(switches, step);
            if (step.equals("transport=nio")) {
                // It has no such option.
                put(switches, "quickack=false");
            }
            sides.put(step, arguments(switches, false));
        }
        sides.put("link=protobuf", arguments(Map.of("link", "protobuf"), false));
        sides.put("leak-detection", arguments(Map.of(), true));
        return sides;
    }

    /** By their names, the JVMs' arguments: the bottom, then one step more each. */
    static Map<String, List<String>> climb() {
        Map<String, List<String>> sides = new LinkedHashMap<>();
        Map<String, String> switches = new LinkedHashMap<>();
        BOTTOM.forEach(step -> put(switches, step));
        boolean leakDetection = true;
        sides.put("bottom", arguments(switches, leakDetection));
        for (List<String> steps : CLIMB) {
            steps.forEach(step -> put(switches, step));
            leakDetection &= !steps.contains(WITHOUT_LEAK_DETECTION);
            sides.put("+" + String.join("+", steps), arguments(switches, leakDetection));
        }
        return sides;
    }

    private static void put(Map<String, String> switches, String step) {
        int equals = step.indexOf('=');
        switches.put(step.substring(0, equals), step.substring(equals + 1));
    }

    private static List<String> arguments(Map<String, String> switches, boolean leakDetection) {
        List<String> arguments = new ArrayList<>();
        switches.forEach((key, value) -> arguments.add("-D" + PREFIX + key + "=" + value));
        arguments.add(leakDetection(leakDetection));
        return List.copyOf(arguments);
    }

    static String leakDetection(boolean on) {
        return "-D" + LEAK_DETECTION + "=" + (on ? "simple" : "disabled");
    }
}
