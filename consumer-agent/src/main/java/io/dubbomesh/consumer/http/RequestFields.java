package io.dubbomesh.consumer.http;

/**
 * The header fields that the handler of the requests needs, beside those of HTTP itself. One belongs to each parser and
 * is reused from request to request.
 */
public interface RequestFields {
    /** Adds the fields to the table; called once. */
    void register(HeaderTable table);

    /** Forgets what an earlier request had. */
    void reset();

    /**
     * Returns whether they decide if a body is to be read: the parser stops in front of it then, with {@link
     * HttpRequestParser.Result#HEAD}.
     */
    default boolean checksHead() {
        return false;
    }
}
