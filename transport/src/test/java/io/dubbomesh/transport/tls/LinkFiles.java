package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import io.netty.pkitesting.X509Bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The files of an agent's links, and the settings that name them. */
final class LinkFiles {
    /** The first handshake of a JVM takes many seconds on a busy machine. */
    private static final long HANDSHAKE_TIMEOUT_MS = 20_000;

    private LinkFiles() {}

    static TlsSettings write(CertificateAuthority authority, Path directory, X509Bundle own, String... peerNames)
            throws IOException {
        TlsFiles files = authority.write(directory, own);
        return TlsSettings.ofLinks(
                files.certificate(), files.key(), files.authorities(), List.of(peerNames), HANDSHAKE_TIMEOUT_MS);
    }
}
