package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;

import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The files of {@link TlsSettings} as they were read at one time; two readings are equal if nothing has changed.
 *
 * @param certificates null where this agent shows none, as the key
 * @param authorities null where peers need no certificate, or those of the JVM count
 */
record TlsFiles(PemFile certificates, PemFile key, PemFile authorities) {
    private static final String KEY = "PRIVATE KEY";
    /** The rules by which a certificate is one for a host (RFC 2818). */
    static final String HTTPS = "HTTPS";

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    /** The cipher suites with forward secrecy and authenticated encryption (RFC 9325), as both versions have them. */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
    /**
     * The bound of sessions that a server remembers of peers which keep none themselves (RFC 5077); the JDK would
     * remember 20,480 for a day.
     */
    private static final long SESSIONS = 1024;
    /**
     * The time for which a peer that comes again is not verified again, though its certificate may have expired. A peer
     * of TLS 1.2 that disregards the lifetime of its ticket is accepted until the JDK drops the key of the ticket,
     * which is an hour later at most.
     */
    static final long SESSION_SECONDS = 3600;

    /** Returns the versions of TLS, the preferred one first. */
    static String[] protocols() {
        return PROTOCOLS.clone();
    }

    /**
     * @throws io.dubbomesh.runtime.settings.SettingsException if one cannot be read; names its setting, its path and
     *     the reason
     */
    static TlsFiles read(TlsSettings settings) {
        return new TlsFiles(
                read(settings.prefix() + ".cert", settings.certificates()),
                read(settings.prefix() + ".key", settings.key()),
                read(settings.peers().setting(), settings.peers().authorities()));
    }

    private static PemFile read(String setting, Path path) {
        return path == null ? null : PemFile.read(setting, path);
    }

    /**
     * Has {@link Settings#check} report each file that cannot be used, and then that they do not belong together.
     *
     * @param builder makes the contexts for this kind of connection
     */
    static void check(Settings settings, TlsSettings tls, Function<TlsFiles, SslContext> builder) {
        boolean isKeyMissing = (tls.certificates() == null) != (tls.key() == null);
        boolean usable = !isKeyMissing
                & checkFile(settings, tls.prefix() + ".cert", tls.certificates(), TlsFiles::parse)
                & checkFile(settings, tls.prefix() + ".key", tls.key(), file -> file.blocks(KEY))
                & checkFile(settings, tls.peers().setting(), tls.peers().authorities(), TlsFiles::parse);
        if (usable && settings.tryCheck(() -> builder.apply(read(tls))) && tls.key() != null) {
            new SecretFile(tls.prefix() + ".key", tls.key()).warnIfPublic(true);
        }
    }

    /** @param path null if there is no such file */
    private static boolean checkFile(Settings settings, String setting, Path path, Consumer<PemFile> use) {
        return path == null || settings.tryCheck(() -> use.accept(PemFile.read(setting, path)));
    }

    /**
     * @throws io.dubbomesh.runtime.settings.SettingsException if one of the files is malformed or they do not belong
     *     together
     */
    SslContext toAccept(TlsSettings settings) {
        List<X509Certificate> own = parse(certificates);
        return build(
                SslContextBuilder.forServer(privateKey(own.get(0)), own)
                        .clientAuth(settings.peers().demand())
                        .trustManager(authorities == null ? null : trust(settings))
                        .sessionCacheSize(SESSIONS)
                        .sessionTimeout(SESSION_SECONDS),
                settings);
    }

    /** Likewise. */
    SslContext toConnect(TlsSettings settings) {
        // Most endpoints are addresses, which certificates do not contain: the names are checked instead.
        SslContextBuilder builder = SslContextBuilder.forClient()
                .endpointIdentificationAlgorithm(settings.peers().areKnownByHost() ? HTTPS : null)
                .sessionTimeout(SESSION_SECONDS)
                .trustManager(trust(settings));
        if (certificates != null) {
            List<X509Certificate> own = parse(certificates);
            builder.keyManager(privateKey(own.get(0)), own);
        }
        return build(builder, settings);
    }

    /** Returns this agent's own certificate; null if it shows none. */
    X509Certificate certificate() {
        return certificates == null ? null : parse(certificates).get(0);
    }

    private SslContext build(SslContextBuilder builder, TlsSettings settings) {
        if (settings.protocol() != null) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.FATAL_ALERT,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    settings.protocol()));
        }
        try {
            return builder.sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOLS)
                    .ciphers(CIPHERS)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            Throwable reason = e.getCause() != null ? e.getCause() : e;
            PemFile used = certificates == null ? authorities : certificates;
            throw used == null
                    ? new SettingsException(settings.prefix() + ": " + reason.getMessage())
                    : used.wrong(String.valueOf(reason.getMessage()));
        }
    }

    private TrustManager trust(TlsSettings settings) {
        List<String> names = settings.peers().names();
        try {
            // Without one, the factory takes the authorities that the JVM trusts.
            KeyStore store = null;
            if (authorities != null) {
                store = KeyStore.getInstance(KeyStore.getDefaultType());
                store.load(null, null);
                for (X509Certificate authority : parse(authorities)) {
                    store.setCertificateEntry("authority " + store.size(), authority);
                }
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            X509ExtendedTrustManager signed = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
            return names.isEmpty()
                    ? signed
                    : new PeerNameTrustManager(signed, names, settings.prefix() + ".peer-names");
        } catch (GeneralSecurityException | IOException e) {
            throw authorities == null
                    ? new SettingsException("the authorities that the JVM trusts: " + e.getMessage())
                    : authorities.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static List<X509Certificate> parse(PemFile file) {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> certificates = new ArrayList<>();
            for (byte[] block : file.blocks("CERTIFICATE")) {
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
            }
            return certificates;
        } catch (CertificateException e) {
            throw file.wrong("malformed certificate: " + e.getMessage());
        }
    }

    private PrivateKey privateKey(X509Certificate certificate) {
        String algorithm = certificate.getPublicKey().getAlgorithm();
        if (!algorithm.equals("RSA") && !algorithm.equals("EC")) {
            throw certificates.wrong("a certificate of an " + algorithm + " key, expected: RSA or EC");
        }
        byte[] encoded = key.blocks(KEY).get(0);
        try {
            PrivateKey read = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            if (belongs(read, certificate, algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA")) {
                return read;
            }
        } catch (GeneralSecurityException e) {
            // A key of another algorithm, or no key at all: told below.
        }
        throw key.wrong("not the key of the certificate in " + certificates.path());
    }

    /** Nothing else compares the two before the first handshake fails. */
    private static boolean belongs(PrivateKey key, X509Certificate certificate, String algorithm)
            throws GeneralSecurityException {
        byte[] text = {1, 2, 3};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(text);
        return signature.verify(signed);
    }
}
