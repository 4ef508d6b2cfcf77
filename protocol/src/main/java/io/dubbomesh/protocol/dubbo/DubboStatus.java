package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The status byte of Dubbo responses, and what it means together with the error's text. The text is read for two
 * purposes:
 * <ul>
 *   <li>{@link #outcome} says what the client is told. Any text that Dubbo uses will do, wherever it stands: a wrong
 *       guess is a wrong code.
 *   <li>{@link #isUnknownMethod} says that nothing was executed, so that the call may be sent once more, through {@code
 *       $invoke}. A wrong guess executes a call twice, so it knows fewer texts than METHOD_NOT_FOUND has: only those of
 *       calls that are not generic, and only where Dubbo says them itself. It looks at the bytes, since almost no
 *       response needs it and the frame is read by the agent that answers the client.
 * </ul>
 */
public final class DubboStatus {
    /**
     * The error of a generic call with a type that is not on the provider's class path: the name alone, then a stack.
     */
    private static final Pattern CLASS_NOT_FOUND = Pattern.compile("[\\w.]*RpcException: [\\w.$]+(\\R|\\z)");

    /**
     * The text of Dubbo's filter before anything is executed, the same from 2.5 to 3.3; the rest of it may hold the
     * token that was sent.
     */
    private static final Pattern TOKEN_REFUSED =
            Pattern.compile("[\\w.]*RpcException: Invalid token! Forbid invoke remote service ");

    public static final int OK = 20;
    public static final int SERVER_TIMEOUT = 31;
    public static final int BAD_REQUEST = 40;
    /** The result could not be sent. */
    public static final int BAD_RESPONSE = 50;

    public static final int SERVICE_NOT_FOUND = 60;
    public static final int SERVICE_ERROR = 70;
    public static final int SERVER_ERROR = 80;
    /** No thread was free: nothing was executed. */
    public static final int POOL_EXHAUSTED = 100;

    /** No status of Dubbo 2: a provider of Triple has too much to do, and maybe executed the call. */
    public static final int OVERLOADED = 101;

    /**
     * Begins the text for a method that a provider of Triple does not have, as Dubbo says it, with {@link
     * #BAD_REQUEST}.
     */
    public static final String NO_SUCH_METHOD = "no such method by Triple: ";

    /** Begins the text of any other refusal as not implemented: what the method itself has called may be meant. */
    public static final String NOT_IMPLEMENTED = "not implemented by Triple: ";

    /** Begins the text for arguments that a provider of Triple cannot read, with {@link #BAD_REQUEST}. */
    public static final String UNREAD_ARGUMENT = "the provider cannot read an argument: ";

    /** Begins the text for an exception that a provider of Triple cannot send, with {@link #BAD_RESPONSE}. */
    public static final String UNSENT_EXCEPTION = "the provider could not send its exception: ";

    /** Begins the text for a service that a provider of Triple does not have, with {@link #SERVICE_NOT_FOUND}. */
    public static final String NO_SUCH_SERVICE = "no such service by Triple: ";

    /** What a provider of Triple says behind that from Dubbo 3.3 on, with an HTTP status: not what a method says. */
    public static final String UNEXPORTED = "Invoker for gRPC not found";

    /**
     * The texts with which providers answer a native call of a method that they do not have and so cannot decode: of
     * 2.7 to 3.2, and of 3.3.
     */
    private static final ByteBuf[] UNDECODABLE_METHOD = {
        ascii(ErrorText.NO_SUCH_METHOD_DECODED), ascii(ErrorText.UNKNOWN_TYPES)
    };

    private static final ByteBuf NOT_EXPORTED = ascii(NO_SUCH_SERVICE + UNEXPORTED);

    /** The texts of 2.5 and 2.6 for a missing method of the implementation, in this order in one line. */
    private static final ByteBuf PROXY_FAILED = ascii("RpcException: Failed to invoke remote proxy method ");

    private static final ByteBuf NOT_FOUND_METHOD = ascii(ErrorText.NO_SUCH_METHOD_OF_IMPLEMENTATION);
    /** The name of the exception's package at the most. */
    private static final int MAX_BEFORE_PROXY_FAILED = 64;

    private static final ByteBuf[] LINE_ENDS = {ascii("\n"), ascii("\\n")};

    /** The texts stand behind a URL of the provider at the most. */
    private static final int MAX_SEARCHED = 16 * 1024;

    private DubboStatus() {}

    private static ByteBuf ascii(String text) {
        return Unpooled.unreleasableBuffer(
                Unpooled.wrappedBuffer(text.getBytes(US_ASCII)).asReadOnly());
    }

    /**
     * Returns whether the response of Dubbo 2 at {@code offset} says that the provider has no such method, and so has
     * executed nothing. It may be in any serialization: all of them write ASCII as it is. The stack of an exception is
     * not looked at: what was executed may itself have called a method that another provider does not have.
     */
    public static boolean isUnknownMethod(ByteBuf in, int offset) {
        int length = Math.min(DubboHeader.bodyLength(in, offset), MAX_SEARCHED);
        ByteBuf text = in.slice(offset + DubboHeader.LENGTH, length);
        return switch (DubboHeader.status(in, offset)) {
            case BAD_REQUEST -> firstOf(UNDECODABLE_METHOD, text) >= 0;
            case SERVICE_ERROR -> isMissingInProxy(text);
            default -> false;
        };
    }

    /**
     * Returns whether a response says that the provider itself does not export the service now, and so has executed
     * nothing: one of Dubbo 3.3 that ends does so by Triple before it closes its connections.
     */
    public static boolean isUnexported(ByteBuf in, int offset) {
        if (DubboHeader.status(in, offset) != SERVICE_NOT_FOUND) {
            return false;
        }
        int length = Math.min(DubboHeader.bodyLength(in, offset), MAX_SEARCHED);
        return ByteBufUtil.indexOf(NOT_EXPORTED, in.slice(offset + DubboHeader.LENGTH, length)) >= 0;
    }

    private static boolean isMissingInProxy(ByteBuf text) {
        int end = firstOf(LINE_ENDS, text);
        ByteBuf line = end < 0 ? text : text.slice(text.readerIndex(), end);
        int failed = ByteBufUtil.indexOf(PROXY_FAILED, line);
        return failed >= 0 && failed <= MAX_BEFORE_PROXY_FAILED && ByteBufUtil.indexOf(NOT_FOUND_METHOD, line) > failed;
    }

    private static int firstOf(ByteBuf[] texts, ByteBuf in) {
        int first = -1;
        for (ByteBuf each : texts) {
            int at = ByteBufUtil.indexOf(each, in);
            first = at >= 0 && (first < 0 || at < first) ? at : first;
        }
        return first;
    }

    /**
     * Returns the outcome of a call whose Dubbo response has this status and error text; not for {@link #OK}. The
     * caller decides whether {@link #POOL_EXHAUSTED} means NOT_EXECUTED rather than OVERLOADED.
     */
    public static Outcome outcome(int status, String text) {
        return switch (status) {
            case SERVER_TIMEOUT -> Outcome.TIMEOUT;
            case BAD_REQUEST ->
                text.startsWith(UNREAD_ARGUMENT) ? Outcome.BAD_ARGUMENT : notFound(text, Outcome.BAD_REQUEST);
            case SERVICE_ERROR -> serviceError(text);
            case SERVICE_NOT_FOUND, SERVER_ERROR -> notFound(text, Outcome.PROVIDER_ERROR);
            case POOL_EXHAUSTED, OVERLOADED -> Outcome.OVERLOADED;
            default -> Outcome.PROVIDER_ERROR;
        };
    }

    /**
     * A call can fail before the method is called: without the token, or by the fault of the arguments of a generic
     * call.
     */
    private static Outcome serviceError(String text) {
        if (TOKEN_REFUSED.matcher(text).lookingAt()) {
            return Outcome.PROVIDER_REFUSED_TOKEN;
        }
        if (ErrorText.isOfCount(text)) {
            return Outcome.BAD_REQUEST;
        }
        if (ErrorText.isOfConversion(text)) {
            return Outcome.BAD_ARGUMENT;
        }
        return ErrorText.isOfMissingTypes(text) ? Outcome.BAD_REQUEST : notFound(text, Outcome.PROVIDER_ERROR);
    }

    /** Returns what was not found by the error texts of Dubbo 2.5 to 3.3; no status alone says it. */
    private static Outcome notFound(String text, Outcome otherwise) {
        if (text.startsWith(NO_SUCH_SERVICE)
                || text.contains("Not found exported service")
                || text.contains("not found, invocation rejected")
                || ErrorText.isOfUnknownService(text)) {
            return Outcome.SERVICE_NOT_FOUND;
        }
        if (text.startsWith(NO_SUCH_METHOD)
                || text.startsWith(NOT_IMPLEMENTED)
                || text.contains(ErrorText.NO_SUCH_METHOD_DECODED)
                || ErrorText.isOfUndecodedMethod(text)
                || text.contains(ErrorText.NO_SUCH_METHOD_OF_IMPLEMENTATION)
                || text.contains("NoSuchMethodException")
                || text.contains("No such method ")
                || CLASS_NOT_FOUND.matcher(text).lookingAt()) {
            return Outcome.METHOD_NOT_FOUND;
        }
        return otherwise;
    }
}
