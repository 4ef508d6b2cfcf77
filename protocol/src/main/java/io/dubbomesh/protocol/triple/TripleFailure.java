package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A failure in an answer of Triple, as Dubbo 2 would tell it: an exception that the method has thrown, with the status
 * OK, or another status with a text. What was recorded of Dubbo 3.0.15, 3.1.11, 3.2.19 and 3.3.6:
 * <ul>
 *   <li>What the method throws is the message with {@code tri-exception-code} since 3.2. Before, it is the gRPC status
 *       UNKNOWN, or another one for an RpcException, with the first lines of the stack in {@code
 *       grpc-status-details-bin} (a DebugInfo), if the provider has protobuf on its class path.
 *   <li>What Dubbo's filters throw before the method is called has that form up to 3.2, and the one of exceptions in
 *       3.3. Dubbo 2 answers with {@link DubboStatus#SERVICE_ERROR} and the stack.
 *   <li>Arguments that cannot be read are UNKNOWN with "Server error", in 3.3 a DecodeException.
 *   <li>Arguments that {@code $invoke} cannot convert are an RpcException of the GenericFilter or, in 3.0 and 3.1, what
 *       the conversion has thrown. The filter says of a method that is not there its name alone.
 *   <li>A result or an exception that cannot be sent is INTERNAL with the reason in the details, in 3.3 UNKNOWN
 *       without one.
 *   <li>Services and methods that are not there are UNIMPLEMENTED; a method in 3.3 is UNKNOWN with the HTTP status 500.
 *   <li>A late result is DEADLINE_EXCEEDED, in 3.3 an HttpRequestTimeout.
 * </ul>
 */
final class TripleFailure {
    private static final int UNKNOWN = 2;
    private static final int INVALID_ARGUMENT = 3;
    private static final int DEADLINE_EXCEEDED = 4;
    private static final int PERMISSION_DENIED = 7;
    private static final int RESOURCE_EXHAUSTED = 8;
    private static final int UNIMPLEMENTED = 12;
    private static final int INTERNAL = 13;
    private static final int UNAVAILABLE = 14;

    private static final String[] CODES = {
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
        "UNAUTHENTICATED"
    };

    private static final String OK_OF_HTTP = "200";
    /** The fields of google.rpc.Status, google.protobuf.Any and google.rpc.DebugInfo. */
    private static final int DETAILS_FIELD = 3;

    private static final int TYPE_FIELD = 1;
    private static final int VALUE_FIELD = 2;
    private static final int STACK_FIELD = 1;
    private static final String DEBUG_INFO = "/google.rpc.DebugInfo";

    private static final String FRAME = "\tat ";
    private static final String CAUSE = "Caused by: ";
    private static final String UNDECODED = "Server error";
    private static final String UNENCODED = "Serialize response failed";
    private static final String NO_MESSAGE = "unknown";
    private static final String TOKEN_REFUSED = "Forbid invoke remote service ";
    /** The class of the exception that Dubbo's own client throws for a status that has no exception of its own. */
    private static final String STATUS_EXCEPTION = "org.apache.dubbo.rpc.StatusRpcException";
    /** The class that clients of gRPC throw; a service of protobuf may be one of any server. */
    private static final String GRPC_EXCEPTION = "io.grpc.StatusRuntimeException";
    /** The texts of Dubbo 3.3 where it fails to send a result, in general and if it is too large. */
    private static final Set<String> UNSENT = Set.of("Internal Server Error", "Response Entity Too Large");

    private static final String RPC_EXCEPTION = "org.apache.dubbo.rpc.RpcException: ";
    private static final String DECODE_EXCEPTION = "org.apache.dubbo.remoting.http12.exception.DecodeException";
    private static final String TIMEOUT = "org.apache.dubbo.remoting.http12.exception.HttpRequestTimeout";
    private static final String WRONG_SERIALIZATION = "Unexpected serialization type";
    private static final String GENERIC_EXCEPTION = ".GenericException";
    /** What throws before the method is called. */
    private static final Pattern BEFORE_CALL = Pattern.compile(FRAME
            + "org\\.apache\\.dubbo\\.(rpc\\.filter\\.(GenericFilter|TokenFilter|ExecuteLimitFilter|TpsLimitFilter)"
            + "|common\\.utils\\.(ReflectUtils|PojoUtils|ClassUtils|CompatibleTypeUtils))\\b.*+");
    /** What the conversion of arguments calls. */
    private static final Pattern OF_JAVA = Pattern.compile(FRAME + "(?:[\\w.]++/)?(?:java|jdk|sun)\\..*+");

    private static final String GENERIC_FILTER = FRAME + "org.apache.dubbo.rpc.filter.GenericFilter.invoke";
    private static final Pattern CONVERSION =
            Pattern.compile(FRAME + "org\\.apache\\.dubbo\\.common\\.utils\\.(PojoUtils|CompatibleTypeUtils)\\b.*+");
    /** The message of a NoSuchMethodException, as {@link Class#getMethod} makes it. */
    private static final Pattern SIGNATURE =
            Pattern.compile("[\\p{javaJavaIdentifierPart}.]++\\([\\p{javaJavaIdentifierPart}.\\[;, ]*+\\)");
    /** An exception without a message. No parameter has such a type that a provider does not know. */
    private static final Pattern EXCEPTION_OF_JAVA = Pattern.compile("java\\.[\\w.]*+(?<=Exception|Error)");

    private static final String NO_SUCH_METHOD = CAUSE + "java.lang.NoSuchMethodException: ";
    /** The frame by which a failed conversion is known; Dubbo sends no stack of causes. */
    private static final String CONVERSION_FRAME = FRAME + "org.apache.dubbo.common.utils.PojoUtils.realize(...)";
    /** Dubbo 3.2 cannot send an Error. */
    private static final Pattern UNSENT_ERROR =
            Pattern.compile("class ([\\w.$]++) cannot be cast to class java\\.lang\\.Exception\\b.*+");

    private static final String UNSENT_FRAME = ".UnaryServerCallListener.doOnResponseHasException(";
    /** Begins the text of Dubbo 3.3 for a method that it does not have with these arguments. */
    static final String NO_OVERLOAD = "unimplemented method:";
    /** Dubbo 3.3.6 fails so itself when it looks for a method that does not exist. */
    static final String NO_METHODS = "Cannot invoke \"java.util.List.iterator()\" because ";
    /** Begins the text of Dubbo 3.0 to 3.2. */
    private static final String NO_METHOD = "Method :";

    private static final Pattern NO_SERVICE =
            Pattern.compile("(Service not found|unimplemented service):.*+|.*?unknown service .*+");
    /** Exceptions of these classes, in the first bytes of one, may mean that the method was not called. */
    private static final ByteBuf[] OF_DUBBO = {ascii("org.apache.dubbo."), ascii("IllegalStateException")};

    private static final int MAX_CLASS_OFFSET = 64;
    private static final int MAX_READ = 64 * 1024;
    private static final int MAX_SHOWN = 64;
    /** The most lines that are read of the message of an exception. */
    private static final int MAX_LINES = 32;

    private final int status;
    /** With the status OK, of the exception: the class and the message, which may be null. */
    private final String className;

    private final String text;

    private TripleFailure(int status, String className, String text) {
        this.status = status;
        this.className = className;
        this.text = text;
    }

    private static ByteBuf ascii(String text) {
        return Unpooled.unreleasableBuffer(
                Unpooled.wrappedBuffer(text.getBytes(US_ASCII)).asReadOnly());
    }

    private static TripleFailure error(int status, String text) {
        return new TripleFailure(status, null, text);
    }

    /** Returns the failure of an answer that is not one of gRPC. */
    static TripleFailure malformed(String reason) {
        return error(DubboStatus.SERVER_ERROR, "an answer of Triple with " + reason);
    }

    /**
     * @param isAlone   whether there are no trailers beside the header fields
     * @param isMessage whether the call is one of a service of protobuf
     */
    static TripleFailure of(AnswerFields fields, boolean isAlone, boolean isMessage) {
        if (!fields.isGrpc()) {
            return malformed("HTTP status " + shown(fields.httpStatus()) + " and content type "
                    + shown(fields.contentType()) + ", which is not gRPC");
        }
        int code = fields.grpcStatus();
        if (code < 0 || code >= CODES.length) {
            return malformed(code < 0 ? "no status of gRPC" : "grpc-status " + code);
        }
        if (isAlone && !OK_OF_HTTP.equals(fields.httpStatus())) {
            return ofFailedRequest(code, fields.message());
        }
        List<String> lines = lines(fields.details());
        if (!isAlone && fields.isException()) {
            return error(
                    DubboStatus.BAD_RESPONSE,
                    DubboStatus.UNSENT_EXCEPTION + (lines.isEmpty() ? fields.message() : String.join("\n", lines)));
        }
        return lines.isEmpty() ? ofCode(code, fields.message(), isMessage) : ofLines(fields.message(), lines);
    }

    /** Returns what Dubbo 3.3 says before it calls the method. */
    private static TripleFailure ofFailedRequest(int code, String message) {
        if (message.startsWith(NO_OVERLOAD) || message.startsWith(NO_METHODS)) {
            return error(DubboStatus.BAD_REQUEST, DubboStatus.NO_SUCH_METHOD + message);
        }
        if (code == UNIMPLEMENTED && message.equals(DubboStatus.UNEXPORTED)) {
            return error(DubboStatus.SERVICE_NOT_FOUND, DubboStatus.NO_SUCH_SERVICE + message);
        }
        if (code == PERMISSION_DENIED && message.startsWith(TOKEN_REFUSED)) {
            return error(DubboStatus.SERVICE_ERROR, RPC_EXCEPTION + "Invalid token! " + message);
        }
        return code == UNKNOWN ? error(DubboStatus.SERVER_ERROR, message(code, message)) : ofCode(code, message, false);
    }

    private static TripleFailure unsent(String reason) {
        return error(DubboStatus.BAD_RESPONSE, "the provider could not send its result: " + reason);
    }

    /** Returns the meaning of a status alone: where it is the method's, what a client in Java throws. */
    private static TripleFailure ofCode(int code, String message, boolean isMessage) {
        return switch (code) {
            case UNKNOWN ->
                !isMessage && message.equals(UNDECODED)
                        ? unread(List.of())
                        : !isMessage && UNSENT.contains(message) ? unsent(message) : thrown(code, message, isMessage);
            case INVALID_ARGUMENT -> error(DubboStatus.BAD_REQUEST, message(code, message));
            case DEADLINE_EXCEEDED -> error(DubboStatus.SERVER_TIMEOUT, message(code, message));
            case RESOURCE_EXHAUSTED, UNAVAILABLE -> error(DubboStatus.OVERLOADED, message(code, message));
            case UNIMPLEMENTED -> unimplemented(message);
            case INTERNAL ->
                error(
                        message.startsWith(UNENCODED) ? DubboStatus.BAD_RESPONSE : DubboStatus.SERVER_ERROR,
                        message(code, message));
            case 0, 1, 15 -> error(DubboStatus.SERVER_ERROR, message(code, message));
            default -> thrown(code, message, isMessage);
        };
    }

    private static TripleFailure unimplemented(String message) {
        if (NO_SERVICE.matcher(message).matches()) {
            return error(DubboStatus.SERVICE_NOT_FOUND, DubboStatus.NO_SUCH_SERVICE + message);
        }
        String text = message.startsWith(NO_METHOD) ? DubboStatus.NO_SUCH_METHOD : DubboStatus.NOT_IMPLEMENTED;
        return error(DubboStatus.BAD_REQUEST, text + message);
    }

    /** Dubbo and gRPC write a status before its text in different ways. */
    private static TripleFailure thrown(int code, String message, boolean isMessage) {
        return isMessage
                ? new TripleFailure(
                        DubboStatus.OK, GRPC_EXCEPTION, message.isEmpty() ? CODES[code] : CODES[code] + ": " + message)
                : new TripleFailure(DubboStatus.OK, STATUS_EXCEPTION, message(code, message));
    }

    private static String message(int code, String message) {
        return message.isEmpty() ? CODES[code] : CODES[code] + " : " + message;
    }

    /** Returns the meaning of a status that comes with the beginning of a stack. */
    private static TripleFailure ofLines(String message, List<String> lines) {
        if (message.startsWith(UNENCODED)) {
            return unsent(String.join("\n", lines));
        }
        if (message.equals(UNDECODED) && !lines.get(0).endsWith(": " + UNDECODED)) {
            return unread(lines);
        }
        if (isBeforeCall(lines)) {
            return refused(lines);
        }
        String first = lines.get(0);
        int colon = first.indexOf(": ");
        String className = colon < 0 ? first : first.substring(0, colon);
        Matcher unsent = UNSENT_ERROR.matcher(message);
        if (unsent.matches() && lines.size() > 1 && lines.get(1).contains(UNSENT_FRAME)) {
            return new TripleFailure(DubboStatus.OK, unsent.group(1), null);
        }
        return new TripleFailure(DubboStatus.OK, className, colon < 0 && message.equals(NO_MESSAGE) ? null : message);
    }

    private static TripleFailure unread(List<String> lines) {
        String text = String.join("\n", lines);
        return error(
                DubboStatus.BAD_REQUEST,
                (text.contains(WRONG_SERIALIZATION) ? "Unexpected serialization id: " : DubboStatus.UNREAD_ARGUMENT)
                        + text);
    }

    private static boolean isBeforeCall(List<String> lines) {
        return BEFORE_CALL.matcher(firstFrame(lines)).matches();
    }

    /** Returns the first frame that is not one of Java itself. */
    private static String firstFrame(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(FRAME) && !OF_JAVA.matcher(line).matches())
                .findFirst()
                .orElse("");
    }

    /** Completes the beginning of a stack by what the whole one has, as Dubbo 2 answers with it. */
    private static TripleFailure refused(List<String> lines) {
        List<String> stack = new ArrayList<>(lines);
        String frame = firstFrame(lines);
        boolean isOfFilter = frame.startsWith(GENERIC_FILTER);
        String first = lines.get(0);
        String reason = first.startsWith(RPC_EXCEPTION) ? first.substring(RPC_EXCEPTION.length()) : first;
        if (isOfFilter && SIGNATURE.matcher(reason).matches()) {
            stack.add(NO_SUCH_METHOD + reason);
        } else if (CONVERSION.matcher(frame).matches()
                || isOfFilter && (isException(reason, lines) || !isOtherThanConversion(lines))) {
            stack.add(CONVERSION_FRAME);
        }
        return error(DubboStatus.SERVICE_ERROR, String.join("\n", stack));
    }

    /** Returns whether a name alone is that of an exception, and not of a class that the provider does not have. */
    private static boolean isException(String name, List<String> lines) {
        return EXCEPTION_OF_JAVA.matcher(name).matches() || lines.contains(CAUSE + name);
    }

    private static boolean isOtherThanConversion(List<String> lines) {
        return DubboStatus.outcome(DubboStatus.SERVICE_ERROR, String.join("\n", lines)) != Outcome.PROVIDER_ERROR;
    }

    /** Returns whether an exception is to be read, since it may not be one of the method. */
    static boolean mayBeOfDubbo(ByteBuf in, int offset, int length) {
        if (length > MAX_READ) {
            return false;
        }
        ByteBuf beginning = in.slice(offset, Math.min(length, MAX_CLASS_OFFSET));
        for (ByteBuf name : OF_DUBBO) {
            if (ByteBufUtil.indexOf(name, beginning) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the failure that an exception means; null if it is one of the method. */
    static TripleFailure ofException(List<String> lines) {
        if (lines.isEmpty()) {
            return null;
        }
        String first = lines.get(0);
        if (first.startsWith(TIMEOUT)) {
            return error(DubboStatus.SERVER_TIMEOUT, first);
        }
        if (first.startsWith(DECODE_EXCEPTION)) {
            List<String> causes = lines.stream()
                    .filter(line -> line.startsWith(CAUSE))
                    .map(line -> line.substring(CAUSE.length()))
                    .toList();
            return unread(causes.isEmpty() ? List.of(first) : causes);
        }
        return isBeforeCall(lines) ? refused(lines) : null;
    }

    /** Returns the lines of the stack in the details of a status; none if there are none, or they are malformed. */
    private static List<String> lines(String details) {
        List<String> lines = new ArrayList<>();
        if (details == null) {
            return lines;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(details);
            ByteBuf in = Unpooled.wrappedBuffer(bytes);
            MessageReader status = new MessageReader(in, 0, bytes.length);
            while (status.next()) {
                if (status.isBytes(DETAILS_FIELD)) {
                    addLines(in, new MessageReader(in, status.offset(), status.length()), lines);
                }
            }
            return lines;
        } catch (IllegalArgumentException | MalformedValueException e) {
            return List.of();
        }
    }

    private static void addLines(ByteBuf in, MessageReader any, List<String> lines) throws MalformedValueException {
        String type = "";
        MessageReader value = null;
        while (any.next()) {
            if (any.isBytes(TYPE_FIELD)) {
                type = any.text();
            } else if (any.isBytes(VALUE_FIELD)) {
                value = new MessageReader(in, any.offset(), any.length());
            }
        }
        while (type.endsWith(DEBUG_INFO) && value != null && value.next()) {
            if (value.isBytes(STACK_FIELD)) {
                lines.add(value.text());
            }
        }
    }

    /** Returns the beginning of a text of the provider, or what stands for none. */
    static String shown(String text) {
        return text == null ? "none" : text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }

    /** Returns the status of Dubbo 2; OK for an exception. */
    int status() {
        return status;
    }

    /** Returns the text of an error. */
    String text() {
        return text;
    }

    /** Writes the exception as an object of its class, as far as it is known. */
    void writeException(HessianWriter writer, ByteBuf out) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("detailMessage", text);
        if (className.endsWith(GENERIC_EXCEPTION) && text != null) {
            String original = original(text);
            int colon = original.indexOf(": ");
            fields.put("exceptionClass", colon < 0 ? original : original.substring(0, colon));
            fields.put("exceptionMessage", colon < 0 ? null : original.substring(colon + 2));
        }
        out.writeByte('C');
        writer.writeString(className);
        writer.writeInt(fields.size());
        fields.keySet().forEach(writer::writeString);
        out.writeByte(0x60);
        fields.values().forEach(value -> {
            if (value == null) {
                writer.writeNull();
            } else {
                writer.writeString(value);
            }
        });
    }

    /**
     * Returns the class and the message of an exception of a generic call: in front of its stack, which begins with the
     * same.
     */
    private static String original(String text) {
        int end = text.indexOf('\n');
        for (int lines = 0; end >= 0 && lines < MAX_LINES; lines++) {
            if (text.regionMatches(end + 1, text, 0, end)) {
                return text.substring(0, end);
            }
            end = text.indexOf('\n', end + 1);
        }
        int line = text.indexOf('\n');
        return line < 0 ? text : text.substring(0, line);
    }
}
