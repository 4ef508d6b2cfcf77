package io.dubbomesh.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.FaultyProxy;

import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/** Endpoints that become something else than a consumer agent remembers of them. */
public final class EndpointChangeRows {
    private static final String OTHER_SERVICE = "com.example.Other";
    /** The agents give their keys leases of 30 s, which etcd ends a little later. */
    private static final double LAPSED_SECONDS = 40;

    private EndpointChangeRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                                "E12",
                                "one of two provider agents killed; at once an agent of another service starts at its address",
                                "no call fails 0.2 s after the kill; none goes there; the address serves the old service no more once"
                                        + " etcd's key is gone",
                                EndpointChangeRows::anotherService)
                        .within(150),
                Row.of(
                        "E13",
                        "a consumer agent cut off from etcd for 4 s, twice; one of three provider agents is told to drain"
                                + " meanwhile, another one to end",
                        "no call to them 1 s later, nor after healing; 0 failed; the first is called 5 s after its drain ends",
                        EndpointChangeRows::drainUnseen));
    }

    private static void anotherService(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).start();
        Part killed = mesh.agent(1);
        String key = mesh.key(1);
        Part successor = site.providerAgent(
                "successor",
                Host.HOME,
                mesh.provider(1).port(),
                mesh.registry(),
                List.of("-Dserver.port=" + killed.port(), "-Ddubbo.services=" + OTHER_SERVICE));
        Load load = mesh.load(Workload.rate(150));
        pause(2);
        killed.kill();
        long killedNs = System.nanoTime();
        int executed = mesh.provider(1).executions().count();
        successor.restart();
        double lapsed =
                Wait.seconds(LAPSED_SECONDS, () -> !mesh.etcd().entries().containsKey(key));
        pause(3);
        boolean serves = serves(mesh.consumer(), "127.0.0.1:" + killed.port());
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none(
                        "failed 0.2 s after the kill",
                        calls.from(killedNs + 200_000_000).failed().count())
                .atMost("failed at the kill", calls.failed().count(), 20)
                .none(
                        "calls to the provider behind it",
                        mesh.provider(1).executions().count() - executed)
                .atMost("s until etcd's key is gone", lapsed, LAPSED_SECONDS - 1)
                .holds("it is no endpoint of the service then", !serves);
    }

    private static boolean serves(Part consumer, String address) throws Exception {
        JsonNode services = new ObjectMapper().readTree(consumer.admin("/api/v1/services"));
        for (JsonNode service : services.findParents("endpoints")) {
            boolean isOld = service.toString().contains('"' + Workload.SERVICE + '"');
            if (isOld && service.path("endpoints").toString().contains('"' + address + '"')) {
                return true;
            }
        }
        return false;
    }

    private static void drainUnseen(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        FaultyProxy cable = site.proxy(site.port(), mesh.etcd().port());
        Part consumer = site.consumerAgent("cut-off-agent", "etcd://127.0.0.1:" + cable.port(), List.of());
        consumer.restart();
        site.call(Workload.closed(12), 2, consumer);
        Load load = site.load(Workload.rate(150), consumer);

        cable.stall();
        mesh.agent(0).drain();
        pause(1);
        int drained = mesh.provider(0).executions().count();
        pause(3);
        heal(cable);
        int afterDrain = mesh.provider(0).executions().count() - drained;

        mesh.agent(0).endDrain();
        double back = Wait.seconds(20, () -> mesh.provider(0).executions().count() > drained + afterDrain);

        cable.stall();
        mesh.agent(1).terminate();
        pause(1);
        int left = mesh.provider(1).executions().count();
        pause(3);
        heal(cable);
        boolean ended = mesh.agent(1).awaitEnd(15);
        int afterEnd = mesh.provider(1).executions().count() - left;
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .none("calls to the one that drains, from 1 s on", afterDrain)
                .atMost("s until it is called again", back, 5)
                .none("calls to the one that leaves, from 1 s on", afterEnd)
                .holds("it has ended", ended);
    }

    private static void heal(FaultyProxy cable) throws Exception {
        cable.resume();
        cable.cut();
        pause(3);
    }
}
