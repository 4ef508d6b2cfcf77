package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.FatalErrors;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

import javax.net.ssl.SSLEngine;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.regex.Pattern;

/**
 * Stands between TLS and the handlers of the connection, which are told of it only when the peer is authenticated: for
 * other peers nothing is allocated, written or looked up.
 */
final class TlsGate extends ChannelInboundHandlerAdapter {
    private static final int MAX_REASON = 300;
    /** Newer JDKs put the name of the TLS alert in front of their messages. */
    private static final Pattern ALERT = Pattern.compile("^\\([a-z_]+\\) ");

    /**
     * The JDK's text for a record of two bytes where it expects an encrypted one. An alert has this length, and
     * OpenSSL's clients send it unencrypted where they do not accept the certificate of TLS 1.3.
     */
    private static final String ALERT_IN_THE_CLEAR = "Insufficient buffer remaining for AEAD cipher fragment (2)";

    /** The consequence of the peer's close_notify. */
    enum AtEnd {
        /** The connection, which cannot be half-closed, ends. */
        CLOSE,
        /** The handlers are told as they are of the end of a connection's input without TLS. */
        TELL
    }

    private final SSLEngine engine;
    private final TlsRecords records;
    private final AtEnd atEnd;
    private boolean open;

    TlsGate(SSLEngine engine, TlsRecords records, AtEnd atEnd) {
        this.engine = engine;
        this.records = records;
        this.atEnd = atEnd;
    }

    /** Returns why a handshake or a connection failed, in a few words. */
    static String reason(Throwable cause) {
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (reason instanceof NotSslRecordException) {
            // Its own message has all the bytes.
            return "what the peer sent is not TLS";
        }
        if (reason instanceof ClosedChannelException) {
            return "closed by the peer";
        }
        String message = ALERT.matcher(String.valueOf(reason.getMessage())).replaceFirst("");
        if (message.startsWith(ALERT_IN_THE_CLEAR)) {
            return "refused by the peer, most likely because it does not accept the certificate (authority, names or validity)";
        }
        return message.length() <= MAX_REASON ? message : message.substring(0, MAX_REASON) + "...";
    }

    /** The handlers are told when the handshake is done. */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!ctx.channel().config().isAutoRead()) {
            // For the handshake; what it still needs TLS reads by itself.
            ctx.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        records.dataCame();
        ctx.fireChannelRead(message);
    }

    /** The reads of the handshake are none of theirs. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (open) {
            ctx.fireChannelReadComplete();
        }
    }

    /** Handlers that were not told of a connection are not told of its end. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (open) {
            ctx.fireChannelInactive();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (open) {
            ctx.fireChannelWritabilityChanged();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == SslHandshakeCompletionEvent.SUCCESS) {
            open = true;
            records.opened();
            forbidRenegotiation();
            ctx.channel().config().setAutoRead(true);
            ctx.fireChannelActive();
        } else if (event == SslCloseCompletionEvent.SUCCESS) {
            if (atEnd == AtEnd.CLOSE || !open || !mayBeHalfClosed()) {
                ctx.close();
            } else {
                ctx.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            }
        } else if (event instanceof ChannelInputShutdownEvent && open) {
            // Without a close_notify before it. A message says itself where it ends, so nothing can be cut off
            // unnoticed.
            ctx.fireUserEventTriggered(event);
        }
    }

    /**
     * Returns whether the connection may be half-closed: until TLS 1.2 both sides end with the first close_notify (RFC
     * 8446, 6.1), and no answer would reach the peer.
     */
    private boolean mayBeHalfClosed() {
        return engine.getSession().getProtocol().equals("TLSv1.3");
    }

    /**
     * Makes a handshake fail that a peer begins: until TLS 1.2 it may do so at any time; there is no cipher suite to
     * agree on.
     */
    private void forbidRenegotiation() {
        engine.setEnabledCipherSuites(new String[0]);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        FatalErrors.check(cause);
        if (open) {
            ctx.fireExceptionCaught(new IOException("TLS: " + reason(cause)));
        } else {
            ctx.close();
        }
    }
}
