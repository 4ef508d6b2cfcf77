package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;

import java.util.regex.Pattern;

/** The status byte of Dubbo responses. */
public final class DubboStatus {
    /** The error of a generic call with a type that is not on the provider's class path: the name alone, then a stack. */
    private static final Pattern CLASS_NOT_FOUND = Pattern.compile("[\\w.]*RpcException: [\\w.$]+(\\R|\\z)");

    /** What Dubbo's filter says before anything is executed, the same from 2.5 to 3.3; the rest of it may hold the token that was sent. */
    private static final Pattern TOKEN_REFUSED =
            Pattern.compile("[\\w.]*RpcException: Invalid token! Forbid invoke remote service ");

    public static final int OK = 20;
    public static final int SERVER_TIMEOUT = 31;
    public static final int BAD_REQUEST = 40;
    public static final int SERVICE_NOT_FOUND = 60;
    public static final int SERVICE_ERROR = 70;
    public static final int SERVER_ERROR = 80;
    /** No thread was free: nothing was executed. */
    public static final int POOL_EXHAUSTED = 100;

    private DubboStatus() {}

    /**
     * The outcome of a call whose Dubbo response has this status and error text; not for {@link #OK}. The caller decides whether
     * {@link #POOL_EXHAUSTED} means NOT_EXECUTED rather than OVERLOADED.
     */
    public static Outcome outcome(int status, String text) {
        return switch (status) {
            case SERVER_TIMEOUT -> Outcome.TIMEOUT;
            case BAD_REQUEST -> notFound(text, Outcome.BAD_REQUEST);
            case SERVICE_ERROR ->
                TOKEN_REFUSED.matcher(text).lookingAt()
                        ? Outcome.PROVIDER_REFUSED_TOKEN
                        : notFound(text, Outcome.PROVIDER_ERROR);
            case SERVICE_NOT_FOUND, SERVER_ERROR -> notFound(text, Outcome.PROVIDER_ERROR);
            case POOL_EXHAUSTED -> Outcome.OVERLOADED;
            default -> Outcome.PROVIDER_ERROR;
        };
    }

    /** By the error texts of Dubbo 2.6 to 3.3; no status alone says what was not found. */
    private static Outcome notFound(String text, Outcome otherwise) {
        if (text.contains("Not found exported service") || text.contains("not found, invocation rejected")) {
            return Outcome.SERVICE_NOT_FOUND;
        }
        // 2.7 and later say "Service not found:PATH, METHOD" where the service is there, but no such method with such
        // parameters.
        // 3.3 shows the call as it was decoded, and a method that it does not know has no types.
        if (text.contains("Service not found:")
                || text.contains("RpcInvocation [methodName=") && text.contains("parameterTypes=null")
                || text.contains("Not found method")
                || text.contains("NoSuchMethodException")
                || text.contains("No such method ")
                || CLASS_NOT_FOUND.matcher(text).lookingAt()) {
            return Outcome.METHOD_NOT_FOUND;
        }
        if (text.contains("args.length != types.length") || text.contains("Not unique method for method name")) {
            return Outcome.BAD_ARGUMENT;
        }
        return otherwise;
    }
}
