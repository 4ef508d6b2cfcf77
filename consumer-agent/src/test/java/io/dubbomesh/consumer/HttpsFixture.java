package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** An agent that takes HTTPS, the authorities, and clients with and without certificates. */
abstract class HttpsFixture extends AgentTest {
    static CertificateAuthority authority;
    static CertificateAuthority clients;

    @TempDir
    Path folder;

    @BeforeAll
    static void sign() throws Exception {
        // So that the end of a connection without a close_notify is an exception.
        System.setProperty("com.sun.net.ssl.requireCloseNotify", "true");
        authority = new CertificateAuthority("servers");
        clients = new CertificateAuthority("clients");
    }

    /** The settings of an agent with a certificate, whose files are written. */
    Map<String, String> https(String... others) throws Exception {
        write(authority.sign("agent.test"));
        Map<String, String> settings = new HashMap<>(Map.of(
                "http.tls.cert", folder.resolve("tls.crt").toString(),
                "http.tls.key", folder.resolve("tls.key").toString()));
        for (int i = 0; i < others.length; i += 2) {
            settings.put(others[i], others[i + 1]);
        }
        return settings;
    }

    void write(X509Bundle own) throws IOException {
        authority.write(folder, own);
    }

    Path clientAuthority() throws IOException {
        return Files.writeString(folder.resolve("client-ca.crt"), clients.pem());
    }

    /** @param own null for none */
    static SSLContext context(X509Bundle own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : own.toKeyManagerFactory().getKeyManagers(),
                authority.root().toTrustManagerFactory().getTrustManagers(),
                null);
        return context;
    }

    /** Connected; the handshake is still to be made. */
    SSLSocket connect(X509Bundle own, String protocol, int receiveBuffer) throws Exception {
        return connect(port(), own, protocol, receiveBuffer);
    }

    SSLSocket connect(int port, X509Bundle own, String protocol, int receiveBuffer) throws Exception {
        return connectWith(port, context(own), protocol, receiveBuffer);
    }

    /** The context keeps sessions, which the next connection resumes. */
    SSLSocket connectWith(int port, SSLContext context, String protocol, int receiveBuffer) throws Exception {
        Socket tcp = new Socket();
        if (receiveBuffer > 0) {
            tcp.setReceiveBufferSize(receiveBuffer);
        }
        tcp.setTcpNoDelay(true);
        tcp.setSoTimeout(40_000);
        tcp.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(tcp, "agent.test", port, true);
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        parameters.setProtocols(new String[] {protocol});
        tls.setSSLParameters(parameters);
        return opened(tls);
    }

    HttpSocket client(String protocol) throws Exception {
        return new HttpSocket(connect(null, protocol, 0));
    }
}
