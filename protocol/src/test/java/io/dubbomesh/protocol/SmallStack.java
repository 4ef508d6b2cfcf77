package io.dubbomesh.protocol;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/** Runs code on a stack of half the usual size; what an attempt allocates can be asked within. */
public final class SmallStack {
    private static final long STACK = 512 << 10;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Code that may throw anything. */
    public interface Code {
        void run() throws Exception;
    }

    private SmallStack() {}

    public static void run(Code code) throws InterruptedException {
        Throwable[] failure = new Throwable[1];
        Runnable all = () -> {
            try {
                code.run();
            } catch (Throwable e) {
                failure[0] = e;
            }
        };
        Thread thread = new Thread(null, all, "small stack", STACK);
        thread.start();
        thread.join();
        if (failure[0] != null) {
            throw new AssertionError(failure[0]);
        }
    }

    /** Returns the bytes that this thread has allocated up to now. */
    public static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
