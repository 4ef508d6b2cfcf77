package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;

/**
 * A method of a Dubbo service, ready to be called: the bytes that repeat from call to call (prefix and attachments) are made once.
 * Immutable apart from scratch space; owned by one event loop.
 */
public final class DubboRequest {

    private DubboRequest() {}

    /**
     * Makes the repeating bytes.
     *
     * @throws CallException BAD_REQUEST if the descriptor is malformed
     */
    public static DubboRequest prepare(MethodName name, Serialization serialization) throws CallException {
        throw new UnsupportedOperationException();
    }

    /**
     * Appends one whole request frame to {@code out}. When an argument is refused, {@code out} is left as it was.
     *
     * @param attachments the buffer that holds the caller's attachments (see {@link io.dubbomesh.protocol.Attachments}) and,
     *                    behind them or elsewhere, the arguments; only read, by absolute index, never released
     * @param form        whether the arguments are FORM (each a 32-bit length and UTF-8 text) or JSON (one array)
     * @throws CallException BAD_ARGUMENT, naming position, wanted type and value, or BAD_REQUEST
     */
    public void encode(
            ByteBuf out,
            long requestId,
            boolean oneWay,
            ByteBuf in,
            int attachmentsOffset,
            int attachmentsLength,
            int argumentsOffset,
            int argumentsLength,
            boolean form)
            throws CallException {
        throw new UnsupportedOperationException();
    }
}
