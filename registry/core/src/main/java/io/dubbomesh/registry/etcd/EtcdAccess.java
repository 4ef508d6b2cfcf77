package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.address.AccessFiles;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;

import java.io.File;
import java.io.IOException;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The credentials of an agent and of etcd: files, which are read again for each connection. */
public final class EtcdAccess {
    private static final String KIND = "etcd";

    /** The access to an etcd that asks for nothing. */
    public static final EtcdAccess OPEN = new EtcdAccess(AccessFiles.none(KIND));

    private final AccessFiles files;

    private EtcdAccess(AccessFiles files) {
        this.files = files;
    }

    /**
     * Reads {@code username-file=/file&ca=/file&cert=/file&key=/file}, any of them, and the files.
     *
     * @throws IllegalArgumentException naming the option and what is wrong with it or its file
     */
    public static EtcdAccess parse(String options) {
        EtcdAccess access = new EtcdAccess(AccessFiles.parse(KIND, options));
        access.tls();
        return access;
    }

    /**
     * Adds it to a connection to a member.
     *
     * @param host of the member as the operator has named it, which its certificate must contain
     * @throws IllegalArgumentException as {@link #parse}: a file may have changed
     */
    void addTo(ClientBuilder connection, String host) {
        AccessFiles.User user = files.readUser();
        if (user != null) {
            connection.user(bytes(user.name())).password(bytes(user.password()));
        }
        SslContext tls = tls();
        if (tls != null) {
            connection.sslContext(tls).authority(host);
        }
    }

    /** Returns the user that the file has now; null if there is no file, or it cannot be used. */
    AccessFiles.User user() {
        try {
            return files.readUser();
        } catch (AccessFiles.Unusable e) {
            return null;
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    /** Returns null if the connection is plain. */
    private SslContext tls() {
        if (files.ca() == null) {
            return null;
        }
        SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        File ca = files.readable("ca", files.ca()).toFile();
        try {
            builder.trustManager(ca);
        } catch (IllegalArgumentException e) {
            throw files.unusable("ca", ca, reason(e));
        }
        File cert = files.cert() == null
                ? null
                : files.readable("cert", files.cert()).toFile();
        File key =
                files.key() == null ? null : files.readable("key", files.key()).toFile();
        try {
            return cert == null
                    ? builder.build()
                    : builder.keyManager(cert, key).build();
        } catch (IOException | IllegalArgumentException e) {
            throw files.unusable("cert, key", cert + ", " + key, reason(e));
        }
    }

    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage());
    }
}
