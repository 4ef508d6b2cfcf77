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

    /** Returns the directories of the modules. */
    static List<Path> modules() {
        return files().stream()
                .filter(file -> file.endsWith("pom.xml"))
                .map(Path::getParent)
                .toList();
    }
}
