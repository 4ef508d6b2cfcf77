package io.dubbomesh.protocol.dubbo.exception;

import io.dubbomesh.protocol.Thrown;
import io.dubbomesh.protocol.value.ReadingTime;

/**
 * The fields of one exception, in the order of any serialization. A GenericException, which answers generic calls,
 * stands for the exception that was thrown: it names that one's class and message, and its own message is the stack.
 * Reused; owned by one event loop.
 */
public final class ExceptionFields {
    private static final String GENERIC_EXCEPTION = ".GenericException";

    private final ExceptionProperties properties;
    private String className;
    private String message;
    private String namedClass;
    private String namedMessage;

    public ExceptionFields(ReadingTime time) {
        properties = new ExceptionProperties(time);
    }

    /** Begins another exception, which has no fields yet. */
    public void begin(String ofClass) {
        className = ofClass;
        message = null;
        namedClass = null;
        namedMessage = null;
        properties.begin();
    }

    /** Sets the class; null changes nothing. */
    public void className(String text) {
        className = text == null ? className : text;
    }

    /** Sets the message; null changes nothing. */
    public void message(String text) {
        message = text == null ? message : text;
    }

    /** Sets the message that a property or a field of the exception's class has, unless there is one. */
    public void otherMessage(String text) {
        message = message == null ? text : message;
    }

    /** Sets the text of the field {@code exceptionClass}. */
    public void namedClass(String text) {
        namedClass = text;
    }

    /** Sets the text of the field {@code exceptionMessage}. */
    public void namedMessage(String text) {
        namedMessage = text;
    }

    /** Returns the fields of the exception's own classes. */
    public ExceptionProperties properties() {
        return properties;
    }

    private boolean isPlaceholder() {
        return className.endsWith(GENERIC_EXCEPTION) && namedClass != null;
    }

    /** Returns the exception that the service has thrown, as far as it was read. */
    public Thrown thrown() {
        return isPlaceholder()
                ? new Thrown(namedClass, namedMessage)
                : new Thrown(className, message, properties.end());
    }

    /** Returns that exception with its stack, as text; null unless it is one of a generic call. */
    public String original() {
        return isPlaceholder() ? message : null;
    }
}
