package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.address.AccessFiles;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;

import java.io.File;
import java.io.IOException;

/** The credentials of an agent and of etcd: files, which are read again for each connection. */
public final class EtcdAccess {
    private static final String KIND = "etcd";
    private static final ApplicationProtocolConfig ONLY_HTTP2 = new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);

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
     * Returns the user that the file has now; null if there is no file.
     *
     * @throws IllegalArgumentException as {@link #parse}: the file may have changed
     */
    AccessFiles.User readUser() {
        return files.readUser();
    }

    /** Returns the user that the file has now; null if there is no file, or it cannot be used. */
    AccessFiles.User user() {
        try {
            return files.readUser();
        } catch (AccessFiles.Unusable e) {
            return null;
        }
    }

    /**
     * Returns what the files say of TLS; null if the connection is plain.
     *
     * @throws IllegalArgumentException as {@link #parse}: a file may have changed
     */
    SslContext tls() {
        if (files.ca() == null) {
            return null;
        }
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .endpointIdentificationAlgorithm("HTTPS")
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(ONLY_HTTP2);
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
