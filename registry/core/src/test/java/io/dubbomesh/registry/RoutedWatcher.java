package io.dubbomesh.registry;

import io.dubbomesh.testsupport.Await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** Takes directories, and compares where they route the calls of {@code com.example.Greeter}. */
public final class RoutedWatcher implements Consumer<Directory> {
    private static final String SERVICE = "com.example.Greeter";
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final BlockingQueue<Directory> directories = new LinkedBlockingQueue<>();
    private String last = "";

    @Override
    public void accept(Directory directory) {
        directories.add(directory);
    }

    /** Returns the directories that were not awaited yet. */
    public BlockingQueue<Directory> directories() {
        return directories;
    }

    /** @param expected hosts and weights of an untagged call, and what is wrong with rules */
    public void await(String expected) throws InterruptedException {
        while (!last.equals(expected)) {
            last = text(Await.next(LIMIT, directories, expected + ", only " + last));
        }
    }

    /** Returns the same of the next directory. */
    public String text() throws InterruptedException {
        return text(Await.next(LIMIT, directories, "a directory"));
    }

    private static String text(Directory directory) {
        List<Endpoint> endpoints = directory.endpoints(SERVICE);
        RoutingRules rules = directory.rules(SERVICE);
        if (endpoints != null && rules != null) {
            RoutedCall call = new RoutedCall(
                    SERVICE, "", "", "greet", Map.of(), new RoutedConsumer("shop", "192.0.2.100", "", false));
            endpoints = rules.route(endpoints, call).endpoints();
        }
        StringBuilder text = new StringBuilder();
        if (endpoints != null) {
            endpoints.forEach(each -> text.append(each.host().substring(8))
                    .append('*')
                    .append(each.weight())
                    .append(' '));
        }
        directory.ruleReports().forEach(report -> text.append(report.problem() == null ? "" : report.problem()));
        return text.toString().strip();
    }
}
