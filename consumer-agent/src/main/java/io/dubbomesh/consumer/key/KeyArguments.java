package io.dubbomesh.consumer.key;

/** The arguments of a call, of which one may be its key. */
public interface KeyArguments {
    /**
     * Returns the {@linkplain CallKey#hash hash} of the text of an argument as the client wrote it, without its escapes
     * in a form and without the quotes of a string in JSON; {@link CallKey#NONE} if there is none.
     *
     * @param index from 0 on
     */
    long hash(int index);
}
