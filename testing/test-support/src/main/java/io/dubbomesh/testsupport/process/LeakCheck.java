package io.dubbomesh.testsupport.process;

import io.netty.buffer.ByteBufAllocator;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;

/**
 * Has Netty report, at the end of the tests of a JVM, each buffer that they lost. Netty itself notices a lost buffer
 * when the next one is allocated after a collection, which a short run may never come to.
 */
public final class LeakCheck implements TestExecutionListener {
    private static final int TO_HAND_OVER_MS = 5_000;
    private static final int MORE_MS = 20;

    @Override
    public void testPlanExecutionFinished(TestPlan testPlan) {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        PhantomReference<Object> lost = new PhantomReference<>(new Object(), collected);
        System.gc();
        try {
            // A thread of the JVM hands over all that it collected, in any order.
            if (collected.remove(TO_HAND_OVER_MS) == lost) {
                Thread.sleep(MORE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ByteBufAllocator.DEFAULT.directBuffer(1).release();
    }
}
