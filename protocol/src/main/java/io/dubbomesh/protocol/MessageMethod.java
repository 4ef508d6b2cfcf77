package io.dubbomesh.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A method of a service that is defined by protobuf: it takes one message and returns messages, whose JSON is that of
 * the protobuf JSON mapping. Immutable; used by all threads.
 */
public interface MessageMethod {

    /** Returns the name of its service, {@code helloworld.Greeter}, as it is in the path of a call. */
    String service();

    /** Returns the method's name as its service declares it, {@code SayHello}, which is in the path of a call too. */
    String name();

    /** Returns {@code SayHello(helloworld.HelloRequest)}. */
    String signature();

    /** Returns the name of the message that it takes. */
    String request();

    /** Returns the name of the message that it returns. */
    String result();

    /** Returns whether the caller sends a stream of messages. */
    boolean isClientStreaming();

    /** Returns whether the provider answers with a stream of messages. */
    boolean isServerStreaming();

    /**
     * Appends the bytes of the message that the arguments of a form make, which are a 32-bit length and UTF-8 text
     * each: one, the JSON of the message, or none, which is a message without fields. When it is refused, {@code out}
     * is left as it was.
     *
     * @throws CallException BAD_ARGUMENT, naming the field, what is wrong, and what is expected, or BAD_REQUEST
     */
    void writeTexts(ByteBuf out, ByteBuf in, int offset, int length) throws CallException;

    /**
     * Appends the bytes of the message that is the only element of a JSON array; of an empty one the message has no
     * fields. When it is refused, {@code out} is left as it was.
     *
     * @throws CallException as {@link #writeTexts}
     */
    void writeArray(ByteBuf out, ByteBuf in, int offset, int length) throws CallException;

    /**
     * Appends the JSON of a message that the provider has sent. When it cannot be read, {@code out} is left as it was.
     *
     * @param isText    whether a message whose JSON is a string, as that of {@code google.protobuf.StringValue}, is
     *     written without quotes
     * @param maxLength in bytes of the JSON
     * @throws CallException PROVIDER_ERROR, if the bytes are no such message, or its JSON is longer
     */
    void readMessage(ByteBuf in, int offset, int length, boolean isText, int maxLength, ByteBuf out)
            throws CallException;
}
