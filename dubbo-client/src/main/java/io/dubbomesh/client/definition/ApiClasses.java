package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.runtime.FileFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The class files of {@code dubbo.api.jars}; the first file that has a class is read. Open during a discovery. */
public final class ApiClasses implements ClassDefinitions.ClassFiles, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiClasses.class);

    /** The bound of a class file in bytes; those of interfaces and of their parameters take a few thousand. */
    private static final int MAX_SIZE = 1024 * 1024;
    /** The bound of class names of each directory and jar. */
    private static final int MAX_NAMES = 100_000;

    private static final int MAX_DEPTH = 64;
    private static final String SUFFIX = ".class";
    /** The places where executable jars have the classes of the application. */
    private static final List<String> FOLDERS = List.of("", "BOOT-INF/classes/", "WEB-INF/classes/");

    private final List<Path> directories = new ArrayList<>();
    private final List<ZipFile> jars = new ArrayList<>();

    private ApiClasses() {}

    /** @throws IOException if one of these is neither a jar file nor a directory; its message names the file */
    public static ApiClasses open(List<Path> paths) throws IOException {
        ApiClasses classes = new ApiClasses();
        boolean opened = false;
        try {
            for (Path path : paths) {
                classes.add(path);
            }
            opened = true;
            return classes;
        } finally {
            if (!opened) {
                classes.close();
            }
        }
    }

    private void add(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            addJar(path);
            return;
        }
        directories.add(path);
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList()) {
                addJar(file);
            }
        } catch (AccessDeniedException e) {
            throw new IOException(path + ": " + FileFailure.reason(e), e);
        }
    }

    private void addJar(Path path) throws IOException {
        try {
            jars.add(new ZipFile(path.toFile()));
        } catch (IOException e) {
            throw new IOException(path + ": " + FileFailure.reason(e), e);
        }
    }

    @Override
    public byte[] find(String className) throws IOException {
        if (className.startsWith(".") || className.contains("..")) {
            return null;
        }
        String name = className.replace('.', '/') + SUFFIX;
        for (Path directory : directories) {
            try {
                Path file = directory.resolve(name);
                if (Files.isRegularFile(file)) {
                    return read(Files.newInputStream(file), className);
                }
            } catch (InvalidPathException e) {
                return null;
            }
        }
        for (ZipFile jar : jars) {
            for (String folder : FOLDERS) {
                ZipEntry entry = jar.getEntry(folder + name);
                if (entry != null) {
                    return read(jar.getInputStream(entry), className);
                }
            }
        }
        return null;
    }

    @Override
    public Collection<String> names() throws IOException {
        Set<String> names = new LinkedHashSet<>();
        for (Path directory : directories) {
            ClassFileVisitor visitor = new ClassFileVisitor();
            Files.walkFileTree(directory, Set.of(), MAX_DEPTH, visitor);
            visitor.files.stream().sorted().limit(MAX_NAMES).forEach(file -> {
                String name = directory.relativize(file).toString();
                names.add(className(name.replace(file.getFileSystem().getSeparator(), "/")));
            });
        }
        for (ZipFile jar : jars) {
            jar.stream()
                    .map(ZipEntry::getName)
                    .filter(ApiClasses::isClass)
                    .limit(MAX_NAMES)
                    .forEach(name -> names.add(className(inFolder(name))));
        }
        return names;
    }

    /** Other versions of classes, for newer JDKs, are in META-INF. */
    private static boolean isClass(String name) {
        return name.endsWith(SUFFIX) && !name.startsWith("META-INF/");
    }

    private static String inFolder(String name) {
        for (String folder : FOLDERS) {
            if (!folder.isEmpty() && name.startsWith(folder)) {
                return name.substring(folder.length());
            }
        }
        return name;
    }

    private static String className(String name) {
        return name.substring(0, name.length() - SUFFIX.length()).replace('/', '.');
    }

    private static byte[] read(InputStream file, String className) throws IOException {
        try (file) {
            byte[] bytes = file.readNBytes(MAX_SIZE + 1);
            if (bytes.length > MAX_SIZE) {
                throw new IOException("class " + className + ": more than " + MAX_SIZE + " bytes");
            }
            return bytes;
        }
    }

    @Override
    public void close() throws IOException {
        for (ZipFile jar : jars) {
            jar.close();
        }
    }

    /** Skips what cannot be visited, as the {@code lost+found} of a file system. */
    private static final class ClassFileVisitor extends SimpleFileVisitor<Path> {
        private final List<Path> files = new ArrayList<>();

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && isClass(file.toString())) {
                files.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            LOG.warn("dubbo.api.jars: {} is skipped: {}", file, failure.toString());
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) {
            return FileVisitResult.CONTINUE;
        }
    }
}
