package io.dubbomesh.transport.grpc;

import io.netty.buffer.ByteBuf;

/**
 * Cuts the data of a call into its messages, each of which follows a prefix:
 * <pre>
 *   +------------+----------------------+----------- ...
 *   | compressed | length               | message
 *   |   1 byte   | 4 bytes, big-endian  |
 *   +------------+----------------------+----------- ...
 * </pre>
 * Belongs to the connection's event loop.
 */
final class GrpcMessageReader {
    static final int LENGTH_OFFSET = Byte.BYTES;
    static final int PREFIX_LENGTH = LENGTH_OFFSET + Integer.BYTES;
    /** Twice that of gRPC's own clients: an application may export much. */
    static final int MAX_LENGTH = 8 << 20;

    private long length;
    private int prefixRead;
    /** Null until the prefix is read. */
    private byte[] message;

    private int read;

    /**
     * Returns the next message, or null when all of {@code data} is read, which stays the caller's.
     *
     * @throws GrpcException if it is too long, or compressed, which this client has not allowed
     */
    byte[] read(ByteBuf data) throws GrpcException {
        while (message == null && data.isReadable()) {
            readPrefix(data.readUnsignedByte());
        }
        if (message == null) {
            return null;
        }
        int some = Math.min(data.readableBytes(), message.length - read);
        data.readBytes(message, read, some);
        read += some;
        if (read < message.length) {
            return null;
        }
        byte[] complete = message;
        message = null;
        read = 0;
        return complete;
    }

    private void readPrefix(int next) throws GrpcException {
        if (prefixRead == 0 && next != 0) {
            throw new GrpcException(GrpcStatus.INTERNAL, "compressed message (expected: an uncompressed one)");
        }
        length = length << Byte.SIZE | next;
        if (++prefixRead < PREFIX_LENGTH) {
            return;
        }
        if (length > MAX_LENGTH) {
            throw new GrpcException(
                    GrpcStatus.RESOURCE_EXHAUSTED, "gRPC message exceeds maximum size " + MAX_LENGTH + ": " + length);
        }
        message = new byte[(int) length];
        length = 0;
        prefixRead = 0;
    }
}
