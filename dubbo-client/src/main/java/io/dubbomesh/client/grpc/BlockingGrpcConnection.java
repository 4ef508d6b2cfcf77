package io.dubbomesh.client.grpc;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.grpc.GrpcConnection;
import io.dubbomesh.transport.grpc.GrpcException;
import io.dubbomesh.transport.grpc.GrpcPeer;
import io.dubbomesh.transport.grpc.GrpcReceiver;
import io.dubbomesh.transport.grpc.GrpcRequest;
import io.dubbomesh.transport.grpc.GrpcStatus;
import io.dubbomesh.transport.tls.TlsConnector;
import io.dubbomesh.transport.tls.TlsConnector.Peer;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to a provider for a few unary calls of gRPC one after the other, opened by the first of them. Each call
 * blocks, so that it is not for event loops; none waits longer than to the deadline of the connection.
 */
public final class BlockingGrpcConnection implements Closeable {
    private final GrpcConnection connection;
    private final long deadlineNs;

    /** The provider has answered with a failure, and the connection can be used again. */
    public static final class StatusException extends IOException {
        private static final long serialVersionUID = 1;

        private final String details;

        StatusException(GrpcException failure) {
            super(failure.getMessage(), failure);
            details = failure.details();
        }

        /** Returns {@code grpc-status-details-bin} as it has come; null for none. */
        public String details() {
            return details;
        }
    }

    /** @param tls null for plain text */
    public BlockingGrpcConnection(HostPort address, TlsConnector tls, long deadlineNs) throws IOException {
        this.deadlineNs = deadlineNs;
        // Dubbo 3.0 to 3.2 choose no protocol.
        GrpcPeer.Tls secured =
                tls == null ? null : new GrpcPeer.Tls(channel -> tls.newHandler(channel, Peer.ofHttp2(address)), false);
        GrpcPeer peer = new GrpcPeer(
                new InetSocketAddress(address.host(), address.port()), address.toString(), secured, timeLeftMs());
        connection = new GrpcConnection(peer, "provider-grpc");
    }

    /**
     * Calls a method, and returns the message of its answer.
     *
     * @param fields header fields beside those of gRPC, in small letters
     * @throws StatusException if the answer is a failure
     */
    public byte[] call(String path, String contentType, Map<String, String> fields, byte[] message) throws IOException {
        int timeLeftMs = timeLeftMs();
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.put("grpc-timeout", timeLeftMs + "m");
        Answer answer = new Answer();
        connection.call(new GrpcRequest(path, contentType, all, message), answer);
        try {
            return answer.whole.get(timeLeftMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw noAnswer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            GrpcException failure = (GrpcException) e.getCause();
            throw failure.isAnswer() ? new StatusException(failure) : new IOException(failure.getMessage(), failure);
        }
    }

    /** The one message of an answer, which counts when the call has ended well. */
    private static final class Answer implements GrpcReceiver {
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private byte[] message;

        @Override
        public void onMessage(byte[] next) throws GrpcException {
            if (message != null) {
                throw new GrpcException(GrpcStatus.INTERNAL, "an answer of more than one message");
            }
            message = next;
        }

        @Override
        public void onEnd(GrpcException failure) {
            if (failure != null) {
                whole.completeExceptionally(failure);
            } else if (message == null) {
                whole.completeExceptionally(new GrpcException(GrpcStatus.INTERNAL, "an answer without a message"));
            } else {
                whole.complete(message);
            }
        }
    }

    private int timeLeftMs() throws SocketTimeoutException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
            throw noAnswer();
        }
        return (int) Math.min(leftMs, Integer.MAX_VALUE);
    }

    private static SocketTimeoutException noAnswer() {
        return new SocketTimeoutException("no answer in time");
    }

    @Override
    public void close() {
        connection.close();
    }
}
