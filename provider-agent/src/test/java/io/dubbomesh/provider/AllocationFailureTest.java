package io.dubbomesh.provider;

import io.dubbomesh.client.connection.ConnectionChannel;
import io.dubbomesh.provider.mesh.MeshServerLink;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * If any buffer between a request and its answer cannot be had, the call ends: its permit of the limit is free again,
 * the peer has an answer, no part of a frame was sent, and the next call goes through. Each test repeats a scenario,
 * failing at its first allocation, its second and so on, until none is left.
 */
@Timeout(120)
class AllocationFailureTest {
    private static final int OK = 0;
    private static final int NOT_EXECUTED = 1;
    private static final int BAD_ARGUMENT = 11;
    private static final int INTERNAL_ERROR = 31;
    private static final int PROVIDER_ERROR = 33;
    private static final int[] BATCH_CAPACITIES = {16 * 1024, 32 * 1024};
    private static final String LONG_TEXT = "a".repeat(200);
    /** A result, which is a text of 200 characters. */
    private static final String LONG_ANSWER = "91" + "30c8" + text(LONG_TEXT);

    enum Failure {
        ERROR(() -> new OutOfMemoryError("thrown by the test")),
        EXCEPTION(() -> new IllegalStateException("thrown by the test"));

        private final Supplier<Throwable> supplier;

        Failure(Supplier<Throwable> supplier) {
            this.supplier = supplier;
        }
    }

    /** One agent with its stub and peer; what is read and written after {@link #fail} meets the failure. */
    private static final class Scene implements AutoCloseable {
        final AgentFixture mesh = new AgentFixture();
        final List<ByteBuf> spares = new ArrayList<>();
        final FailingAllocator allocator;
        DubboConnection provider;
        MeshConnection peer;

        Scene(int failAt, Failure failure) throws IOException {
            allocator = new FailingAllocator(failAt, failure.supplier);
        }

        void start() throws Exception {
            provider = mesh.startAndAccept();
            peer = mesh.hashPeer();
            peer.settle();
        }

        void fail() throws Exception {
            ProviderLoop loop = mesh.agent.loops().get(0);
            loop.eventLoop().submit(() -> fail(loop)).get();
        }

        private void fail(ProviderLoop loop) {
            MeshServerLink link = loop.links().open().iterator().next();
            // Buffers that the loop keeps would be used instead of new ones.
            for (int capacity : BATCH_CAPACITIES) {
                OutboundBatch batch = new OutboundBatch(link.channel(), loop.turn(), Use.ANSWERS, capacity);
                for (int i = 0; i < 10; i++) {
                    batch.buffer();
                    spares.add(batch.takeUnsent());
                }
            }
            link.channel().config().setAllocator(allocator);
            ConnectionChannel.of(loop.upstream().connection()).config().setAllocator(allocator);
        }

        DubboFrame readCall() throws IOException {
            DubboFrame call = provider.read();
            assertThat(call.header()).isEqualTo("dabbc200");
            return call;
        }

        /** The answer to the request of this id comes next, with this status unless the failure was met. */
        void assertAnswered(long id, int status) throws IOException {
            MeshFrame answer = peer.read();
            assertThat(answer.type()).isEqualTo(4);
            assertThat(answer.requestId()).isEqualTo(id);
            if (answer.status() != INTERNAL_ERROR) {
                assertThat(answer.status()).isEqualTo(status);
            } else {
                assertThat(allocator.hasFailed()).isTrue();
                assertThat(answer.document()).contains("INTERNAL_ERROR");
            }
        }

        /** Another call goes through on the same connections, and after it no permit is taken. */
        void assertSound() throws Exception {
            allocator.disarm();
            peer.send(hash(99, "next"));
            DubboFrame call = readCall();
            assertThat(call.body()).contains("04" + text("next") + "48");
            provider.answerInt(call.id(), 99);
            MeshFrame answer = peer.read();
            assertThat(answer.requestId()).isEqualTo(99);
            assertThat(answer.document()).isEqualTo("99");
            Await.until("no call is in service", () -> mesh.agent.limit().inService() == 0);
            assertThat(mesh.agent.limit().waiting()).isZero();
        }

        @Override
        public void close() throws IOException {
            mesh.close();
            spares.forEach(ByteBuf::release);
        }
    }

    private interface Scenario {
        void run(Scene scene) throws Exception;
    }

    private static void failAtEachAllocation(Failure failure, Scenario scenario) throws Exception {
        boolean failed = true;
        int failAt = 0;
        for (; failed; failAt++) {
            try (Scene scene = new Scene(failAt, failure)) {
                scenario.run(scene);
                scene.assertSound();
                failed = scene.allocator.hasFailed();
            } catch (IOException | AssertionError e) {
                throw new AssertionError("failing at allocation " + failAt, e);
            }
        }
        assertThat(failAt).as("points of failure").isGreaterThan(3);
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aCallThatIsAnsweredEnds(Failure failure) throws Exception {
        failAtEachAllocation(failure, scene -> {
            scene.start();
            scene.fail();
            scene.peer.send(hash(1, LONG_TEXT) + hash(2, "b"));
            answerUnlessRefused(scene, 1, 2);
        });
    }

    /** Either a call reaches the provider or its peer has the problem document; calls come in their order. */
    private static void answerUnlessRefused(Scene scene, long... ids) throws Exception {
        // The last of the calls reaches the provider unless the failure met it; then all before it did.
        List<DubboFrame> calls = new ArrayList<>();
        Await.until(
                "all calls are sent or refused",
                () -> scene.mesh.counters(0).sent + scene.mesh.counters(0).refused == ids.length);
        for (long i = scene.mesh.counters(0).sent; i > 0; i--) {
            calls.add(scene.readCall());
        }
        for (DubboFrame call : calls) {
            scene.provider.answer(call.id(), 20, LONG_ANSWER);
        }
        List<Long> answered = new ArrayList<>();
        for (long ignored : ids) {
            MeshFrame answer = scene.peer.read();
            assertThat(answer.type()).isEqualTo(4);
            if (answer.status() == OK) {
                assertThat(answer.document()).isEqualTo(LONG_TEXT);
            } else {
                assertThat(answer.status()).isEqualTo(INTERNAL_ERROR);
            }
            answered.add(answer.requestId());
        }
        assertThat(answered).doesNotHaveDuplicates().hasSize(ids.length);
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aCallThatWaitedForItsPermitEnds(Failure failure) throws Exception {
        failAtEachAllocation(failure, scene -> {
            scene.mesh.with("lb.limit", 1);
            scene.start();
            scene.peer.send(hash(1, "a"));
            DubboFrame first = scene.readCall();
            scene.fail();
            scene.peer.send(hash(2, LONG_TEXT));
            Await.until(
                    "the call waits or is refused",
                    () -> scene.mesh.agent.limit().waiting() == 1 || scene.mesh.counters(0).refused == 1);
            scene.provider.answer(first.id(), 20, LONG_ANSWER);
            Await.until(
                    "all calls are sent or refused",
                    () -> scene.mesh.counters(0).sent + scene.mesh.counters(0).refused == 2);
            if (scene.mesh.counters(0).sent == 2) {
                scene.provider.answer(scene.readCall().id(), 20, LONG_ANSWER);
            }
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                MeshFrame answer = scene.peer.read();
                assertThat(answer.status()).isIn(OK, INTERNAL_ERROR);
                ids.add(answer.requestId());
            }
            assertThat(ids).containsExactlyInAnyOrder(1L, 2L);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aRequestThatIsGivenBackEnds(Failure failure) throws Exception {
        failAtEachAllocation(failure, scene -> {
            scene.start();
            scene.peer.send(hash(1, LONG_TEXT));
            DubboFrame call = scene.readCall();
            scene.fail();
            scene.provider.answer(call.id(), 100, "04" + text("full"));
            scene.assertAnswered(1, NOT_EXECUTED);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aRequestThatIsRefusedEnds(Failure failure) throws Exception {
        failAtEachAllocation(failure, scene -> {
            scene.start();
            scene.fail();
            scene.peer.send(MeshFrame.request(1, 1, 0x02, "00001388" + "0000" + text("[1,2]")));
            scene.assertAnswered(1, BAD_ARGUMENT);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aRequestForWhichThereIsNoRoomEnds(Failure failure) throws Exception {
        failAtEachAllocation(failure, scene -> {
            scene.mesh.with("lb.limit", 1);
            scene.mesh.with("dubbo.queue", 0);
            scene.start();
            scene.peer.send(hash(1, "a"));
            DubboFrame first = scene.readCall();
            scene.fail();
            scene.peer.send(hash(2, LONG_TEXT));
            scene.assertAnswered(2, NOT_EXECUTED);
            scene.provider.answerInt(first.id(), 1);
            scene.assertAnswered(1, OK);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aCallWhoseProviderIsLostEnds(Failure failure) throws Exception {
        failAtEachAllocation(failure, scene -> {
            scene.start();
            scene.peer.send(hash(1, LONG_TEXT) + hash(2, LONG_TEXT));
            scene.readCall();
            scene.readCall();
            scene.fail();
            scene.provider.reset();
            scene.assertAnswered(1, PROVIDER_ERROR);
            scene.assertAnswered(2, PROVIDER_ERROR);
            scene.provider = scene.mesh.accept();
            Await.until("the agent is ready", () -> scene.mesh.agent.unreadiness() == null);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aHeartbeatThatCannotBeWrittenIsFollowedByOthers(Failure failure) throws Exception {
        for (int failAt = 0; failAt < 2; failAt++) {
            try (Scene scene = new Scene(failAt, failure)) {
                scene.mesh.with("dubbo.heartbeat", 300);
                scene.start();
                scene.fail();
                for (int i = 0; i < 3; i++) {
                    DubboFrame heartbeat = scene.provider.read();
                    assertThat(heartbeat.header()).isEqualTo("dabbe200");
                    assertThat(heartbeat.body()).isEqualTo("4e");
                    scene.provider.send(DubboFrame.frame(0x22, 20, heartbeat.id(), "4e"));
                }
                Await.until("the allocator has failed", scene.allocator::hasFailed);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aPingThatCannotBeWrittenIsFollowedByOthers(Failure failure) throws Exception {
        for (int failAt = 0; failAt < 3; failAt++) {
            try (Scene scene = new Scene(failAt, failure)) {
                scene.mesh.with("mesh.heartbeat", 300);
                scene.provider = scene.mesh.startAndAccept();
                scene.peer = scene.mesh.peer();
                scene.fail();
                for (int i = 0; i < 2; i++) {
                    assertThat(scene.peer.read().type()).isEqualTo(MeshFrame.PING);
                    scene.peer.send(MeshFrame.frame(MeshFrame.PONG, 0, 0, 0, 0, ""));
                }
                Await.until("the allocator has failed", scene.allocator::hasFailed);
            }
        }
    }
}
