package io.dubbomesh.client.definition;

import io.dubbomesh.idl.ProtoFiles;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.runtime.FileFailure;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The files of {@code dubbo.api.descriptors}: sets of descriptors of protobuf. They are read when a service is looked
 * for in them, and again if one has changed by then. Blocking, not for event loops; thread-safe.
 */
public final class DescriptorFiles {
    /** The files of an agent that was given none. */
    public static final DescriptorFiles NONE = new DescriptorFiles(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(DescriptorFiles.class);
    /** The bound of a file in bytes; the descriptors of a thousand .proto files take a few million. */
    private static final int MAX_SIZE = 16 * 1024 * 1024;

    private final List<Path> paths;
    /** What was read, null before. Guarded by this. */
    private ProtoFiles files;
    /** The files when they were read. Guarded by this. */
    private List<Version> versions = List.of();

    private record Version(long size, FileTime modified) {}

    public DescriptorFiles(List<Path> paths) {
        this.paths = List.copyOf(paths);
    }

    public boolean areAny() {
        return !paths.isEmpty();
    }

    /**
     * Returns the definition of the service of this name, which is that of a {@code .proto} file or of a Java
     * interface; null if there is none.
     *
     * @throws IOException if a file cannot be read, or is no set of descriptors; its message names the file
     */
    public synchronized ServiceDefinition definition(String name) throws IOException {
        if (paths.isEmpty()) {
            return null;
        }
        List<Version> now = new ArrayList<>();
        for (Path path : paths) {
            now.add(version(path));
        }
        if (files == null || !now.equals(versions)) {
            files = read();
            versions = now;
        }
        return files.definition(name, DefinitionSource.DESCRIPTORS);
    }

    private static Version version(Path path) throws IOException {
        try {
            return new Version(Files.size(path), Files.getLastModifiedTime(path));
        } catch (IOException e) {
            throw new IOException(path + ": " + FileFailure.reason(e), e);
        }
    }

    private ProtoFiles read() throws IOException {
        List<byte[]> sets = new ArrayList<>();
        for (Path path : paths) {
            byte[] set = read(path);
            // So that the message names the file.
            parse(path, List.of(set));
            sets.add(set);
        }
        ProtoFiles all = parse(paths.get(0), sets);
        Map<String, String> failures = all.failures();
        if (!failures.isEmpty()) {
            LOG.warn(
                    "dubbo.api.descriptors: {} .proto files cannot be used; the first: {}",
                    failures.size(),
                    PrintableText.brief(failures.values().iterator().next()));
        }
        return all;
    }

    private static byte[] read(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MAX_SIZE + 1);
            if (bytes.length > MAX_SIZE) {
                throw new IOException(path + ": more than " + MAX_SIZE + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw e.getMessage() != null && e.getMessage().startsWith(path + ": ")
                    ? e
                    : new IOException(path + ": " + FileFailure.reason(e), e);
        }
    }

    private static ProtoFiles parse(Path path, List<byte[]> sets) throws IOException {
        try {
            return ProtoFiles.ofSets(sets);
        } catch (MalformedDefinitionException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        }
    }
}
