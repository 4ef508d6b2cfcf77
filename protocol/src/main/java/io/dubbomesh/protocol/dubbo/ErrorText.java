package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Quoted;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The meaning of the texts of Dubbo's errors beyond their status. The texts are those of Dubbo 2.5.10 to 3.3.6:
 * CompatibilityTest has providers of each of these versions answer with them.
 *
 * <p>A text is read on an event loop and may be anything, so no pattern may look at a part of it again and again: after
 * its beginning, none goes on to the end of the text where that beginning can come again.
 */
final class ErrorText {
    /**
     * The text of 2.7 to 3.2 before the path and the method: the service is there, but no such method with such
     * parameters.
     */
    static final String NO_SUCH_METHOD_DECODED = "Service not found:";
    /** The text of 3.3, which shows the call as it was decoded: a method that it does not know has no types. */
    static final String UNKNOWN_TYPES = "parameterTypes=null";
    /** The text of 2.5 and 2.6 before the method. */
    static final String NO_SUCH_METHOD_OF_IMPLEMENTATION = "Not found method ";
    /** Begins each line of a stack. */
    static final String FRAME = "\n\tat ";

    private static final int MAX_TEXT = 512;

    /**
     * The frame in the stack of every exception that the generic filter throws while it converts arguments, before the
     * method is called.
     */
    private static final String CONVERSION = ".dubbo.common.utils.PojoUtils.realize";

    private static final String WRONG_COUNT = "args.length != types.length";
    /**
     * The callers of a service's methods, which throw it themselves: an argument is not of the parameter's class, or
     * null and the parameter primitive.
     */
    private static final Pattern CALLER =
            Pattern.compile("(\\.dubbo\\.common\\.bytecode\\.Wrapper\\d+|DubboWrap\\d+)\\.invokeMethod");

    private static final String GENERIC_FILTER = ".dubbo.rpc.filter.GenericFilter.invoke";
    private static final Pattern OVERLOADED = Pattern.compile(
            "Not unique method for method name\\(([^()]*+)\\) in class\\([^()]*+\\), find (\\d++) methods");
    private static final String INVOCATION = "RpcInvocation \\[methodName=";
    /** The name ends where another call begins. */
    private static final Pattern UNDECODED =
            Pattern.compile(INVOCATION + "((?:(?!" + INVOCATION + ").)*?), " + UNKNOWN_TYPES);

    private static final String NOT_ALLOWED = " is not in allow list";
    private static final Pattern UNSERIALIZABLE = Pattern.compile(
            "Serialized class ([\\w.$]+)(" + NOT_ALLOWED + "| must implement java\\.io\\.Serializable)");
    private static final Pattern EXCEPTION_OF_DUBBO =
            Pattern.compile("\\A(?:(?:com\\.alibaba|org\\.apache)\\.dubbo\\.rpc\\.RpcException: )?");
    /** The text about an element, with the word class from Java 11 on. */
    private static final Pattern ELEMENT = Pattern.compile(
            "(?:class )?java\\.(?:lang\\.(?:Integer|Long|Double|String)|math\\.Big\\w+) cannot be cast to (?:class )?java\\.");

    private static final Pattern MAP = Pattern.compile(
            "(?:class )?java\\.util\\.(?:Linked)?HashMap cannot be cast to (?:class )?(?!java\\.)[\\w.$]+");

    /**
     * The texts for fields and for parameters: a generic call makes a HashMap or an ArrayList where it can make nothing
     * else.
     */
    private static final Pattern UNMADE = Pattern.compile(
            "(?:Can not set (?:final )?|cannot be cast to (?:class )?)(java\\.util\\.[\\w.$]+)(?= field | \\(|\\z)");

    private static final String CLASS_CHECK = "its class check may refuse a class that the call names, to be added to"
            + " security/serialize.allowlist on the provider's class path";

    /** The text for a request that cannot be decoded, where the method is known. */
    static final String UNREADABLE_ARGUMENT =
            "the provider cannot read an argument (" + CLASS_CHECK + "; before Dubbo 3.3, it makes no records)";

    /** The end of the text of Dubbo 3.3 by Triple, which does not say what it could not send. */
    static final String MOSTLY_UNCONVERTED =
            " (in a generic call mostly that it could not convert an argument, as a date"
                    + " that is not written as 2026-11-21 10:00:00: see docs/use/types.md)";

    /** The text of hessian-lite for Dubbo 2, which takes the parameter of the first constructor for an object. */
    private static final String NO_FIELDS = "HessianProtocolException: expected map/object at java.lang.";

    private static final Pattern LOADERS = Pattern.compile(" \\([^()]*\\)\\z");

    private ErrorText() {}

    /** Returns whether Dubbo 3.2 or later could not decode a request and does not say why. */
    static boolean isUndecoded(int status, String text) {
        return status == DubboStatus.BAD_REQUEST && isOfUndecodedMethod(text);
    }

    /** Returns whether a provider of Triple has not said which exception it could not send. */
    static boolean isOfUnsentException(int status, String text) {
        return status == DubboStatus.BAD_RESPONSE
                && text.startsWith(DubboStatus.UNSENT_EXCEPTION)
                && text.indexOf('\n') < 0;
    }

    /**
     * Returns whether a generic call has more or fewer arguments than the method has parameters; nothing was executed.
     */
    static boolean isOfCount(String text) {
        return text.contains(WRONG_COUNT);
    }

    /** Returns whether an argument of a generic call could not be converted; nothing was executed. */
    static boolean isOfConversion(String text) {
        return text.contains(CONVERSION);
    }

    /**
     * Returns whether a generic call without parameter types was answered by a version that needs them (2.7.8), or the
     * method is overloaded.
     */
    static boolean isOfMissingTypes(String text) {
        return text.startsWith("java.lang.NullPointerException")
                        && firstFrame(text).endsWith(GENERIC_FILTER)
                || OVERLOADED.matcher(text).find();
    }

    /**
     * Returns whether the provider does not know the method with these parameter types, or the service in this version
     * and group.
     */
    static boolean isOfUndecodedMethod(String text) {
        return UNDECODED.matcher(text).find();
    }

    /**
     * Returns whether the service of a generic call is not known, in this version and group; a method that is not known
     * is told otherwise.
     */
    static boolean isOfUnknownService(String text) {
        Matcher undecoded = UNDECODED.matcher(text);
        return undecoded.find() && undecoded.group(1).startsWith("$invoke");
    }

    /**
     * Returns whether the exception of a generic call says that an argument does not fit the method's parameter.
     *
     * @param original the exception with its stack, as the message of a GenericException has it
     */
    static boolean isOfArgument(String original) {
        return CALLER.matcher(firstFrame(original)).find();
    }

    /** Returns the class and method of the first frame of the first stack; empty if there is none. */
    private static String firstFrame(String text) {
        int frame = text.indexOf(FRAME);
        int end = frame < 0 ? -1 : text.indexOf('(', frame);
        return end < 0 ? "" : text.substring(frame + FRAME.length(), end);
    }

    /** Returns the text in words of ours, with what is to be done; not for a token that is refused. */
    static String detail(int status, String text, String hint) {
        if (status == DubboStatus.SERVICE_ERROR) {
            if (isOfCount(text)) {
                return "arguments: not as many as the method has parameters";
            }
            if (isOfConversion(text)) {
                return ofConversion(text);
            }
            if (isOfMissingTypes(text)) {
                return ofMissingTypes(text);
            }
        }
        if (status == DubboStatus.BAD_RESPONSE) {
            Matcher refused = UNSERIALIZABLE.matcher(text);
            if (refused.find()) {
                return ofUnsentResult(refused);
            }
        }
        if (status == DubboStatus.BAD_REQUEST && text.startsWith(DubboStatus.UNREAD_ARGUMENT)) {
            return ofUnreadArgument(text);
        }
        String line = firstLine(text);
        return "provider answered with status " + status + hint + (line.isEmpty() ? "" : ": " + line) + cause(text)
                + recordHint(line);
    }

    private static String recordHint(String line) {
        return line.contains(NO_FIELDS) ? " (before Dubbo 3.3, it makes no records)" : "";
    }

    private static String ofUnreadArgument(String text) {
        Matcher refused = UNSERIALIZABLE.matcher(text);
        if (refused.find()) {
            return DubboStatus.UNREAD_ARGUMENT + refusal(refused);
        }
        String line = firstLine(text);
        return line.length() > DubboStatus.UNREAD_ARGUMENT.length() ? line + recordHint(line) : UNREADABLE_ARGUMENT;
    }

    private static String ofConversion(String text) {
        return conversion(EXCEPTION_OF_DUBBO.matcher(firstLine(text)).replaceFirst(""));
    }

    private static String conversion(String reason) {
        return "the provider could not convert an argument: " + Quoted.plain(reason, MAX_TEXT) + expected(reason);
    }

    /** Returns the forms that a provider takes where the agent does not know the type. */
    private static String expected(String reason) {
        if (reason.contains("Failed to parse date ")) {
            return " (expected: as 2026-11-21 10:00:00, in the provider's time zone; a java.util.Date also in milliseconds since 1970)";
        }
        if (reason.contains(" cannot be cast to class [B") || reason.contains(" cannot be cast to [B")) {
            return " (expected: a list of numbers for byte[])";
        }
        if (reason.contains(NOT_ALLOWED)) {
            return " (to be added at the provider)";
        }
        Matcher unmade = UNMADE.matcher(reason);
        if (unmade.find()) {
            return " (a generic call of this version of Dubbo makes no " + unmade.group(1)
                    + "; a native call can: see docs/use/types.md)";
        }
        return "";
    }

    /** Returns the text for a client whose argument does not fit, see {@link #isOfArgument}. */
    static String ofArgument(String message) {
        String reason = message == null
                ? "an argument is null"
                : LOADERS.matcher(message).replaceFirst("");
        return conversion(TokenRedaction.ofDubbo(reason))
                + (expected(reason).isEmpty()
                        ? " (the provider converts it only if the agent knows the types: name them, or give it the class files)"
                        : "");
    }

    /** A service is surprised by a value of another class: one that the JSON suggested, or a map. */
    static String adviceOnClasses(String exceptionClass, String message) {
        if (!exceptionClass.equals("java.lang.ClassCastException")) {
            return "";
        }
        if (ELEMENT.matcher(message).lookingAt()) {
            return " (where it is the element of a collection, name its class: java.util.List<java.lang.Long>)";
        }
        return MAP.matcher(message).lookingAt()
                ? " (where it is an argument: the agent has not the class files of its type (dubbo.api.jars), or the"
                        + " provider's class check refuses the class that it names (security/serialize.allowlist there))"
                : "";
    }

    private static String ofMissingTypes(String text) {
        Matcher overloaded = OVERLOADED.matcher(text);
        return overloaded.find()
                ? "method " + Quoted.plain(overloaded.group(1), MAX_TEXT)
                        + " is overloaded: name the parameter types in the header X-Dubbo-Parameter-Types (the provider"
                        + " has " + overloaded.group(2) + " methods of this name)"
                : "this version of Dubbo takes no call without its parameter types: name them in the header"
                        + " X-Dubbo-Parameter-Types";
    }

    private static String ofUnsentResult(Matcher refused) {
        return "the provider executed the call, but could not send what it returned or threw: " + refusal(refused);
    }

    private static String refusal(Matcher refused) {
        String className = refused.group(1);
        return refused.group(2).equals(NOT_ALLOWED)
                ? "its class check refuses " + className
                        + " (to be added to security/serialize.allowlist on the provider's class path)"
                : className + " is not Serializable";
    }

    /** Dubbo 3.2 and later do not say why a request could not be decoded. */
    private static String cause(String text) {
        Matcher undecoded = UNDECODED.matcher(text);
        if (!undecoded.find()) {
            return "";
        }
        return undecoded.group(1).startsWith("$invoke")
                ? " (it has no such service in this version and group, or cannot read an argument)"
                : " (it has no such method with these parameter types, or no such service in this version and group, or cannot read an argument: "
                        + CLASS_CHECK + ')';
    }

    private static String firstLine(String text) {
        int line = 0;
        while (line < text.length() && text.charAt(line) != '\n' && text.charAt(line) != '\r') {
            line++;
        }
        return TokenRedaction.ofDubbo(text.substring(0, line));
    }
}
