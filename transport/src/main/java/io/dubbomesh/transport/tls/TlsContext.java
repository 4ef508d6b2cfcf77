package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.socket.SocketSettings;
import io.netty.channel.Channel;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The shared parts of all connections of one kind: their files, and the threads that compute their handshakes, so that
 * a peer that makes many of them does not block an event loop. It also reads the files every few seconds. Connections
 * that begin after they have changed use the new ones, once two readings in a row are the same: the first half of a
 * chain or of a list of authorities is well-formed too.
 */
final class TlsContext implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);
    private static final long FILES_CHECK_MS = 2000;
    /** A dead peer does not read the close_notify alert, and the calls in flight must not wait for it. */
    private static final long CLOSE_NOTIFY_MS = 200;

    private final TlsSettings settings;
    private final Function<TlsFiles, SslContext> builder;
    private final ScheduledThreadPoolExecutor threads;
    /** Null where this agent shows no certificate. */
    private final SecretFile key;

    private volatile SslContext context;
    /** The files in use. */
    private volatile TlsFiles files;
    /** The files that were read last, whether they are in use or not. */
    private TlsFiles last;

    private String problem = "";

    /**
     * @param builder makes the contexts for this kind of connection
     * @throws io.dubbomesh.runtime.settings.SettingsException if a file cannot be read or used; names its setting, its
     *     path and the reason
     */
    TlsContext(TlsSettings settings, Function<TlsFiles, SslContext> builder) {
        this.settings = settings;
        this.builder = builder;
        key = settings.key() == null ? null : new SecretFile(settings.prefix() + ".key", settings.key());
        last = TlsFiles.read(settings);
        use(last);
        checkKey();
        threads = new ScheduledThreadPoolExecutor(
                Math.max(1, Runtime.getRuntime().availableProcessors() / 2), new DefaultThreadFactory("tls", true));
        threads.setRemoveOnCancelPolicy(true);
        PeriodicTask.start(threads, "TLS files", FILES_CHECK_MS, this::readAgain);
    }

    private void use(TlsFiles read) {
        context = builder.apply(read);
        files = read;
        X509Certificate certificate = read.certificate();
        if (certificate == null) {
            Path authorities = settings.peers().authorities();
            LOG.info(
                    "TLS with the authorities {} ({}.ca)",
                    authorities == null ? "that the JVM trusts" : "in " + authorities,
                    settings.prefix());
            return;
        }
        LOG.info(
                "TLS with the certificate of {}, valid until {} ({}.cert)",
                certificate.getSubjectX500Principal(),
                certificate.getNotAfter().toInstant(),
                settings.prefix());
    }

    private void checkKey() {
        if (key != null) {
            key.warnIfPublic(true);
        }
    }

    /**
     * Takes files that have changed. Those that do not fit together, as one of them is not replaced yet, are read again
     * later.
     */
    synchronized void readAgain() {
        checkKey();
        try {
            TlsFiles read = TlsFiles.read(settings);
            boolean settled = read.equals(last);
            last = read;
            if (!settled) {
                return;
            }
            if (!read.equals(files)) {
                use(read);
            }
            problem = "";
        } catch (RuntimeException e) {
            String found = String.valueOf(e.getMessage());
            if (!found.equals(problem)) {
                problem = found;
                LOG.warn("{}; new connections go on with what was read before", problem);
            }
        }
    }

    /** Returns this agent's own certificate; null if it shows none. */
    X509Certificate certificate() {
        return files.certificate();
    }

    /** Begins with a connection that is to have TLS, before its first read: {@code records} stand in front of it. */
    void addTo(Channel channel, TlsRecords records) {
        channel.pipeline().addLast(records);
        // TLS keeps the buffer of a record that has not arrived as a whole.
        SocketSettings.useOwnReadBuffers(channel);
    }

    /** Makes the TLS for a connection. A {@link TlsGate} follows it. */
    SslHandler newHandler(Channel channel, long handshakeTimeoutMs, HandshakeTasks.Progress progress) {
        return prepared(
                context.newHandler(channel.alloc(), new HandshakeTasks(threads, channel, progress)),
                handshakeTimeoutMs);
    }

    /** Makes that for a connection to a host, which its certificate may name. */
    SslHandler newHandler(Channel channel, TlsConnector.Peer peer) {
        HandshakeTasks tasks = new HandshakeTasks(threads, channel, HandshakeTasks.Progress.IGNORED);
        HostPort address = peer.address();
        SslHandler tls = context.newHandler(channel.alloc(), address.host(), address.port(), tasks);
        SSLParameters parameters = tls.engine().getSSLParameters();
        parameters.setApplicationProtocols(peer.protocols());
        tls.engine().setSSLParameters(parameters);
        return prepared(tls, handshakeTimeoutMs());
    }

    private static SslHandler prepared(SslHandler tls, long handshakeTimeoutMs) {
        StrongSignatures.demandOf(tls.engine());
        tls.setHandshakeTimeoutMillis(handshakeTimeoutMs);
        tls.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MS);
        return tls;
    }

    /** Puts TLS around a socket that is connected to a peer; its handshake is to be made. */
    SSLSocket secure(Socket connected, TlsConnector.Peer peer) throws IOException {
        HostPort address = peer.address();
        JdkSslContext used = (JdkSslContext) context;
        SSLSocket secured = (SSLSocket)
                used.context().getSocketFactory().createSocket(connected, address.host(), address.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setProtocols(TlsFiles.protocols());
        parameters.setCipherSuites(used.cipherSuites().toArray(String[]::new));
        parameters.setApplicationProtocols(peer.protocols());
        parameters.setAlgorithmConstraints(StrongSignatures.INSTANCE);
        if (settings.peers().areKnownByHost()) {
            parameters.setEndpointIdentificationAlgorithm(TlsFiles.HTTPS);
        }
        secured.setSSLParameters(parameters);
        return secured;
    }

    /** Runs a task later, among the handshakes. */
    void schedule(Runnable task, long ms) {
        threads.schedule(task, ms, TimeUnit.MILLISECONDS);
    }

    long handshakeTimeoutMs() {
        return settings.handshakeTimeoutMs();
    }

    /** Closes it; called after the event loops are closed. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
