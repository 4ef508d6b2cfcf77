package io.dubbomesh.benchmark.client;

import io.dubbomesh.benchmark.ledger.NumberedText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.util.Locale;

/**
 * The requests of a load: calls of a method with one parameter, a text of letters, of which every call has another.
 *
 * @param expected        what the method returns
 * @param parameterLength characters of the text, at least six
 * @param answerLength    of a hash to which the stub provider adds characters; 0 for the hash alone
 * @param deadlineMs      sent as X-Request-Timeout; 0 for the agent's own
 */
public record Request(
        String service,
        String method,
        Format format,
        Expected expected,
        int parameterLength,
        int answerLength,
        int deadlineMs) {
    /** {@code hash(String)} as in the 2018 benchmark. */
    public static final Request DEFAULT = new Request(
            "com.alibaba.dubbo.performance.demo.provider.IHelloService",
            "hash",
            Format.FORM,
            Expected.HASH,
            NumberedText.MIN_LENGTH,
            0,
            0);

    /** The form of the call. */
    public enum Format {
        FORM,
        JSON
    }

    /** The expected result of the method for a text. */
    public enum Expected {
        /** {@code text.hashCode()}, an int. */
        HASH,
        /** The text itself. */
        TEXT
    }

    public Request {
        if (parameterLength < NumberedText.MIN_LENGTH) {
            throw new IllegalArgumentException("a parameter of " + parameterLength + " characters (expected: at least "
                    + NumberedText.MIN_LENGTH + ")");
        }
    }

    public Request withFormat(Format other) {
        return new Request(service, method, other, expected, parameterLength, answerLength, deadlineMs);
    }

    public Request withService(String name) {
        return new Request(name, method, format, expected, parameterLength, answerLength, deadlineMs);
    }

    public Request withMethod(String name, Expected result) {
        return new Request(service, name, format, result, parameterLength, answerLength, deadlineMs);
    }

    public Request withLengths(int parameter, int answer) {
        return new Request(service, method, format, expected, parameter, answer, deadlineMs);
    }

    public Request withDeadlineMs(int ms) {
        return new Request(service, method, format, expected, parameterLength, answerLength, ms);
    }

    /** The bytes before the length of the body. */
    String head(String host, boolean keepAlive) {
        StringBuilder head = new StringBuilder("POST ")
                .append(format == Format.FORM ? "/" : "/" + service + "/" + method)
                .append(" HTTP/1.1\r\nHost: ")
                .append(host)
                .append("\r\nContent-Type: ")
                .append(format == Format.FORM ? "application/x-www-form-urlencoded" : "application/json")
                .append("\r\n");
        if (format == Format.JSON) {
            head.append("X-Dubbo-Parameter-Types: java.lang.String\r\n");
        }
        if (deadlineMs > 0) {
            head.append(String.format(Locale.ROOT, "X-Request-Timeout: %d\r\n", deadlineMs));
        }
        if (!keepAlive) {
            head.append("Connection: close\r\n");
        }
        return head.append("Content-Length: ").toString();
    }

    /** Letters need no escaping in either format. */
    void write(ByteBuf out, String head, String text) {
        String before = format == Format.FORM
                ? "interface=" + service + "&method=" + method
                        + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter="
                : "\"";
        String after = format == Format.FORM ? "" : "\"";
        ByteBufUtil.writeAscii(out, head);
        ByteBufUtil.writeAscii(out, Integer.toString(before.length() + text.length() + after.length()));
        ByteBufUtil.writeAscii(out, "\r\n\r\n");
        ByteBufUtil.writeAscii(out, before);
        ByteBufUtil.writeAscii(out, text);
        ByteBufUtil.writeAscii(out, after);
    }
}
