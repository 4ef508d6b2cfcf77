package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.definition.ClassHierarchy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The jar files and directories of {@code dubbo.api.jars}. Discoveries that run at the same time, or soon after each
 * other, share the open files, and what was found out about subclasses, for which every class file is read once. All of
 * it is closed and forgotten when no discovery has used it for two seconds. Thread-safe.
 */
public final class ApiJars {
    /** Those of an agent that was given none. */
    public static final ApiJars NONE = new ApiJars(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(ApiJars.class);
    /** A gateway looks for one service after the other, each by a discovery of its own. */
    private static final long KEEP_MS = 2000;

    private final List<Path> paths;
    private final Executor later;
    /** Null if no discovery uses them. Guarded by this. */
    private ApiClasses open;
    /** Those of the open files. Guarded by this. */
    private ClassHierarchy.Subtypes subtypes;
    /** Guarded by this. */
    private int users;
    /** The number of uses that have begun. Guarded by this. */
    private long uses;

    /** The class files as one discovery uses them. Used by one thread. */
    public final class Use implements Closeable {
        private final ApiClasses files;
        private final ClassHierarchy classes;

        private Use(ApiClasses files, ClassHierarchy classes) {
            this.files = files;
            this.classes = classes;
        }

        public ApiClasses files() {
            return files;
        }

        public ClassHierarchy classes() {
            return classes;
        }

        /** Has the files closed if nobody uses them for a while. Called once. */
        @Override
        public void close() {
            release();
        }
    }

    public ApiJars(List<Path> paths) {
        this(paths, CompletableFuture.delayedExecutor(KEEP_MS, TimeUnit.MILLISECONDS));
    }

    /** @param later runs what closes files that are not used */
    ApiJars(List<Path> paths, Executor later) {
        this.paths = List.copyOf(paths);
        this.later = later;
    }

    public List<Path> paths() {
        return paths;
    }

    public boolean areAny() {
        return !paths.isEmpty();
    }

    /**
     * Opens the files, unless another discovery has them open.
     *
     * @throws IOException if one of these is neither a jar file nor a directory; its message names the file
     */
    public synchronized Use open() throws IOException {
        if (open == null) {
            open = ApiClasses.open(paths);
            subtypes = new ClassHierarchy.Subtypes(open);
        }
        users++;
        uses++;
        return new Use(open, new ClassHierarchy(open, subtypes));
    }

    private synchronized void release() {
        users--;
        if (users == 0) {
            long last = uses;
            later.execute(() -> closeUnused(last));
        }
    }

    /** @param last the number of uses when the last of them ended */
    private synchronized void closeUnused(long last) {
        if (uses > last) {
            return;
        }
        try {
            open.close();
        } catch (IOException e) {
            LOG.debug("dubbo.api.jars", e);
        }
        open = null;
        subtypes = null;
    }
}
