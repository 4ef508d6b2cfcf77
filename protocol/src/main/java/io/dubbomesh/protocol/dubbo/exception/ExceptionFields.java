package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Thrown;
import io.dubbomesh.protocol.value.ReadingTime;

/**
 * What every serialization says of one exception, in any order. A GenericException, which answers generic calls, stands
 * for the exception that was thrown: it names that one's class and message, and its own message is the stack. Reused;
 * owned by one event loop.
 */
final class ExceptionFields {
    private static final String GENERIC_EXCEPTION = ".GenericException";

    private final ExceptionProperties properties;
    private String className;
    private String message;
    private String namedClass;
    private String namedMessage;

    ExceptionFields(ReadingTime time) {
        properties = new ExceptionProperties(time);
    }

    /** Begins another exception, which has no fields yet. */
    void begin(String ofClass) {
        className = ofClass;
        message = null;
        namedClass = null;
        namedMessage = null;
        properties.begin();
    }

    /** Null leaves it as it is. */
    void className(String text) {
        className = text == null ? className : text;
    }

    /** Null leaves it as it is. */
    void message(String text) {
        message = text == null ? message : text;
    }

    /** Of a serialization that writes properties, or of a field that an exception's class adds. */
    void otherMessage(String text) {
        message = message == null ? text : message;
    }

    /** Of the field {@code exceptionClass}. */
    void namedClass(String text) {
        namedClass = text;
    }

    /** Of the field {@code exceptionMessage}. */
    void namedMessage(String text) {
        namedMessage = text;
    }

    /** The fields of the exception's own classes. */
    ExceptionProperties properties() {
        return properties;
    }

    private boolean standsForAnother() {
        return className.endsWith(GENERIC_EXCEPTION) && namedClass != null;
    }

    /** The exception that the service has thrown, as far as it was read. */
    Thrown thrown() {
        return standsForAnother()
                ? new Thrown(namedClass, namedMessage)
                : new Thrown(className, message, properties.end());
    }

    /** That exception with its stack, as text; null unless it is one of a generic call. */
    String original() {
        return standsForAnother() ? message : null;
    }
}
