package io.dubbomesh.transport.tls;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

import javax.net.ssl.SSLPeerUnverifiedException;
import java.security.cert.X509Certificate;

/** The TLS of a connection that was accepted. Used by the connection's event loop, and once its handshake is done. */
public final class TlsConnection {
    private final Channel channel;
    private final TlsRecords records;

    TlsConnection(Channel channel, TlsRecords records) {
        this.channel = channel;
        this.records = records;
    }

    /** Returns whether a record has been coming for so long, and is not there: nothing of it was read. */
    public boolean hasIncompleteRecordFor(long nowNs, long ns) {
        return records.isIncompleteFor(nowNs, ns);
    }

    /** Called when a request of the peer was admitted: it is no stranger any more. */
    public void admitted() {
        records.admitted();
    }

    /** Returns what has come of a record of which nothing was read, as it is not there yet. */
    public int incompleteRecordBytes() {
        return records.incompleteBytes();
    }

    /**
     * Returns the name in the verified certificate of the peer: the first DNS name or URI among its subject alternative
     * names, else the common name of its subject. Printable ASCII; empty if the peer has shown no certificate, or one
     * without such a name. To be asked once for a connection.
     */
    public String peerName() {
        try {
            return PeerName.of((X509Certificate) tls().engine().getSession().getPeerCertificates()[0]);
        } catch (SSLPeerUnverifiedException e) {
            return "";
        }
    }

    /**
     * Tells the peer that nothing more comes, by a close_notify alert and the end of the output; goes on taking what
     * arrives.
     */
    public void shutdownOutput() {
        tls().closeOutbound().addListener(told -> ((DuplexChannel) channel).shutdownOutput());
    }

    private SslHandler tls() {
        return channel.pipeline().get(SslHandler.class);
    }
}
