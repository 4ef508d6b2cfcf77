package io.dubbomesh.testsupport.tls;

import io.netty.pkitesting.X509Bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A certificate, its key and the authorities that its owner trusts, as PEM files laid out like a Kubernetes secret. */
public record TlsFiles(Path certificate, Path key, Path authorities) {
    /** Names the files in a directory, which need not be there. */
    public static TlsFiles in(Path directory) {
        return new TlsFiles(directory.resolve("tls.crt"), directory.resolve("tls.key"), directory.resolve("ca.crt"));
    }

    /** Writes the files, or writes them anew, one after the other. */
    public static TlsFiles write(Path directory, X509Bundle own, String authorities) throws IOException {
        TlsFiles files = in(Files.createDirectories(directory));
        Files.writeString(files.authorities, authorities);
        Files.writeString(files.certificate, own.getCertificatePathPEM());
        Files.writeString(files.key, own.getPrivateKeyPEM());
        return files;
    }

    /** Returns the settings of an agent whose links use these files. */
    public Map<String, String> linkSettings(String peerNames) {
        return Map.of(
                "mesh.tls.cert", certificate.toString(),
                "mesh.tls.key", key.toString(),
                "mesh.tls.ca", authorities.toString(),
                "mesh.tls.peer-names", peerNames);
    }
}
