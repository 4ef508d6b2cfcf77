package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.hostile.HostileProvider.Answer;
import io.dubbomesh.chaos.hostile.HostileProvider.Held;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Peak;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpAnswer;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Providers whose bytes are not those of a provider. */
public final class HostileProviderRows {
    private static final int OK = 200;
    private static final int BAD_GATEWAY = 502;
    private static final int TIMED_OUT = 504;
    private static final String SEVEN = "7";

    private static final int OTHERS = 4;
    private static final String DEADLINE = "X-Request-Timeout: 1500";
    private static final int SILENCE_MS = 4_000;

    private static final int HESSIAN_ANSWER = 0x02;
    private static final int KRYO_ANSWER = 0x08;
    private static final int UNKNOWN_ANSWER = 0x1f;
    private static final int HEARTBEAT = 0xe2;
    private static final int ONE_WAY_EVENT = 0xa2;
    private static final int CALL = 0xc2;

    /** A frame within a text: U+06BB is da bb in UTF-8. */
    private static final String FRAMES_AS_TEXT = ("\u06bb\u0002\u0014" + "\0".repeat(12) + "x").repeat(10);

    private HostileProviderRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "P3",
                "a provider answers with malformed Dubbo frames: magic, length, serialization, flags, cut short, with bytes too many,"
                        + " twice, with unknown ids, events; four other calls are in flight beside each",
                "a malformed frame: that connection closed, its calls 502 (504 if the rest never comes), another one in 1 s; else the"
                        + " others right; memory does not follow a declared length; calls of a good provider right",
                HostileProviderRows::malformedFrames));
    }

    /**
     * A call and its answer.
     *
     * @param status of that call
     * @param value  that it is answered with, if it is
     * @param others status of the other calls in flight, which are answered well after it
     * @param closes whether it ends the connection
     */
    private record Vector(String name, Answer answer, int status, String value, int others, boolean closes) {
        static Vector closing(String name, Answer answer) {
            return new Vector(name, answer, BAD_GATEWAY, SEVEN, BAD_GATEWAY, true);
        }

        /** Its frame is not complete when the deadline of all calls is over. */
        static Vector silent(String name, Answer begun) {
            return new Vector(
                    name,
                    (connection, id) -> {
                        begun.send(connection, id);
                        pause(SILENCE_MS);
                        throw new EOFException("the frame is never complete");
                    },
                    TIMED_OUT,
                    SEVEN,
                    TIMED_OUT,
                    true);
        }

        static Vector harmless(String name, int status, Answer answer) {
            return new Vector(name, answer, status, SEVEN, OK, false);
        }
    }

    private static Answer frame(int flags, String body) {
        return (connection, id) -> connection.send(DubboFrame.frame(flags, DubboFrame.OK, id, body));
    }

    /** @param more bytes of the body that come */
    private static Answer declaring(int flags, int length, int more) {
        return (connection, id) -> connection.send(
                "dabb" + Hex.u8(flags) + Hex.u8(DubboFrame.OK) + Hex.u64(id) + Hex.u32(length) + "91".repeat(more));
    }

    private static List<Vector> malformed() {
        String good = HostileProvider.GOOD_BODY;
        return List.of(
                Vector.closing(
                        "the frame of dubbo#16447", (connection, id) -> connection.send("dabbc200" + "ff".repeat(12))),
                Vector.closing("length -1", declaring(HESSIAN_ANSWER, -1, 0)),
                Vector.closing("length -2^31", declaring(HESSIAN_ANSWER, Integer.MIN_VALUE, 0)),
                Vector.closing("length 2^31-1", declaring(HESSIAN_ANSWER, Integer.MAX_VALUE, 1000)),
                Vector.closing("length 8 MiB + 1", declaring(HESSIAN_ANSWER, (8 << 20) + 1, 1000)),
                Vector.closing("a call of 2^31-1", declaring(CALL, Integer.MAX_VALUE, 0)),
                Vector.closing("an event of 2^31-1", declaring(ONE_WAY_EVENT, Integer.MAX_VALUE, 0)),
                Vector.closing("an event of 1 MiB", declaring(ONE_WAY_EVENT, 1 << 20, 1000)),
                Vector.closing("bad magic", (connection, id) -> connection.send("dabc0214" + Hex.u64(id) + "00000000")),
                Vector.closing(
                        "HTTP", (connection, id) -> connection.send(Hex.text("HTTP/1.1 400 Bad Request\r\n\r\n"))),
                Vector.closing("serialization id 31", frame(UNKNOWN_ANSWER, good)),
                Vector.closing("cut short and closed", (connection, id) -> {
                    sendHalf(connection::send, id);
                    connection.close();
                }),
                Vector.silent("cut short and silent", (connection, id) -> sendHalf(connection::send, id)),
                Vector.silent("8 MiB declared, then silent", declaring(HESSIAN_ANSWER, 8 << 20, 1000)),
                new Vector(
                        "bytes behind the frame",
                        (connection, id) ->
                                connection.send(DubboFrame.answer(id, DubboFrame.OK, good) + "00".repeat(16)),
                        OK,
                        SEVEN,
                        BAD_GATEWAY,
                        true));
    }

    private static List<Vector> harmless() {
        String good = HostileProvider.GOOD_BODY;
        return List.of(
                Vector.harmless("length 0", BAD_GATEWAY, frame(HESSIAN_ANSWER, "")),
                Vector.harmless("another serialization", BAD_GATEWAY, frame(KRYO_ANSWER, good)),
                Vector.harmless("bytes behind the value", BAD_GATEWAY, frame(HESSIAN_ANSWER, good + "4e4e")),
                Vector.harmless("a value cut short", BAD_GATEWAY, frame(HESSIAN_ANSWER, "91 49 00")),
                new Vector(
                        "frames within a text",
                        frame(HESSIAN_ANSWER, "91" + DubboFrame.text(FRAMES_AS_TEXT)),
                        OK,
                        FRAMES_AS_TEXT,
                        OK,
                        false),
                Vector.harmless("answered twice", OK, (connection, id) -> {
                    connection.answer(id, DubboFrame.OK, good);
                    connection.answer(id, DubboFrame.OK, "91 49" + Hex.u32(8));
                }),
                Vector.harmless("unknown ids", OK, (connection, id) -> {
                    for (long unknown : new long[] {id + 1000, -id, 0, Long.MAX_VALUE, Long.MIN_VALUE}) {
                        connection.answer(unknown, DubboFrame.OK, "91 49" + Hex.u32(8));
                    }
                    connection.answer(id, DubboFrame.OK, good);
                }),
                Vector.harmless("a call of the agent", OK, (connection, id) -> {
                    connection.send(DubboFrame.frame(CALL, 0, id, good));
                    connection.answer(id, DubboFrame.OK, good);
                }),
                Vector.harmless("10,000 heartbeats", OK, (connection, id) -> {
                    connection.send(DubboFrame.frame(HEARTBEAT, 0, 1, "4e").repeat(10_000));
                    connection.answer(id, DubboFrame.OK, good);
                }));
    }

    private interface Sender {
        void send(String hex) throws IOException;
    }

    private static void sendHalf(Sender sender, long id) throws IOException {
        sender.send("dabb0214" + Hex.u64(id) + Hex.u32(100) + "91".repeat(50));
    }

    private static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The results of all vectors together. */
    private static final class Tally {
        double longestSeconds;
        int othersAsWanted;
        int wrongValues;
        int connections;
    }

    private static void malformedFrames(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).start();
        HostileProvider hostile = HostileProvider.start(site, mesh);
        Load load = mesh.load(Workload.rate(50));
        Part agent = hostile.agent();
        double before = agent.rssMib();
        List<Vector> malformed = malformed();
        List<Vector> harmless = harmless();
        ExecutorService clients = Executors.newFixedThreadPool(OTHERS + 1);
        Tally malformedTally = new Tally();
        Tally harmlessTally = new Tally();
        double most;
        try {
            most = Peak.of(agent).during(() -> {
                for (Vector vector : malformed) {
                    meet(vector, hostile, clients, figures, malformedTally);
                }
                for (Vector vector : harmless) {
                    meet(vector, hostile, clients, figures, harmlessTally);
                }
            });
        } finally {
            clients.shutdownNow();
        }
        Calls calls = load.stop();
        int vectors = malformed.size() + harmless.size();
        figures.equal(
                        "other calls answered as wanted",
                        malformedTally.othersAsWanted + harmlessTally.othersAsWanted,
                        OTHERS * vectors)
                .none("wrong values", malformedTally.wrongValues + harmlessTally.wrongValues)
                .atMost("s until another connection", malformedTally.longestSeconds, 1)
                .none("connections closed by harmless frames", harmlessTally.connections)
                .atMost("MiB more", most - before, 8)
                .holds("the agent lives", agent.isAlive())
                .nothingLost(calls, mesh.providers())
                .none("calls of the good provider failed", calls.failed().count());
    }

    private static void meet(
            Vector vector, HostileProvider hostile, ExecutorService clients, Figures figures, Tally tally)
            throws Exception {
        hostile.awaitGoodAnswer();
        int connections = hostile.accepted();
        List<Future<HttpAnswer>> others = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            others.add(clients.submit(() -> hostile.call("hold", DEADLINE)));
        }
        List<Held> held = hostile.awaitHeld(OTHERS);
        hostile.answerWith((connection, id) -> {
            vector.answer().send(connection, id);
            for (Held each : held) {
                each.answer();
            }
        });
        Future<HttpAnswer> bad = clients.submit(() -> hostile.call("bad", DEADLINE));
        if (vector.closes() && vector.status() != TIMED_OUT) {
            double seconds = Wait.seconds(5, () -> hostile.accepted() > connections);
            tally.longestSeconds = Math.max(tally.longestSeconds, seconds);
        }
        HttpAnswer answer = bad.get();
        figures.equal(vector.name() + " becomes", answer.status(), vector.status());
        tally.wrongValues += answer.status() == OK && !answer.text().equals(vector.value()) ? 1 : 0;
        for (Future<HttpAnswer> other : others) {
            tally.othersAsWanted += other.get().status() == vector.others() ? 1 : 0;
        }
        tally.connections += hostile.accepted() - connections;
    }
}
