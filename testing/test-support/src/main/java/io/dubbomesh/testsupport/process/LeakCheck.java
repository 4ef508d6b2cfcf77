package io.dubbomesh.testsupport.process;

import io.netty.buffer.ByteBufAllocator;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Has Netty report, at the end of the tests of a JVM, each buffer that they lost. Netty itself notices a lost buffer
 * when the next one is allocated after a collection, which a short run may never come to.
 */
public final class LeakCheck implements TestExecutionListener {
    private static final int LOOKS = 5;
    private static final int BETWEEN_LOOKS_MS = 10;

    @Override
    public void testPlanExecutionFinished(TestPlan testPlan) {
        System.gc();
        // The JVM hands over what it collected by a thread of its own.
        for (int i = 0; i < LOOKS; i++) {
            ByteBufAllocator.DEFAULT.directBuffer(1).release();
            try {
                Thread.sleep(BETWEEN_LOOKS_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
