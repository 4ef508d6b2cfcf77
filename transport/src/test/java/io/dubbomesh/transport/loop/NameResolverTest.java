package io.dubbomesh.transport.loop;

import io.dubbomesh.testsupport.Await;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class NameResolverTest {
    private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();

    private static final ThreadFactory THREADS = new DefaultThreadFactory("resolver-test", true);

    private final LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final CountDownLatch back = new CountDownLatch(1);
    private final NameResolver resolver = new NameResolver(this::lookup, THREADS, 0);

    @AfterEach
    void answer() {
        back.countDown();
    }

    /** A name server that is silent, but for names that begin with "known". */
    private InetAddress lookup(String host) throws UnknownHostException {
        asked.add(host);
        if (host.startsWith("unknown")) {
            throw new UnknownHostException(host);
        }
        try {
            if (!host.startsWith("known")) {
                back.await();
            }
        } catch (InterruptedException e) {
            throw new UnknownHostException(host);
        }
        return ADDRESS;
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("resolver-test"))
                .count();
    }

    @Test
    void manyNamesTakeFewThreadsAndAreAllResolvedWhenTheNameServerIsBack() throws Exception {
        long before = threads();
        List<CompletableFuture<InetAddress>> answers = new ArrayList<>();
        for (int loop = 0; loop < 2; loop++) {
            for (int i = 0; i < 300; i++) {
                answers.add(resolver.resolve("host-" + i));
            }
        }
        Await.until("all threads ask", () -> asked.size() == NameResolver.MAX_THREADS);
        assertThat(threads() - before).isLessThanOrEqualTo(NameResolver.MAX_THREADS);

        back.countDown();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(5, TimeUnit.SECONDS);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.get()).isEqualTo(ADDRESS));
        assertThat(asked).as("equal questions are one").hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void aNameThatWasResolvedGoesBeforeThoseThatWait() throws Exception {
        assertThat(resolver.resolve("known").get(5, TimeUnit.SECONDS)).isEqualTo(ADDRESS);
        for (int i = 0; i < 100; i++) {
            resolver.resolve("host-" + i);
        }
        Await.until("all threads ask", () -> asked.size() == 1 + NameResolver.MAX_THREADS);
        CompletableFuture<InetAddress> again = resolver.resolve("known");
        asked.clear();

        back.countDown();
        again.get(5, TimeUnit.SECONDS);
        assertThat(asked.stream().limit(NameResolver.MAX_THREADS)).contains("known");
    }

    @Test
    void aNameForWhichNobodyWaitsIsNotAskedFor() throws Exception {
        for (int i = 0; i < NameResolver.MAX_THREADS; i++) {
            resolver.resolve("host-" + i);
        }
        Await.until("all threads ask", () -> asked.size() == NameResolver.MAX_THREADS);
        resolver.resolve("given-up").cancel(false);
        CompletableFuture<InetAddress> last = resolver.resolve("wanted");

        back.countDown();
        last.get(5, TimeUnit.SECONDS);
        assertThat(asked).contains("wanted").doesNotContain("given-up");
    }

    @Test
    void anUnknownNameIsAskedForAgainByTheNextQuestion() {
        for (int i = 0; i < 2; i++) {
            assertThat(resolver.resolve("unknown"))
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withCauseInstanceOf(UnknownHostException.class);
        }
        assertThat(asked).containsExactly("unknown", "unknown");
    }

    @Test
    void aNameDoesNotWaitForOneThatIsNotAnswered() throws Exception {
        NameResolver patient = new NameResolver(this::lookup, THREADS, 50);
        patient.resolve("host");

        assertThat(patient.resolve("known").get(5, TimeUnit.SECONDS)).isEqualTo(ADDRESS);
        assertThat(asked).containsExactly("host", "known");
    }

    @Test
    void threadsAreAddedOneAfterTheOther() throws Exception {
        NameResolver slowly = new NameResolver(this::lookup, THREADS, 3_600_000);
        for (int i = 0; i < 10; i++) {
            slowly.resolve("host-" + i);
        }
        assertThat(asked.poll(5, TimeUnit.SECONDS)).isEqualTo("host-0");
        assertThat(asked.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void whereNoThreadCanBeStartedQuestionsFailUntilOneCan() throws Exception {
        boolean[] lacking = {true};
        NameResolver poor = new NameResolver(
                this::lookup, run -> lacking[0] ? new ThreadThatCannotStart() : THREADS.newThread(run), 0);

        assertThat(poor.resolve("known"))
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(RejectedExecutionException.class)
                .withMessageContaining("unable to create native thread");
        lacking[0] = false;
        assertThat(poor.resolve("known").get(5, TimeUnit.SECONDS)).isEqualTo(ADDRESS);
    }
}
