package io.dubbomesh.transport.grpc;

/** Takes what arrives of a call; called on the connection's event loop, and must not block. */
public interface GrpcReceiver {
    /**
     * Called with each message.
     *
     * @throws GrpcException to end the call
     * @throws io.dubbomesh.runtime.protobuf.ProtobufReader.Malformed to end it with that reason
     */
    void onMessage(byte[] message) throws GrpcException;

    /** Called once, when no message follows; {@code failure} is null if the call ended well. */
    void onEnd(GrpcException failure);
}
