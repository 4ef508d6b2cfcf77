package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;

import java.io.IOException;

/** Calls that are sent one by one, to see whether an agent still serves. */
public final class SingleCalls {
    private SingleCalls() {}

    /** Returns how many of so many calls, each on a connection of its own, are answered rightly. */
    public static int rightAnswers(Part consumer, int calls) throws IOException {
        int right = 0;
        for (int i = 0; i < calls; i++) {
            String argument = "alive-" + i;
            HttpAnswer answer = call(consumer, "hash", argument);
            right += answer.text().equals(Integer.toString(argument.hashCode())) ? 1 : 0;
        }
        return right;
    }

    /** Sends one call on a connection of its own. */
    public static HttpAnswer call(Part consumer, String method, String argument) throws IOException {
        String form = "interface=" + Workload.SERVICE + "&method=" + method
                + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=" + argument;
        return HttpSocket.once(
                consumer.port(), HttpSocket.request("POST /", form, "Content-Type: application/x-www-form-urlencoded"));
    }
}
