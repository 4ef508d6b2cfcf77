package io.dubbomesh.meshctl.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;

@Command(
        name = "call",
        description = {
            "Calls a method of a service and prints its result in JSON.",
            "An argument is JSON; text needs no quotes where the method takes text, or where it is no JSON."
        })
public final class CallCommand extends MethodCommand {
    @Option(
            names = {"-v", "--verbose"},
            description = "Print status, header and time of the answer to standard error.")
    private boolean verbose;

    @Override
    void descriptionFailed(HttpResponse<String> response, long tookNs) {
        printHead(response, tookNs);
    }

    @Override
    void print(HttpResponse<String> response, long tookNs) {
        printHead(response, tookNs);
        if (json() || !hasFailed(response)) {
            out().println(response.body());
        } else {
            throw failure(response);
        }
    }

    private void printHead(HttpResponse<String> response, long tookNs) {
        if (verbose) {
            err().printf(
                            "HTTP %d after %.1f ms%n",
                            response.statusCode(), tookNs / (double) TimeUnit.MILLISECONDS.toNanos(1));
            response.headers()
                    .map()
                    .forEach((header, values) -> values.forEach(value -> err().println(header + ": " + value)));
            err().flush();
        }
    }
}
