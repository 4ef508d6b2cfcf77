package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.client.connection.Http2Peer.OK;
import static io.dubbomesh.client.connection.Http2Peer.answer;
import static io.dubbomesh.client.connection.Http2Peer.data;
import static io.dubbomesh.client.connection.Http2Peer.field;
import static io.dubbomesh.client.connection.Http2Peer.goAway;
import static io.dubbomesh.client.connection.Http2Peer.headers;
import static io.dubbomesh.client.connection.Http2Peer.lastData;
import static io.dubbomesh.client.connection.Http2Peer.lastHeaders;
import static io.dubbomesh.client.connection.Http2Peer.maxStreams;
import static io.dubbomesh.client.connection.Http2Peer.message;
import static io.dubbomesh.client.connection.Http2Peer.reset;
import static io.dubbomesh.client.connection.Http2Peer.settings;
import static io.dubbomesh.client.connection.Http2Peer.settingsAcknowledged;
import static io.dubbomesh.client.connection.Http2Peer.trailers;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** The calls of a {@link TripleConnection} before a provider that sends any bytes. */
class TripleConnectionTest {
    private static final int MAX_PAYLOAD = 100_000;
    private static final int SILENCE_MS = 3_000;
    private static final String BLOCK = "83" + "86" + field(":path", "/a.B/c");
    /** The first block of a connection says that the peer needs no table. */
    private static final String NO_TABLE = "20";

    private static final int CANCEL = 8;
    private static final int REFUSED_STREAM = 7;

    private final EmbeddedProvider port = new EmbeddedProvider(1_000_000);
    private final EmbeddedChannel loop = port.loop;
    private final MemoryBudget memory = port.memory();
    private final Calls calls = new Calls();
    private final List<TripleConnection> connections = new ArrayList<>();
    private DubboUpstream upstream;
    private TripleConnection connection;
    private EmbeddedChannel channel;
    private Http2Peer provider;

    @BeforeEach
    void connect() {
        upstream = port.upstream(
                EmbeddedProvider.settings(MAX_PAYLOAD, 60_000, SILENCE_MS, 10_000, false),
                (owner, responses, loopsTurn, same) -> {
                    TripleConnection made =
                            new TripleConnection(owner, responses, loopsTurn, same, TripleConnectionTest::write);
                    connections.add(made);
                    return made;
                });
        upstream.listen(calls, calls);
        upstream.open();
        accept();
        provider.sends(settings() + settingsAcknowledged());
        provider.received();
    }

    /** Status and message of the answer, as text: what a reader of answers gets is not the matter here. */
    private static void write(ByteBuf out, TripleStream stream, Http2Headers trailers) {
        String text = trailers.get("grpc-status") + " "
                + (stream.content().isReadable()
                        ? ByteBufUtil.hexDump(stream.content()).substring(10)
                        : "-");
        DubboHeader.write(out, 2, 20, stream.requestId(), text.length());
        ByteBufUtil.writeAscii(out, text);
    }

    private void accept() {
        channel = port.accept(port.attempts.remove());
        provider = new Http2Peer(channel);
        connection = connections.get(connections.size() - 1);
    }

    @AfterEach
    void close() {
        upstream.close();
        port.close();
        assertThat(memory.used()).as("counted bytes at the end").isZero();
    }

    private long send(long id) {
        return send(id, false);
    }

    private long send(long id, boolean oneWay) {
        long sent = write(id, oneWay);
        loop.runPendingTasks();
        return sent;
    }

    private long write(long id, boolean oneWay) {
        return write(id, AnswerForm.of(oneWay, false), 1_000);
    }

    private long write(long id, AnswerForm form, long timeLeftMs) {
        assertThat(connection.canSend()).isTrue();
        ByteBuf out = connection.requestBuffer(100);
        int offset = out.writerIndex();
        out.writeInt(BLOCK.length() / 2).writeBytes(ByteBufUtil.decodeHexDump(BLOCK));
        out.writeInt(7).writeBytes(ByteBufUtil.decodeHexDump(message("0a0b")));
        assertThat(connection.bodyLength(out, offset)).isEqualTo(7);
        return connection.send(out, offset, id, form, timeLeftMs);
    }

    private void sends(String frames) {
        provider.sends(frames);
        loop.runPendingTasks();
    }

    private List<String> received() {
        loop.runPendingTasks();
        return provider.received();
    }

    @Test
    void aCallIsAStream() {
        send(7);

        assertThat(received()).containsExactly("HEADERS 1 " + NO_TABLE + BLOCK, "DATA 1 " + message("0a0b") + " end");
        sends(answer(1, "0102"));
        assertThat(calls.events).containsExactly("7 answered 0 0102");
        assertThat(connection.watch().hasAnswered()).isTrue();
    }

    @Test
    void anAnswerIsTheSameHoweverItsBytesArrive() {
        String bytes = answer(1, "0102");
        for (int cut = 0; cut <= bytes.length(); cut += 2) {
            long stream = send(7);
            String frames = answer((int) stream, "0102");
            sends(frames.substring(0, cut));
            sends(frames.substring(cut));
        }
        assertThat(calls.events).hasSize(bytes.length() / 2 + 1).containsOnly("7 answered 0 0102");
    }

    @Test
    void aMessageMayComeInPiecesOfOneByteAndAmongThoseOfOthers() {
        send(7);
        send(8);
        String first = message("0102");
        String second = message("030405");
        sends(headers(3, OK) + headers(1, OK));
        for (int i = 0; i < second.length(); i += 2) {
            sends(data(3, second.substring(i, i + 2)) + data(1, ""));
            if (i < first.length()) {
                sends(data(1, first.substring(i, i + 2)));
            }
        }
        sends(trailers(3, 0) + trailers(1, 0));

        assertThat(calls.events).containsExactly("8 answered 0 030405", "7 answered 0 0102");
    }

    @Test
    void anAnswerMayHaveNoMessageOrAnEmptyOne() {
        send(7);
        send(8);
        send(9);
        sends(lastHeaders(1, OK + field("grpc-status", "12")));
        sends(headers(3, OK) + trailers(3, 5));
        sends(answer(5, ""));

        assertThat(calls.events).containsExactly("7 answered 12 -", "8 answered 5 -", "9 answered 0 ");
    }

    @Test
    void anAnswerThatIsNoneOfGrpcEndsTheCallAtOnce() {
        send(7);
        send(8);
        provider.received();
        sends(headers(1, field(":status", "404")) + headers(3, "88" + field("content-type", "text/html")));

        assertThat(calls.events).containsExactly("7 answered null -", "8 answered null -");
        assertThat(received()).containsExactly("RST_STREAM 1 " + CANCEL, "RST_STREAM 3 " + CANCEL);
    }

    @Test
    void informationalAnswersAreNone() {
        send(7);
        sends(headers(1, field(":status", "103")) + answer(1, "01"));

        assertThat(calls.events).containsExactly("7 answered 0 01");
    }

    @Test
    void headerFieldsWithoutAStatusEndTheCall() {
        send(7);
        sends(headers(1, field("content-type", "application/grpc")));

        assertThat(calls.events)
                .singleElement()
                .asString()
                .startsWith("7 failed PROVIDER_ERROR the provider has answered with");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void trailersWithoutHeaderFieldsEndTheCall() {
        send(7);
        sends(trailers(1, 0));

        assertThat(calls.events)
                .singleElement()
                .asString()
                .startsWith("7 failed PROVIDER_ERROR the provider has answered with");
    }

    @Test
    void contentBehindTheTrailersChangesNothing() {
        send(7);
        send(8);
        sends(answer(1, "01"));
        sends(data(1, "02"));
        sends(answer(1, "03"));

        assertThat(calls.events).startsWith("7 answered 0 01").doesNotContain("7 answered 0 03");
    }

    @ParameterizedTest
    @CsvSource({
        "000000000101" + "00, more than one message",
        "010000000101, 'a message with the flags 1 (expected: 0, not compressed)'",
        "00000186a1, a message of 100001 bytes (expected: 0 to 100000)",
        "00ffffffff, a message of 4294967295 bytes (expected: 0 to 100000)",
    })
    void contentThatIsNotOneMessageEndsTheCall(String content, String refusal) {
        send(7);
        provider.received();
        sends(headers(1, OK) + data(1, content));

        assertThat(calls.events).containsExactly("7 failed PROVIDER_ERROR the provider has answered with " + refusal);
        assertThat(received()).containsExactly("RST_STREAM 1 " + CANCEL);
        assertThat(memory.used()).isZero();
    }

    @Test
    void anAnswerWithoutTrailersEndsTheCall() {
        send(7);
        sends(headers(1, OK) + lastData(1, message("01")));

        assertThat(calls.events)
                .containsExactly("7 failed PROVIDER_ERROR the provider has ended its answer without a status");
    }

    @Test
    void aLongMessageCountsWithItsWholeLengthUntilItIsHandedOver() {
        send(7);
        int length = 20_000;
        String content = "01".repeat(length);
        sends(headers(1, OK) + data(1, message(content).substring(0, 20)));
        assertThat(memory.used(Use.FRAMES)).isEqualTo(length);
        String rest = message(content).substring(20);
        sends(data(1, rest.substring(0, 20_000)));
        sends(data(1, rest.substring(20_000)));
        sends(trailers(1, 0));

        assertThat(calls.events).containsExactly("7 answered 0 " + content);
        assertThat(memory.used(Use.FRAMES)).isZero();
    }

    @Test
    void aLongMessageForWhichThereIsNoRoomEndsTheCall() {
        send(7);
        provider.received();
        memory.add(Use.FRAMES, 990_000);
        sends(headers(1, OK) + data(1, "00" + "00004e20" + "01"));
        memory.release(Use.FRAMES, 990_000);

        assertThat(calls.events)
                .containsExactly("7 failed PROVIDER_ERROR the provider has answered with"
                        + " no room for a message of 20000 bytes; the method was executed");
        assertThat(received()).containsExactly("RST_STREAM 1 " + CANCEL);
    }

    @Test
    void aRefusedStreamWasNotExecutedAndAnotherResetHasFailed() {
        send(7);
        send(8);
        sends(reset(1, REFUSED_STREAM));
        sends(reset(3, 2));

        assertThat(calls.events)
                .containsExactly(
                        "7 not executed null",
                        "8 failed PROVIDER_ERROR the provider has ended the call without an answer: INTERNAL_ERROR");
    }

    /** Dubbo 3.3 sends an HTTP status as the code. */
    @Test
    void aStreamThatDubboHasNoThreadForWasNotExecuted() {
        send(7);
        send(8);
        sends(reset(1, 500));
        sends(headers(3, OK) + reset(3, 500));

        assertThat(calls.events)
                .containsExactly(
                        "7 answered with status 100",
                        "8 failed PROVIDER_ERROR the provider has ended the call without an answer: error 500",
                        "room for 1");
    }

    @Test
    void aCallThatIsGivenUpIsCancelled() {
        long sent = send(7);
        provider.received();
        connection.cancel(sent);
        connection.cancel(sent);

        assertThat(received()).containsExactly("RST_STREAM 1 " + CANCEL);
        sends(answer(1, "01"));
        assertThat(calls.events).isEmpty();
        assertThat(connection.awaitsAnswers()).isFalse();
    }

    @Test
    void aLateAnswerOfAnAbandonedCallIsHandedOver() {
        long first = send(7);
        long second = send(8);
        provider.received();
        connection.abandon(first);
        connection.abandon(second);

        assertThat(received()).isEmpty();
        sends(answer(1, "01") + reset(3, 8));
        assertThat(calls.events).containsExactly("7 answered 0 01", "8 answered with status 31");
        assertThat(connection.awaitsAnswers()).isFalse();
    }

    @Test
    void anAbandonedCallDoesNotKeepOthersFromTheProvider() {
        sends(maxStreams(1));
        long sent = send(7);
        provider.received();
        connection.abandon(sent);

        assertThat(received()).containsExactly("RST_STREAM 1 " + CANCEL);
        assertThat(calls.events).containsExactly("room for 1");
        send(8);
    }

    @Test
    void ofOneWayCallsNothingIsSaidButTheConnectionStaysForThem() {
        send(7, true);
        assertThat(connection.flush()).isFalse();
        sends(answer(1, "01"));

        assertThat(connection.flush()).isTrue();
        assertThat(calls.events).isEmpty();
    }

    @Test
    void aProviderThatTakesOneCallAtATimeGetsOneAtATime() {
        sends(maxStreams(1));
        send(7);
        assertThat(connection.canSend()).isFalse();
        assertThat(upstream.isOverfull()).isTrue();
        assertThat(upstream.takesCalls()).isTrue();

        sends(answer(1, "01"));
        assertThat(calls.events).containsExactly("7 answered 0 01", "room for 1");
        send(8);
        sends(maxStreams(3));
        assertThat(calls.events).endsWith("room for 2");
    }

    @Test
    void aConnectionThatGoesAwayAnswersBesideTheNextOne() {
        send(7);
        send(8);
        send(9);
        TripleConnection first = connection;
        EmbeddedChannel firstChannel = channel;
        Http2Peer leaving = provider;

        sends(goAway(3, 0));
        assertThat(calls.events).containsExactly("9 not executed the provider takes no new calls");
        assertThat(upstream.isUndecided()).isTrue();
        assertThat(upstream.connection()).isNull();
        accept();
        assertThat(upstream.connection()).isSameAs(connection).isNotSameAs(first);
        assertThat(send(10)).isEqualTo(1);

        leaving.sends(answer(1, "01"));
        assertThat(firstChannel.isOpen()).isTrue();
        leaving.sends(answer(3, "02"));
        assertThat(firstChannel.isOpen()).isFalse();
        sends(settings() + answer(1, "03"));
        assertThat(calls.events).endsWith("7 answered 0 01", "8 answered 0 02", "10 answered 0 03");
        assertThat(upstream.takesCalls()).isTrue();
    }

    /** Calls that were given up may take 25 of 100 places; 80 are reset at once. */
    @Test
    void aConnectionFullOfCallsThatWereGivenUpIsLeftForAnother() {
        sends(maxStreams(100));
        long wanted = send(7);
        for (int i = 0; i < 105; i++) {
            connection.cancel(send(8));
        }
        sends(headers((int) wanted, OK));
        assertThat(upstream.connection()).isSameAs(connection);
        connection.cancel(send(8));
        assertThat(upstream.connection()).isSameAs(connection);
        TripleConnection first = connection;
        EmbeddedChannel firstChannel = channel;
        Http2Peer leaving = provider;

        sends(data((int) wanted, message("01")));
        assertThat(upstream.isUndecided()).isTrue();
        accept();
        assertThat(upstream.connection()).isSameAs(connection).isNotSameAs(first);
        send(9);
        assertThat(firstChannel.isOpen()).isTrue();
        leaving.sends(trailers((int) wanted, 0));
        assertThat(firstChannel.isOpen()).isFalse();
        assertThat(calls.events).containsExactly("7 answered 0 01");
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void aConnectionThatIsLostWhileItGoesAwayLosesItsCalls() {
        send(7);
        sends(goAway(Integer.MAX_VALUE, 0));
        EmbeddedChannel leaving = channel;
        accept();
        send(8);
        leaving.close();

        assertThat(calls.lost).containsExactly(connections.get(0));
        assertThat(upstream.connection()).isSameAs(connection);
    }

    @Test
    void whatTheSystemHasNotTakenWasNotSent() {
        long first = send(7);
        long second = write(8, false);
        assertThat(connection.isUnsent(first)).isFalse();
        assertThat(connection.isUnsent(second)).isTrue();
        connection.close("test");

        assertThat(connection.isUnsent(first)).isFalse();
        assertThat(connection.isUnsent(second)).isTrue();
        assertThat(calls.lost).containsExactly(connection);
        assertThat(connection.canSend()).isFalse();
    }

    @Test
    void bytesThatAreNoFrameEndTheConnection() {
        send(7);
        sends("48545450" + "2f312e3120343030");

        assertThat(calls.lost).containsExactly(connection);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aOneWayCallThatIsNeverAnsweredIsGivenUp() {
        ByteBuf out = connection.requestBuffer(100);
        out.writeInt(BLOCK.length() / 2).writeBytes(ByteBufUtil.decodeHexDump(BLOCK));
        out.writeInt(0);
        connection.send(out, 0, 7, AnswerForm.NONE, -1_001);
        provider.received();
        sends(settings());
        channel.advanceTimeBy(SILENCE_MS / 3, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();

        assertThat(received()).contains("RST_STREAM 1 " + CANCEL);
        assertThat(connection.flush()).isTrue();
    }

    /** Else it would reset so many streams that its server ends the connection, with the calls that it executes. */
    @Test
    void aProviderWithoutAThreadGetsNoMoreCallsAtOnceThanItHasTaken() {
        send(7);
        send(8);
        send(9);
        sends(reset(5, 500));
        assertThat(connection.canSend()).isFalse();
        sends(answer(1, "01"));
        assertThat(calls.events.subList(1, 3)).containsExactly("7 answered 0 01", "room for 1");
        send(10);
        assertThat(connection.canSend()).isFalse();

        channel.advanceTimeBy(2, TimeUnit.SECONDS);
        sends(answer(3, "02"));
        send(11);
        assertThat(connection.canSend()).as("one more").isTrue();
        send(12);
        assertThat(connection.canSend()).isFalse();
    }

    @Test
    void aProviderThatHasTakenNoneGetsOneCallAtOnce() {
        send(7);
        sends(reset(1, 500));
        send(8);
        assertThat(connection.canSend()).isFalse();
        sends(answer(3, "01"));
        send(9);
        assertThat(connection.canSend()).isFalse();
    }

    /** It needs no thread of the provider, and may last for hours. */
    @Test
    void aStreamThatHasBegunTakesTheRoomOfNoCall() {
        connection.stream(send(7));
        sends(headers(1, OK));
        send(8);
        sends(reset(3, 500));
        assertThat(connection.canSend()).isTrue();
        send(9);
        assertThat(connection.canSend()).isFalse();
    }

    /** Lets checks pass, and returns at which of them the provider was probed. It acknowledges each probe. */
    private List<Integer> probes(int checks) {
        List<Integer> probes = new ArrayList<>();
        for (int i = 1; i <= checks; i++) {
            pass(1);
            for (String frame : received()) {
                assertThat(frame).isEqualTo("SETTINGS");
                probes.add(i);
                sends(settingsAcknowledged());
            }
        }
        return probes;
    }

    private void pass(int checks) {
        for (int i = 0; i < checks; i++) {
            channel.advanceTimeBy(SILENCE_MS / 3, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** So often that servers which count such frames, as Tomcat does, do not end the connection. */
    @Test
    void aLongCallIsProbedAfterPausesThatDoubleUntilSomethingOfAnAnswerComes() {
        send(7);
        received();
        assertThat(probes(100)).containsExactly(1, 2, 4, 8, 16, 32, 62, 92);
        sends(headers(1, OK));
        assertThat(probes(20)).containsExactly(1, 2, 4, 8, 16);
        sends(data(1, message("01").substring(0, 4)));
        assertThat(probes(5 * 60)).startsWith(1, 2, 4, 8, 16, 32).hasSize(14);
        assertThat(upstream.takesCalls()).isTrue();
        assertThat(channel.isOpen()).isTrue();
        sends(data(1, message("01").substring(4)) + trailers(1, 0));
        assertThat(calls.events).containsExactly("7 answered 0 01");
    }

    @Test
    void anIdleConnectionIsProbedWithEachHeartbeat() {
        assertThat(probes(600)).containsExactly(120, 180, 240, 300, 360, 420, 480, 540, 600);
        assertThat(channel.isOpen()).isTrue();
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void anIdleConnectionWhoseProviderStandsStillIsClosed() {
        pass(4 * 60);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aProviderThatStandsStillDuringALongCallIsSilentSoonAfterTheNextCall() {
        send(7);
        received();
        probes(40);
        pass(10);
        assertThat(upstream.isSilent()).as("before the next probe").isFalse();
        received();

        send(8);
        pass(4);
        assertThat(received()).contains("SETTINGS");
        assertThat(upstream.isSilent()).isTrue();
        sends(settingsAcknowledged());
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void aProviderThatStandsStillDuringALongCallIsSilentAfterThePause() {
        send(7);
        received();
        probes(10);
        pass(6 + 4);
        assertThat(upstream.isSilent()).isTrue();
    }

    @Test
    void aProviderThatDoesNotAnswerTheLastProbeIsSilent() {
        send(7);
        received();
        assertThat(probes(1)).containsExactly(1);
        pass(5);
        assertThat(received()).containsOnly("SETTINGS");
        assertThat(upstream.isSilent()).isTrue();
        sends(settingsAcknowledged());
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void theMessagesOfAStreamAreSignsOfLife() {
        connection.stream(send(7));
        sends(headers(1, OK));
        received();
        for (int i = 0; i < 10; i++) {
            sends(data(1, message("01")));
            assertThat(probes(1)).isEmpty();
        }
        assertThat(connection.watch().hasAnswered()).isTrue();
    }

    @Test
    void anIdleConnectionThatIsEndedForItsProbesIsReplacedAtOnce() {
        probes(240);
        loop.advanceTimeBy(60, TimeUnit.SECONDS);
        sends(goAway(Integer.MAX_VALUE, 11));
        assertThat(upstream.isUndecided()).isTrue();
        accept();
        assertThat(upstream.takesCalls()).isTrue();
        assertThat(calls.events).isEmpty();
    }

    @Test
    void theMessagesOfAStreamAreHandedOverAsTheyCome() {
        connection.stream(send(7));
        sends(headers(1, OK)
                + data(1, message("01") + message("0202") + message("03").substring(0, 6)));
        assertThat(calls.events).containsExactly("7 message 0 01 takes 6", "7 message 0 0202 takes 7");
        sends(data(1, message("03").substring(6) + message("")));
        assertThat(calls.events.subList(2, 4)).containsExactly("7 message 0 03 takes 6", "7 message 0  takes 5");
        sends(trailers(1, 0));
        assertThat(calls.events).hasSize(5).last().isEqualTo("7 ended");
        assertThat(connection.awaitsAnswers()).isFalse();
    }

    @Test
    void halfOfThePlacesAreForStreams() {
        assertThat(connection.maxStreams()).isEqualTo(2_048);
        sends(maxStreams(5));
        assertThat(connection.maxStreams()).isEqualTo(2);
        sends(maxStreams(1));
        assertThat(connection.maxStreams()).isEqualTo(1);
        sends(maxStreams(5));
        long first = send(7);
        connection.stream(first);
        long second = send(8);
        connection.stream(second);
        send(9);
        assertThat(connection.openStreams()).isEqualTo(2);
        connection.cancel(first);
        assertThat(connection.openStreams()).isEqualTo(1);
        sends(headers((int) second, OK) + trailers((int) second, 0));
        assertThat(connection.openStreams()).isZero();
        connection.cancel(send(10));
        assertThat(connection.openStreams()).isZero();
    }

    @Test
    void aStreamComesWholeHoweverItsBytesAreCut() {
        String bytes = message("01") + message("") + message("020304");
        for (int cut = 0; cut <= bytes.length(); cut += 2) {
            calls.events.clear();
            long stream = send(7);
            connection.stream(stream);
            sends(headers((int) stream, OK)
                    + data((int) stream, bytes.substring(0, cut))
                    + data((int) stream, bytes.substring(cut)));
            sends(trailers((int) stream, 0));
            assertThat(calls.events)
                    .containsExactly(
                            "7 message 0 01 takes 6", "7 message 0  takes 5", "7 message 0 020304 takes 8", "7 ended");
        }
    }

    @Test
    void aStreamThatFailsBehindAMessageIsAnswered() {
        connection.stream(send(7));
        sends(headers(1, OK) + data(1, message("01")) + trailers(1, 13));
        assertThat(calls.events).containsExactly("7 message 0 01 takes 6", "7 answered 13 -");
    }

    @Test
    void aStreamThatTheProviderCancelsIsNotLate() {
        long stream = write(7, AnswerForm.VALUE, 0);
        connection.stream(stream);
        write(8, AnswerForm.VALUE, 0);
        loop.runPendingTasks();
        sends(reset(1, 8) + reset(3, 8));
        assertThat(calls.events)
                .containsExactly(
                        "7 failed PROVIDER_ERROR the provider has ended the call without an answer: CANCEL",
                        "8 failed TIMEOUT the provider has ended the call without an answer: CANCEL");
    }

    @Test
    void aStreamThatIsCutWithinAMessageHasNotEnded() {
        connection.stream(send(7));
        sends(headers(1, OK) + data(1, message("0102").substring(0, 12)) + trailers(1, 0));
        assertThat(calls.events).hasSize(1).noneMatch(event -> event.endsWith("ended"));
    }

    @Test
    void nothingOfAStreamIsHandedOverAfterItsEnd() {
        long stream = send(7);
        connection.stream(stream);
        received();
        calls.onMessage = () -> connection.cancel(stream);
        sends(headers(1, OK) + data(1, message("01") + message("02")));
        assertThat(calls.events).containsExactly("7 message 0 01 takes 6");
        assertThat(received()).containsExactly("RST_STREAM 1 " + CANCEL);
        connection.consumed(stream, 6);
    }

    /** What takes more than half of the window is given back while it comes, but not behind a message that waits. */
    @Test
    void aLongMessageWaitsForTheClientToTakeTheOneBefore() {
        TripleStream stream = new TripleStream(memory, 1_000_000);
        stream.bind(1, AnswerForm.VALUE, 0, 0);
        stream.stream();
        stream.onHeaders(new DefaultHttp2Headers());
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(message("01") + "00" + "000f4240" + "02"));
        stream.append(in, 0, 12, channel.alloc());
        assertThat(stream.taken()).isEqualTo(6);
        stream.nextMessage();
        stream.append(in, 6, 6, channel.alloc());
        assertThat(stream.consumeEarly()).isZero();
        stream.onTaken(6);
        assertThat(stream.consumeEarly()).isEqualTo(6);
        stream.free();
        stream.release();
    }

    @Test
    void aLongMessageOfAStreamTakesNoMoreOfTheWindowThanTheRestOfIt() {
        sends(settings());
        long stream = send(7);
        connection.stream(stream);
        String whole = message("00".repeat(MAX_PAYLOAD));
        sends(headers(1, OK) + data(1, whole.substring(0, 32_000)) + data(1, whole.substring(32_000, 64_000)));
        assertThat(calls.events).isEmpty();
        for (int at = 64_000; at < whole.length(); at += 32_000) {
            sends(data(1, whole.substring(at, Math.min(whole.length(), at + 32_000))));
        }
        assertThat(calls.events).hasSize(1).first().asString().endsWith(" takes " + ((MAX_PAYLOAD + 5) % 16_000));
    }

    private static final class Calls extends QuietListener {
        private final List<String> events = new ArrayList<>();
        private final List<ProviderConnection> lost = new ArrayList<>();
        private Runnable onMessage = () -> {};

        @Override
        public void message(ProviderConnection from, ByteBuf in, int offset, int windowBytes) {
            String text = in.toString(offset + DubboHeader.LENGTH, DubboHeader.bodyLength(in, offset), US_ASCII);
            events.add(DubboHeader.requestId(in, offset) + " message " + text + " takes " + windowBytes);
            onMessage.run();
        }

        @Override
        public void streamEnded(ProviderConnection from, long requestId) {
            events.add(requestId + " ended");
        }

        @Override
        public boolean answered(ProviderConnection from, ByteBuf in, int offset) {
            String text = in.toString(offset + DubboHeader.LENGTH, DubboHeader.bodyLength(in, offset), US_ASCII);
            int status = DubboHeader.status(in, offset);
            events.add(
                    DubboHeader.requestId(in, offset) + " answered " + (status == 20 ? text : "with status " + status));
            return true;
        }

        @Override
        public void notExecuted(ProviderConnection from, long requestId, String unavailability) {
            events.add(requestId + " not executed " + unavailability);
        }

        @Override
        public void failed(ProviderConnection from, long requestId, Outcome outcome, String detail) {
            events.add(requestId + " failed " + outcome + " " + detail);
        }

        @Override
        public void hasRoom(ProviderConnection from, int count) {
            events.add("room for " + count);
        }

        @Override
        public void connectionLost(ProviderConnection from, String reason) {
            lost.add(from);
        }
    }
}
