package io.dubbomesh.client.call;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class LongAnswersTest {
    private static final ResultFormat JSON = ResultFormat.of(false, false, false);
    private static final int BODY = 4;
    private static final int ANSWER = DubboHeader.LENGTH + BODY;

    /** The tasks of the thread; the test's thread is that thread. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private final DefaultEventLoop eventLoop = new DefaultEventLoop();
    private final MemoryBudget memory = new MemoryBudget(1000);
    private final ByteBuf frame = frame("91 7a 91 92");
    private final LongAnswerThread thread = new LongAnswerThread(eventLoop, tasks::add);

    @AfterEach
    void close() throws InterruptedException {
        frame.release();
        eventLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS).await();
        assertThat(memory.used()).isZero();
    }

    private static ByteBuf frame(String body) {
        ByteBuf bytes = Hex.buffer(body);
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.buffer();
        // Behind the header of another frame.
        frame.writeZero(DubboHeader.LENGTH);
        DubboHeader.write(frame, 2, 20, 7, bytes.readableBytes());
        return frame.writeBytes(bytes);
    }

    private LongAnswers answers(DubboResponseReader reader) {
        return new LongAnswers(thread, reader, memory);
    }

    /** The events of the listener, with the thread and what was held then. */
    private class Told implements LongAnswers.Listener {
        final CompletableFuture<String> document = new CompletableFuture<>();
        final long heldThen;
        volatile boolean awaited = true;

        Told() {
            this(0);
        }

        Told(long heldThen) {
            this.heldThen = heldThen;
        }

        @Override
        public boolean isAwaited() {
            return awaited;
        }

        @Override
        public void read(Outcome outcome, ByteBuf read) {
            assertThat(memory.used()).isEqualTo(heldThen);
            document.complete(outcome + " " + read.toString(Short.BYTES, read.writerIndex() - Short.BYTES, UTF_8) + " "
                    + eventLoop.inEventLoop());
        }

        @Override
        public void readFailed(Throwable cause) {
            document.completeExceptionally(cause);
        }

        @Override
        public void discarded() {
            assertThat(memory.used()).isEqualTo(heldThen);
            document.complete("dropped");
        }
    }

    private boolean read(LongAnswers answers, LongAnswers.Listener listener) throws Exception {
        return eventLoop
                .submit(() -> answers.read(
                        listener, JSON, DeclaredType.UNKNOWN, frame, DubboHeader.LENGTH, ByteBufAllocator.DEFAULT))
                .get();
    }

    @Test
    void theLoopGoesOnWhileAnAnswerIsReadAndPassesItOn() throws Exception {
        Told told = new Told();
        assertThat(read(answers(new DubboResponseReader()), told)).isTrue();
        assertThat(eventLoop.submit(() -> memory.used(Use.ANSWERS)).get()).isEqualTo(ANSWER);
        assertThat(told.document).isNotDone();

        // What the loop reads next overwrites it.
        frame.setZero(0, frame.writerIndex());
        tasks.remove().run();
        assertThat(told.document.get()).isEqualTo("OK [1,2] true");
    }

    @Test
    void anAnswerWithoutRoomIsNotRead() throws Exception {
        LongAnswers answers = answers(new DubboResponseReader());
        memory.add(Use.ANSWERS, 990);
        assertThat(read(answers, new Told())).isFalse();
        assertThat(tasks).isEmpty();
        memory.release(Use.ANSWERS, 990);
    }

    @Test
    void aFaultWhileReadingIsTold() throws Exception {
        Told told = new Told();
        read(answers(null), told);
        tasks.remove().run();
        assertThatThrownBy(told.document::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(NullPointerException.class);
    }

    @Test
    void nothingIsHeldOfAnAnswerThatTheThreadDoesNotTake() throws Exception {
        LongAnswerThread full = new LongAnswerThread(eventLoop, task -> {
            throw new RejectedExecutionException("full");
        });
        Told told = new Told();
        read(new LongAnswers(full, new DubboResponseReader(), memory), told);
        assertThatThrownBy(told.document::get).hasMessageContaining("full");
    }

    @Test
    void answersOfSeveralProvidersAreReadInTurn() throws Exception {
        LongAnswers greedy = answers(new DubboResponseReader());
        LongAnswers modest = answers(new DubboResponseReader());
        List<String> order = new ArrayList<>();
        List<Told> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(readInOrder(greedy, "greedy", order));
        }
        for (int i = 0; i < 2; i++) {
            all.add(readInOrder(modest, "modest", order));
        }
        for (int read = 1; read <= all.size(); read++) {
            tasks.remove().run();
            int count = read;
            Await.until(
                    "the loop is told",
                    () -> all.stream().filter(told -> told.document.isDone()).count() == count);
        }
        assertThat(order).containsExactly("greedy", "greedy", "modest", "greedy", "modest", "greedy");
    }

    private Told readInOrder(LongAnswers answers, String name, List<String> order) throws Exception {
        Told told = new Told() {
            @Override
            public void read(Outcome outcome, ByteBuf read) {
                order.add(name);
                document.complete(name);
            }
        };
        assertThat(read(answers, told)).isTrue();
        return told;
    }

    @Test
    void answersThatNobodyAwaitsAreNotRead() throws Exception {
        LongAnswers answers = answers(new DubboResponseReader());
        Told first = new Told(ANSWER);
        Told second = new Told(2 * ANSWER);
        Told third = new Told();
        read(answers, first);
        read(answers, second);
        read(answers, third);
        second.awaited = false;
        tasks.remove().run();
        assertThat(second.document.get()).isEqualTo("dropped");
        assertThat(first.document.get()).startsWith("OK");
        tasks.remove().run();
        assertThat(third.document.get()).startsWith("OK");
        assertThat(tasks).isEmpty();
    }

    @Test
    void anAnswerThatCannotBeDroppedDoesNotHoldUpThoseBehindIt() throws Exception {
        LongAnswers answers = answers(new DubboResponseReader());
        Told first = new Told(ANSWER);
        Told second = new Told() {
            @Override
            public void discarded() {
                throw new IllegalStateException("not dropped");
            }
        };
        Told third = new Told();
        read(answers, first);
        read(answers, second);
        read(answers, third);
        second.awaited = false;
        tasks.remove().run();
        Await.until("the third is read", () -> !tasks.isEmpty());
        tasks.remove().run();
        assertThat(first.document.get()).startsWith("OK");
        assertThat(third.document.get()).startsWith("OK");
    }

    @Test
    void aClosedLinkHoldsNothingButTheAnswerThatIsBeingRead() throws Exception {
        LongAnswers answers = answers(new DubboResponseReader());
        Told first = new Told();
        Told second = new Told(ANSWER);
        read(answers, first);
        read(answers, second);
        eventLoop.submit(answers::close).get();
        assertThat(second.document.get()).isEqualTo("dropped");
        tasks.remove().run();
        assertThat(first.document.get()).startsWith("OK");
        assertThat(tasks).isEmpty();
    }

    @Test
    void nothingIsHeldOfAnAnswerWhoseLoopHasEnded() throws Exception {
        Told told = new Told();
        read(answers(new DubboResponseReader()), told);
        eventLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS).await();
        tasks.remove().run();
        assertThat(told.document).isNotDone();
        memory.release(Use.ANSWERS, ANSWER);
    }
}
