package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;

/**
 * The meaning of the names in {@code Transfer-Encoding}, one after the other (RFC 9112, section 6.1).
 * <pre>
 *            chunked            any
 *   NONE --------------> CHUNKED -------+
 *    |                                  v
 *    | another                      MISPLACED (final)
 *    v         chunked                  ^
 *   OTHER --------------> OTHER_CHUNKED-+
 *     another: OTHER               any
 * </pre>
 */
enum TransferCoding {
    /** The field is absent. */
    NONE,
    /** The only coding that is read here. */
    CHUNKED,
    /** Codings without chunked. */
    OTHER,
    /** Codings and then chunked. */
    OTHER_CHUNKED,
    /** Something follows chunked. */
    MISPLACED;

    /** Returns what another coding makes of it. */
    TransferCoding then(boolean isChunked) {
        return switch (this) {
            case NONE -> isChunked ? CHUNKED : OTHER;
            case OTHER -> isChunked ? OTHER_CHUNKED : OTHER;
            case CHUNKED, OTHER_CHUNKED, MISPLACED -> MISPLACED;
        };
    }

    /** @throws CallException if a body with this coding cannot be read */
    void check() throws CallException {
        switch (this) {
            case NONE, CHUNKED -> {}
            case OTHER, OTHER_CHUNKED ->
                throw new CallException(Outcome.NOT_IMPLEMENTED, "Transfer-Encoding is not just chunked");
            case MISPLACED ->
                throw new CallException(Outcome.BAD_REQUEST, "Transfer-Encoding: chunked is not the last coding");
        }
    }
}
