package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.javadoc.JavaComments;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The Javadoc in jars and directories of Java sources ({@code openapi.sources}), read when it is asked for and one of
 * them has changed. Blocking, not for event loops; thread-safe.
 */
public final class SourceFiles {
    /** Those of an agent that has none. */
    public static final SourceFiles NONE = new SourceFiles(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(SourceFiles.class);
    private static final String JAVA = ".java";
    /** The bytes of one file; a longer one is generated. */
    private static final int MAX_FILE = 1 << 20;
    /** The bytes of all files together: they are read on a heap of 64 MB by default, one after the other. */
    private static final long MAX_BYTES = 64L << 20;
    /** The types that have texts. */
    private static final int MAX_TYPES = 5000;

    private final List<Path> paths;
    /** The state of the paths when they were read; null before. Guarded by this, as what is below. */
    private String state;

    private ServiceTexts texts = ServiceTexts.NONE;
    private long bytes;

    /** @param paths of jars and directories */
    public SourceFiles(List<Path> paths) {
        this.paths = List.copyOf(paths);
    }

    /** Returns the jars of sources beside jars of classes, {@code shop-1.0-sources.jar} beside {@code shop-1.0.jar}. */
    public static List<Path> beside(List<Path> jars) {
        List<Path> sources = new ArrayList<>();
        for (Path jar : jars) {
            String name = jar.getFileName() == null ? "" : jar.getFileName().toString();
            Path beside = name.endsWith(".jar")
                    ? jar.resolveSibling(name.substring(0, name.length() - ".jar".length()) + "-sources.jar")
                    : null;
            if (beside != null && Files.isRegularFile(beside)) {
                sources.add(beside);
            }
        }
        return sources;
    }

    /** Returns the texts that the files have now. */
    public synchronized ServiceTexts texts() {
        if (paths.isEmpty()) {
            return ServiceTexts.NONE;
        }
        StringBuilder now = new StringBuilder();
        for (Path path : paths) {
            File file = path.toFile();
            now.append(path)
                    .append(' ')
                    .append(file.length())
                    .append(' ')
                    .append(file.lastModified())
                    .append('\n');
        }
        if (!now.toString().equals(state)) {
            state = now.toString();
            texts = read();
        }
        return texts;
    }

    private ServiceTexts read() {
        Map<String, OfService> services = new TreeMap<>();
        Map<String, OfClass> classes = new TreeMap<>();
        bytes = 0;
        for (Path path : paths) {
            if (bytes == Long.MAX_VALUE) {
                break;
            }
            try {
                if (Files.isDirectory(path)) {
                    readDirectory(path, services, classes);
                } else {
                    readJar(path, services, classes);
                }
            } catch (IOException | UncheckedIOException e) {
                LOG.warn(
                        "openapi.sources: {} cannot be read, so what it describes has no texts: {}",
                        path,
                        e.toString());
            }
        }
        return new ServiceTexts(state, services, classes);
    }

    private void readJar(Path path, Map<String, OfService> services, Map<String, OfClass> classes) throws IOException {
        try (ZipFile jar = new ZipFile(path.toFile())) {
            Iterator<? extends ZipEntry> entries = jar.entries().asIterator();
            while (entries.hasNext() && hasRoom(path, services, classes)) {
                ZipEntry entry = entries.next();
                if (entry.getName().endsWith(JAVA)) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        read(in, services, classes);
                    }
                }
            }
        }
    }

    private void readDirectory(Path path, Map<String, OfService> services, Map<String, OfClass> classes)
            throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            Iterator<Path> each = files.filter(file -> file.toString().endsWith(JAVA))
                    .sorted()
                    .iterator();
            while (each.hasNext() && hasRoom(path, services, classes)) {
                try (InputStream in = Files.newInputStream(each.next())) {
                    read(in, services, classes);
                }
            }
        }
    }

    private boolean hasRoom(Path path, Map<String, OfService> services, Map<String, OfClass> classes) {
        boolean hasRoom = bytes < MAX_BYTES && services.size() + classes.size() < MAX_TYPES;
        if (!hasRoom) {
            LOG.warn(
                    "openapi.sources: {} is not read on, nor what follows (expected: at most {} MiB of sources,"
                            + " {} types)",
                    path,
                    MAX_BYTES >> 20,
                    MAX_TYPES);
            bytes = Long.MAX_VALUE;
        }
        return hasRoom;
    }

    private void read(InputStream in, Map<String, OfService> services, Map<String, OfClass> classes)
            throws IOException {
        byte[] source = in.readNBytes(MAX_FILE + 1);
        bytes += source.length;
        if (source.length <= MAX_FILE) {
            JavaComments.read(new String(source, UTF_8), services, classes);
        }
    }
}
