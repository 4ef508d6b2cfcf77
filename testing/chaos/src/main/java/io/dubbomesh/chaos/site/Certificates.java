package io.dubbomesh.chaos.site;

import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import io.netty.pkitesting.X509Bundle;

import java.io.IOException;
import java.nio.file.Path;

/** The certificates of the authority of a site and of another one, in files. */
public final class Certificates {
    /** The subject alternative name of all certificates but one. */
    static final String NAME = "mesh.test";

    private final Path directory;
    private final CertificateAuthority authority = new CertificateAuthority("authority");
    private final TlsFiles good;

    Certificates(Path directory) throws Exception {
        this.directory = directory;
        good = write("tls", authority.sign(NAME));
    }

    /** Returns the files of all agents. */
    public TlsFiles good() {
        return good;
    }

    public TlsFiles ofAnotherAuthority() throws Exception {
        return write("other", new CertificateAuthority("authority").sign(NAME));
    }

    public TlsFiles expired() throws Exception {
        return write("expired", authority.signExpired(NAME));
    }

    public TlsFiles withAnotherName() throws Exception {
        return write("named", authority.sign("stranger.test"));
    }

    private TlsFiles write(String name, X509Bundle own) throws IOException {
        return authority.write(directory.resolve(name), own);
    }
}
