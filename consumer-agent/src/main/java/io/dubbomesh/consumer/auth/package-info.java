/**
 * Authentication and authorization of callers: tokens, keys, rules.
 *
 * <p>{@link io.dubbomesh.consumer.auth.CallerAuth}, one for the agent, reads files and keys on its own threads and
 * makes an {@code AuthState} of them. {@link io.dubbomesh.consumer.auth.LoopAuth}, one for each event loop, finds the
 * caller of a token by the newest state, and remembers what it has verified in {@code KnownTokens}.
 * {@link io.dubbomesh.consumer.auth.RequestCredentials}, one for each parser, takes the header field of a request and
 * keeps its caller until the request is answered. Each kind of token has its own {@code Caller.kind}, which rules and
 * logs name.
 */
package io.dubbomesh.consumer.auth;
