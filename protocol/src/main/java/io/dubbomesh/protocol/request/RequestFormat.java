package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.type.NotNativeException;
import io.netty.buffer.ByteBuf;

/**
 * Writes the requests of one method as a protocol lays them out. Keeps what repeats from call to call. Owned by one
 * event loop.
 */
public interface RequestFormat {
    /** Makes the formats of a protocol's methods. */
    @FunctionalInterface
    interface Factory {
        RequestFormat of(MethodName name, Invocation invocation, ExportedAs exported);

        /** Returns whether a request can be a message of protobuf, see {@link Invocation#message}. */
        default boolean takesMessages() {
            return false;
        }

        /** Returns whether the requests are those of Triple, and not those of Dubbo 2. */
        default boolean isTriple() {
            return false;
        }

        /**
         * Returns whether the provider reads arguments by the types that the method declares. If not, it is left to its
         * {@code $invoke} to make these of what is written.
         */
        default boolean readsDeclaredTypes() {
            return true;
        }
    }

    /**
     * Appends one whole request to {@code out}. When an argument is refused, {@code out} is left as it was.
     *
     * @param requestId by which the answer is found, for protocols whose requests have one
     * @throws CallException BAD_ARGUMENT, naming position, wanted type and value, or BAD_REQUEST; an attachment that
     *     callers may not set is BAD_REQUEST
     * @throws NotNativeException if a value needs another {@link Invocation}
     */
    void write(ByteBuf out, long requestId, boolean oneWay, CallArguments call) throws CallException;

    /**
     * Writes the arguments alone, to see whether they are taken.
     *
     * @throws CallException as {@link #write}
     * @throws NotNativeException likewise
     */
    void checkArguments(ByteBuf scratch, CallArguments call) throws CallException;

    /**
     * Returns whether the Dubbo response at {@code offset} says that the provider has no such method, and so has
     * executed nothing: not whether something that the method has called says so.
     */
    boolean isUnknownMethod(ByteBuf in, int offset);
}
