package io.dubbomesh.protocol;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/**
 * Runs code on a stack of three quarters of the usual size, in which also the frames of C1 fit: they are larger than
 * those of the interpreter and of C2. What an attempt allocates can be asked within.
 */
public final class SmallStack {
    private static final long STACK = 768 << 10;
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
