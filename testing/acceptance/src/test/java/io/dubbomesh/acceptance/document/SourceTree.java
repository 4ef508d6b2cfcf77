package io.dubbomesh.acceptance.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of the repository without those that builds and tests make, which come and go while other tests run at the
 * same time.
 */
final class SourceTree {
    static final Path ROOT = Path.of("../..");

    private static final Set<String> MADE = Set.of("target", "build", ".git");

    private SourceTree() {}

    static List<Path> files() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    boolean isMade = MADE.contains(directory.getFileName().toString());
                    return isMade ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /**
     * Returns a new folder that looks like the root of the tree, whose files and folders it has as symbolic links, so
     * that what a command writes there does not go into the tree.
     */
    static Path linkedIn(Path parent) throws IOException {
        Path linked = Files.createDirectories(parent.resolve("tree"));
        try (Stream<Path> entries = Files.list(ROOT.toRealPath())) {
            for (Path entry : entries.toList()) {
                if (!MADE.contains(entry.getFileName().toString())) {
                    Files.createSymbolicLink(linked.resolve(entry.getFileName()), entry);
                }
            }
        }
        return linked;
    }

    /** Returns the directories of the modules, of which the examples are none. */
    static List<Path> modules() {
        return files().stream()
                .filter(file -> file.endsWith("pom.xml") && !file.startsWith(ROOT.resolve("examples")))
                .map(Path::getParent)
                .toList();
    }
}
