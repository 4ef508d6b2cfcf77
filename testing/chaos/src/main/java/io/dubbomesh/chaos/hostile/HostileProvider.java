package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ScriptedProvider;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A provider whose bytes are those of a row, with an agent and a service of its own, beside a good one in the same
 * mesh. Its agent has one event loop, so that all calls are on one connection. {@code good} is answered with 7,
 * {@code hold} when the row says so, and {@code bad} with the bytes of the moment.
 */
final class HostileProvider {
    static final String GOOD_BODY = "91 49" + Hex.u32(7);

    static final String SERVICE = "io.dubbomesh.chaos.Hostile";
    private static final int GOOD = 200;
    private static final int NOT_IN_ROTATION = 503;
    private static final int WARM_UP_CALLS = 300;
    private static final double RECOVERY_SECONDS = 10;

    private final Mesh mesh;
    private final ScriptedProvider provider;
    private final Part agent;
    private final List<Held> held = new CopyOnWriteArrayList<>();
    private volatile Answer answer = (connection, id) -> {};

    /** A call that waits for its answer. */
    record Held(DubboConnection connection, DubboFrame call) {
        void answer() throws IOException {
            connection.answer(call.id(), DubboFrame.OK, GOOD_BODY);
        }
    }

    /** The answer to a call. */
    @FunctionalInterface
    interface Answer {
        void send(DubboConnection connection, long id) throws IOException;
    }

    private HostileProvider(Site site, Mesh mesh, List<String> agentSettings) throws Exception {
        this.mesh = mesh;
        provider = site.closed(new ScriptedProvider()).serve(this::call);
        List<String> settings = new ArrayList<>(List.of("-Ddubbo.services=" + SERVICE, "-Dio.threads=1"));
        settings.addAll(agentSettings);
        agent = site.providerAgent("hostile-agent", Host.HOME, provider.port(), mesh.registry(), settings);
    }

    /** Starts its agent and makes some calls. */
    static HostileProvider start(Site site, Mesh mesh, String... agentSettings) throws Exception {
        HostileProvider hostile = new HostileProvider(site, mesh, List.of(agentSettings));
        hostile.agent.restart();
        hostile.awaitGoodAnswer();
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            hostile.call("good");
        }
        return hostile;
    }

    private void call(DubboConnection connection, DubboFrame call) throws IOException {
        if (!call.isRequest()) {
            // It refuses a call.
            return;
        }
        switch (call.method()) {
            // So an agent asks whether the service is exported.
            case "$echo" -> connection.answer(call.id(), DubboFrame.OK, "92");
            case "hold" -> held.add(new Held(connection, call));
            case "bad" -> answer.send(connection, call.id());
            default -> connection.answer(call.id(), DubboFrame.OK, GOOD_BODY);
        }
    }

    Part agent() {
        return agent;
    }

    /** The connections of its agent so far. */
    int accepted() {
        return provider.accepted();
    }

    /** Waits for so many calls of {@code hold}, which are the row's to answer from now on. */
    List<Held> awaitHeld(int count) throws Exception {
        Wait.seconds(2, () -> held.size() == count);
        List<Held> all = List.copyOf(held);
        held.clear();
        return all;
    }

    /** Answers {@code bad} so from now on. */
    void answerWith(Answer next) {
        answer = next;
    }

    /** One call on a connection of its own. */
    HttpAnswer call(String method, String... headers) throws IOException {
        String form = "interface=" + SERVICE + "&method=" + method
                + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=x";
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Content-Type: application/x-www-form-urlencoded");
        return HttpSocket.once(mesh.consumer().port(), HttpSocket.request("POST /", form, all.toArray(String[]::new)));
    }

    /** The answer to {@code bad} if it is answered with this status and body. */
    HttpAnswer callAnsweredWith(int dubboStatus, String body) throws Exception {
        answerWith((connection, id) -> connection.answer(id, dubboStatus, body));
        HttpAnswer given = call("bad");
        // Others that failed may have taken the endpoint out of rotation.
        for (int i = 0; i < 3 && given.status() == NOT_IN_ROTATION; i++) {
            awaitGoodAnswer();
            given = call("bad");
        }
        return given;
    }

    /**
     * Returns after how many seconds a call is answered well: what failed may take an endpoint out of rotation for a
     * moment.
     */
    double awaitGoodAnswer() throws Exception {
        return Wait.seconds(RECOVERY_SECONDS, () -> call("good").status() == GOOD);
    }
}
