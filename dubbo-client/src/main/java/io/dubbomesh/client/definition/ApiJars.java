package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.definition.ClassHierarchy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The jar files and directories of {@code dubbo.api.jars}. Discoveries that run at the same time share the open files,
 * and what was found out about subclasses, for which every class file is read once; when the last of them ends, all of
 * it is closed and forgotten. Thread-safe.
 */
public final class ApiJars {
    /** Those of an agent that was given none. */
    public static final ApiJars NONE = new ApiJars(List.of());

    private final List<Path> paths;
    /** Null if no discovery uses them. Guarded by this. */
    private ApiClasses open;
    /** Those of the open files. Guarded by this. */
    private ClassHierarchy.Subtypes subtypes;
    /** Guarded by this. */
    private int users;

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

        /** Closes the files if nobody else uses them. Called once. */
        @Override
        public void close() throws IOException {
            release();
        }
    }

    public ApiJars(List<Path> paths) {
        this.paths = List.copyOf(paths);
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
        return new Use(open, new ClassHierarchy(open, subtypes));
    }

    private synchronized void release() throws IOException {
        users--;
        if (users == 0) {
            ApiClasses unused = open;
            open = null;
            subtypes = null;
            unused.close();
        }
    }
}
