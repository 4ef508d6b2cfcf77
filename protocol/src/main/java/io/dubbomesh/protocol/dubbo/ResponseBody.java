package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.Thrown;
import io.dubbomesh.protocol.Violation;
import io.dubbomesh.protocol.dubbo.exception.ValidationFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.util.ArrayList;
import java.util.List;

/**
 * The body of a mesh RESPONSE, written at the end of a buffer: attachments, then the document. Reused; owned by one
 * event loop.
 */
final class ResponseBody {
    /** The most bytes for all attachments of a result. */
    static final int MAX_ATTACHMENTS = 8 * 1024;

    /** The longest message, in chars as well as in bytes. */
    static final int MAX_MESSAGE = 8 * 1024;

    static final int MAX_CAUSES = 16;
    static final int MAX_FRAMES = 128;

    private static final int MAX_CLASS_NAME = 256;
    private static final int MAX_DETAIL = 1024;
    private static final int MAX_CAUSE_MESSAGE = 1024;
    private static final int MAX_CAUSE_PROPERTIES = 1024;
    private static final int MAX_FRAME = 512;

    private final boolean stacks;
    private final TokenRedaction tokens;
    private ByteBuf out;
    private int begin;
    private int entry;

    /** @param stacks whether clients get the stack of an exception */
    ResponseBody(boolean stacks, TokenRedaction tokens) {
        this.stacks = stacks;
        this.tokens = tokens;
    }

    ResponseBody reset(ByteBuf out) {
        this.out = out;
        begin = out.writerIndex();
        out.writeShort(0);
        return this;
    }

    ByteBuf out() {
        return out;
    }

    /** Removes what was written since {@link #reset}. */
    void restart() {
        out.writerIndex(begin);
        out.writeShort(0);
    }

    /** Begins an attachment: its key, then its value, each between {@link #beginText} and {@link #endText}. */
    void beginEntry() {
        entry = out.writerIndex();
    }

    /** Returns what {@link #endText} needs to know; the text goes to {@link #out}. */
    int beginText() {
        out.writeShort(0);
        return out.writerIndex();
    }

    void endText(int text) {
        out.setShort(text - Short.BYTES, out.writerIndex() - text);
    }

    /** Keeps the entry that was written since {@link #beginEntry} if clients may get it and it fits. */
    void endEntry() {
        int key = entry + Short.BYTES;
        int keyEnd = key + out.getUnsignedShort(entry);
        boolean fits = out.writerIndex() - begin - Short.BYTES <= MAX_ATTACHMENTS;
        if (!fits
                || keyEnd == key
                || out.getByte(key) == ':'
                || DubboKeys.isOwnOfResult(out, key, keyEnd - key)
                || hasControls(key, keyEnd)
                || hasControls(keyEnd + Short.BYTES, out.writerIndex())) {
            out.writerIndex(entry);
        }
    }

    private boolean hasControls(int at, int end) {
        for (int i = at; i < end; i++) {
            byte b = out.getByte(i);
            if (b >= 0 && b < 0x20 || b == 0x7f) {
                return true;
            }
        }
        return false;
    }

    void endAttachments() {
        out.setShort(begin, out.writerIndex() - begin - Short.BYTES);
    }

    /** Returns whether {@link #exception} takes a stack. */
    boolean isStackNeeded() {
        return stacks;
    }

    /**
     * Ends the attachments and writes the document about an exception that the service has thrown.
     *
     * @param causes the outermost first, at most {@link #MAX_CAUSES}
     * @param stack as {@link StackTraceElement} writes its frames, at most {@link #MAX_FRAMES}; empty unless
     *     {@link #isStackNeeded}
     */
    Outcome exception(Thrown exception, List<Thrown> causes, List<String> stack) {
        ValidationFailure invalid = ValidationFailure.ofException(exception.className(), exception.message());
        if (invalid != null) {
            return invalid(invalid);
        }
        String name = headerText(cut(tokens.name(exception.className()), MAX_CLASS_NAME));
        Attachments.write(out, Attachments.EXCEPTION, name);
        endAttachments();
        String message = message(exception, MAX_MESSAGE);
        String detail = message == null
                ? name
                : name + ": " + cut(message, MAX_DETAIL) + ErrorText.adviceOnClasses(name, message);
        List<Thrown> cutCauses = new ArrayList<>();
        for (Thrown cause : causes) {
            String properties = cause.properties() == null || cause.properties().length() > MAX_CAUSE_PROPERTIES
                    ? null
                    : properties(cause);
            cutCauses.add(new Thrown(
                    cut(tokens.name(cause.className()), MAX_CLASS_NAME),
                    message(cause, MAX_CAUSE_MESSAGE),
                    properties));
        }
        List<String> cutStack = new ArrayList<>();
        for (String frame : stack) {
            cutStack.add(cut(tokens.name(frame), MAX_FRAME));
        }
        Problem.write(
                out,
                Outcome.SERVICE_EXCEPTION,
                detail,
                new Thrown(name, message, properties(exception)),
                cutCauses,
                cutStack);
        return Outcome.SERVICE_EXCEPTION;
    }

    /**
     * Writes the exception of a generic call. An exception that the provider throws because an argument does not fit is
     * the client's fault.
     *
     * @param original the exception with its stack, as text; null if it is not known
     */
    Outcome exceptionOfGenericCall(Thrown exception, List<Thrown> causes, List<String> stack, String original) {
        return original != null && ErrorText.isOfArgument(original)
                ? problem(Outcome.BAD_ARGUMENT, ErrorText.ofArgument(exception.message()))
                : exception(exception, causes, stack);
    }

    /** Returns the text as the value of an HTTP header. */
    private static String headerText(String className) {
        StringBuilder plain = new StringBuilder(className.length());
        for (int i = 0; i < className.length(); i++) {
            char c = className.charAt(i);
            plain.append(c < 0x80 && Character.isJavaIdentifierPart(c) && c > 0x20 || c == '.' ? c : '?');
        }
        return plain.toString();
    }

    /** Dubbo replaces exceptions that a caller may not know by one whose message is the whole stack. */
    private String message(Thrown thrown, int maxBytes) {
        String message = thrown.message();
        if (message == null) {
            return null;
        }
        int stack = stacks ? -1 : message.indexOf(ErrorText.FRAME);
        String shown = stack < 0 ? message : message.substring(0, stack).stripTrailing();
        return cut(tokens.text(shown, isOfDubbo(thrown)), maxBytes);
    }

    private String properties(Thrown thrown) {
        return thrown.properties() == null ? null : tokens.json(thrown.properties(), isOfDubbo(thrown));
    }

    private static boolean isOfDubbo(Thrown thrown) {
        return thrown.className().contains(".dubbo.");
    }

    /** Drops what was written and writes a problem document instead. */
    Outcome problem(Outcome outcome, String detail) {
        restart();
        Problem.write(out, outcome, Quoted.plain(tokens.text(detail, false), MAX_DETAIL));
        return outcome;
    }

    /**
     * The provider answered with an error instead of a result.
     *
     * @param hint an addition to the status
     */
    Outcome failure(int status, String text, String hint) {
        ValidationFailure invalid =
                status == DubboStatus.BAD_RESPONSE ? ValidationFailure.ofUnsentException(text) : null;
        if (invalid != null) {
            return invalid(invalid);
        }
        return problem(DubboStatus.outcome(status, text), ErrorText.detail(status, text, hint));
    }

    private Outcome invalid(ValidationFailure failure) {
        restart();
        List<Violation> violations = new ArrayList<>();
        for (Violation violation : failure.violations()) {
            violations.add(
                    new Violation(tokens.text(violation.field(), false), tokens.text(violation.message(), false)));
        }
        String detail = tokens.text(failure.detail(), false);
        Problem.write(out, Outcome.VALIDATION_FAILED, Quoted.plain(detail, MAX_DETAIL), violations);
        return Outcome.VALIDATION_FAILED;
    }

    /** Returns the longest beginning that takes no more than this many bytes. */
    private static String cut(String text, int maxBytes) {
        if (text.length() * 3 <= maxBytes || ByteBufUtil.utf8Bytes(text) <= maxBytes) {
            return text;
        }
        int end = 0;
        int bytes = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes > maxBytes) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }
}
