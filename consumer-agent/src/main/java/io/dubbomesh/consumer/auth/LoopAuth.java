package io.dubbomesh.consumer.auth;

import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Authenticates the callers of one event loop, and decides what they may call. A token that was verified is remembered
 * until it expires, the tokens of the file change or the key is gone that has signed it, and is found again by its
 * bytes; one that is wrong is not remembered. Owned by the loop.
 */
public final class LoopAuth {
    static final CallException NO_CREDENTIALS = new CallException(
            Outcome.UNAUTHENTICATED, "no credentials (expected: the header Authorization: Bearer TOKEN)");

    private static final CallException BUSY = new CallException(
            Outcome.OVERLOADED, "too many JWTs that are wrong: no time to check one that is not known yet (http.auth)");

    private static final Metric REFUSED = Metric.counter(
            "dubbomesh_consumer_auth_refused_total",
            "Requests that were refused because of who sent them, or because nobody knows who.",
            "code");
    private static final byte[] BEARER = Words.fold("bearer");
    private static final int MAX_TOKEN = 8 << 10;
    /** The name of a service, in rules, whose methods are the tools of MCP. */
    private static final String TOOLS = "mcp";

    private final CallerAuth auth;
    private final byte[] token = new byte[MAX_TOKEN];
    private final KnownTokens known = new KnownTokens();
    private final FailedChecks failedChecks = new FailedChecks(System.nanoTime());
    /** The state by which the known tokens were verified. */
    private AuthState state;

    private long unauthenticated;
    private long invalid;
    private long forbidden;
    private long unchecked;

    public LoopAuth(CallerAuth auth) {
        this.auth = auth;
        state = auth.state();
    }

    /** Returns credentials for another parser. */
    public RequestCredentials newCredentials() {
        return new RequestCredentials(this);
    }

    /** @throws CallException if it is not known who calls */
    public void admit(RequestCredentials credentials) throws CallException {
        CallException failure = credentials.failure();
        if (failure == null) {
            return;
        }
        switch (failure.outcome()) {
            case UNAUTHENTICATED -> unauthenticated++;
            case INVALID_TOKEN -> invalid++;
            case OVERLOADED -> unchecked++;
            // The request is malformed for every caller.
            default -> {}
        }
        throw failure;
    }

    /** Returns whether a caller that was admitted has a JWT, and could have another one. */
    public static boolean hasJwt(RequestCredentials credentials) {
        return credentials.known().caller.kind() == AuthSettings.Kind.JWT;
    }

    /** Returns the refusal of a caller, without counting it; null if it is known who calls. */
    public static CallException refusal(RequestCredentials credentials) {
        return credentials.failure();
    }

    /** @throws CallException if it is not known any more who calls */
    public void admitAgain(RequestCredentials credentials) throws CallException {
        credentials.authenticateAgain();
        admit(credentials);
    }

    /**
     * @param isKept whether the agent keeps this name for further calls
     * @throws CallException if the caller may not call this; a caller that is not known may call nothing, whether rules
     *     are set or not
     */
    public void authorize(RequestCredentials credentials, MethodName name, boolean isKept) throws CallException {
        admit(credentials);
        RuleTable rules = auth.state().rules();
        if (rules == null || credentials.known().mayCall(name, isKept, rules)) {
            return;
        }
        forbidden++;
        throw new CallException(
                Outcome.FORBIDDEN,
                Quoted.text(credentials.subject()) + " may not call " + Quoted.plain(name.service(), Caller.MAX_SUBJECT)
                        + '#' + Quoted.plain(name.method(), Caller.MAX_SUBJECT) + " (http.auth.rules)");
    }

    /** Returns whether a caller who was admitted may call a method, without counting it as refused. */
    public boolean mayCall(RequestCredentials credentials, String service, String method) {
        RuleTable rules = auth.state().rules();
        return rules == null || rules.allows(credentials.known().caller, service, method);
    }

    /**
     * Returns whether a caller that was admitted may use a tool: by a rule for the tool, as a method of the service
     * {@value #TOOLS}, or by one for the method that it calls.
     */
    public boolean mayUse(RequestCredentials credentials, String tool, MethodName method) {
        return mayCall(credentials, TOOLS, tool) || mayCall(credentials, method.service(), method.method());
    }

    /** Returns the groups of which each member may use a tool. */
    public Set<String> groupsFor(String tool, MethodName method) {
        RuleTable rules = auth.state().rules();
        if (rules == null) {
            return Set.of();
        }
        Set<String> groups = new HashSet<>(rules.groupsFor(TOOLS, tool));
        groups.addAll(rules.groupsFor(method.service(), method.method()));
        return groups;
    }

    /** Returns how clients log in themselves; null where they cannot. */
    public ProtectedResource resource() {
        return auth.resource();
    }

    /** Returns the owner of the token in the value {@code in[at, end)} of the header field Authorization. */
    KnownToken authenticate(ByteBuf in, int at, int end) throws CallException {
        int tokenAt = at + BEARER.length;
        if (end - at <= BEARER.length
                || !Words.equalInAnyCase(in, at, BEARER)
                || !Tokens.isBlank(in.getByte(tokenAt))) {
            throw NO_CREDENTIALS;
        }
        tokenAt = Tokens.skipBlanks(in, tokenAt, end);
        int length = end - tokenAt;
        if (length > MAX_TOKEN) {
            throw invalid("longer than " + MAX_TOKEN + " bytes");
        }
        in.getBytes(tokenAt, token, 0, length);
        return authenticate(length);
    }

    /** Returns the owner of the token. */
    KnownToken authenticate(byte[] again) throws CallException {
        System.arraycopy(again, 0, token, 0, again.length);
        return authenticate(again.length);
    }

    /** Returns the state by which callers were authenticated last. */
    AuthState state() {
        return state;
    }

    /** Returns whether a token that was authenticated by this state need not be authenticated again. */
    boolean holds(KnownToken found, AuthState by) {
        return by == auth.state() && System.currentTimeMillis() < found.caller.expiresMs();
    }

    private KnownToken authenticate(int length) throws CallException {
        AuthState now = auth.state();
        if (now != state) {
            known.removeIf(token -> !isAlikeIn(now, token.caller));
            state = now;
        }
        long hash = known.hash(token, length);
        KnownToken found = known.find(hash, token, length);
        if (found != null && System.currentTimeMillis() < found.caller.expiresMs()) {
            return found;
        }
        Caller caller = verify(length);
        KnownToken verified = new KnownToken(Arrays.copyOf(token, length), caller, auth.nameOf(caller));
        known.add(hash, verified, System.currentTimeMillis());
        return verified;
    }

    private Caller verify(int length) throws CallException {
        Caller caller = state.tokens() == null ? null : state.tokens().find(token, length);
        if (caller != null) {
            return caller;
        }
        if (auth.jwt() == null || state.tokens() != null && !hasDot(length)) {
            throw invalid("unknown");
        }
        long startNs = System.nanoTime();
        if (!failedChecks.mayCheck(startNs)) {
            throw BUSY;
        }
        try {
            return auth.jwt().verify(new String(token, 0, length, US_ASCII), state.keys(), System.currentTimeMillis());
        } catch (CallException e) {
            failedChecks.failed(System.nanoTime() - startNs);
            throw e;
        }
    }

    /** Returns whether the token has a dot, which every JWT has. */
    private boolean hasDot(int length) {
        for (int i = 0; i < length; i++) {
            if (token[i] == '.') {
                return true;
            }
        }
        return false;
    }

    static CallException invalid(String why) {
        return new CallException(Outcome.INVALID_TOKEN, "the token of the header Authorization is not valid: " + why);
    }

    /**
     * Returns whether the key is the same in both: an issuer replaces its keys one by one, and tokens of a key that
     * stays remain valid.
     */
    private boolean isAlikeIn(AuthState now, Caller caller) {
        return switch (caller.kind()) {
            case TOKEN -> now.tokens() == state.tokens();
            case JWT -> now.keys() == state.keys() || now.keys().has(caller.key());
        };
    }

    /** Returns the number of refused requests. */
    public long refused() {
        return unauthenticated + invalid + forbidden + unchecked;
    }

    /** @param auth null where callers are not authenticated */
    public static void addTo(MetricSamples samples, LoopAuth auth) {
        samples.add(REFUSED, auth == null ? 0 : auth.unauthenticated, Outcome.UNAUTHENTICATED.code());
        samples.add(REFUSED, auth == null ? 0 : auth.invalid, Outcome.INVALID_TOKEN.code());
        samples.add(REFUSED, auth == null ? 0 : auth.forbidden, Outcome.FORBIDDEN.code());
        samples.add(REFUSED, auth == null ? 0 : auth.unchecked, Outcome.OVERLOADED.code());
    }
}
