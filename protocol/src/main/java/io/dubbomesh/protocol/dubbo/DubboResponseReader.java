package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

import java.util.Collection;

/** Turns Dubbo responses into bodies of mesh RESPONSEs. Reused from call to call; owned by one thread. */
public final class DubboResponseReader {
    /** Dubbo's own limit on a frame, which its text or JSON may not exceed either. */
    public static final int MAX_DOCUMENT = 8 * 1024 * 1024;

    /** The longest body of a response, in bytes, that a {@link #brief} reader reads. */
    public static final int MAX_BRIEF = 64 * 1024;

    private static final int MAX_BRIEF_DOCUMENT = 2 * MAX_BRIEF;

    private static final String TOKENS_OF_SETTINGS =
            "set for this service (dubbo.token or dubbo.token-file of the provider agent)";

    private final Serialization requests;
    private final boolean stacks;
    private final boolean isBrief;
    private final TokenRedaction tokens;
    private final ReadingTime time;
    /** The provider's own text is not passed on, since some versions repeat the token in it. */
    private final String tokenMissing;

    private final String tokenWrong;
    private final ResponseBody body;
    private final ResultReader hessian;
    private final ResultReader fastjson;
    private final ResultReader fastjson2;

    public DubboResponseReader() {
        this(MAX_DOCUMENT, false, Serialization.HESSIAN2);
    }

    /**
     * @param maxDocument a value is refused that takes more bytes than this as text or JSON
     * @param stacks      whether the document about an exception holds its stack
     * @param requests    what the requests are written in
     */
    public DubboResponseReader(int maxDocument, boolean stacks, Serialization requests) {
        this(maxDocument, stacks, requests, TOKENS_OF_SETTINGS);
    }

    /** @param tokensAre where tokens come from, behind "none is" and "the token that is" */
    public DubboResponseReader(int maxDocument, boolean stacks, Serialization requests, String tokensAre) {
        this(
                maxDocument,
                stacks,
                requests,
                "the provider demands a token, and none is " + tokensAre,
                "the provider refuses the token that is " + tokensAre,
                new TokenRedaction(),
                ReadingTime.ofAnswer(),
                false);
    }

    private DubboResponseReader(
            int maxDocument,
            boolean stacks,
            Serialization requests,
            String tokenMissing,
            String tokenWrong,
            TokenRedaction tokens,
            ReadingTime time,
            boolean isBrief) {
        this.stacks = stacks;
        this.requests = requests;
        this.tokenMissing = tokenMissing;
        this.tokenWrong = tokenWrong;
        this.tokens = tokens;
        this.time = time;
        this.isBrief = isBrief;
        body = new ResponseBody(stacks, tokens);
        hessian = new ResultReader(new ResultParts(Serialization.HESSIAN2, time), maxDocument);
        fastjson = new ResultReader(new ResultParts(Serialization.FASTJSON, time), maxDocument);
        fastjson2 = new ResultReader(new ResultParts(Serialization.FASTJSON2, time), maxDocument);
    }

    /**
     * Returns a reader of the same responses for an event loop, which it holds up for some milliseconds at most. It
     * reads bodies up to {@link #MAX_BRIEF}, and of these none whose document is much longer, or that take longer than
     * {@code ofLoop} allows; what it does not read, this reader does, on another thread.
     *
     * @param ofLoop shared by all that read responses on that loop
     */
    public DubboResponseReader brief(ReadingTime ofLoop) {
        return new DubboResponseReader(
                MAX_BRIEF_DOCUMENT, stacks, requests, tokenMissing, tokenWrong, tokens, ofLoop, true);
    }

    /**
     * Returns a reader of the messages of streams for an event loop: it reads each of them there, since they must not
     * overtake each other.
     */
    public DubboResponseReader ofMessages() {
        return new DubboResponseReader(
                MAX_DOCUMENT, stacks, requests, tokenMissing, tokenWrong, tokens, ReadingTime.ofAnswer(), false);
    }

    /**
     * The tokens that requests have from now on, which are not repeated to clients: neither by this reader nor by its
     * {@linkplain #brief brief} ones, on all threads. Always called by the same thread.
     */
    public void redact(Collection<String> secrets) {
        tokens.use(secrets);
    }

    /**
     * Reads the Dubbo frame that starts at {@code offset} and is wholly in {@code in}, and appends to {@code out} the
     * body of a mesh RESPONSE: 16-bit length of the attachments, the attachments, the document (a value as text or
     * JSON, or a problem document). For any bytes it returns an outcome and never throws; the frame's own length bounds
     * what is read.
     *
     * @param in       only read, by absolute index, never released
     * @param declared of the result
     * @return null, from a {@linkplain #brief brief} reader, if the body takes too long for it or is malformed, which
     *     is for the other reader to say; then the caller removes what was written
     */
    public Outcome read(ByteBuf in, int offset, ResultFormat format, DeclaredType declared, ByteBuf out) {
        body.reset(out);
        int available = in.writerIndex() - offset - DubboHeader.LENGTH;
        int length = available < 0 ? -1 : DubboHeader.bodyLength(in, offset);
        if (length < 0 || length > available) {
            return body.problem(Outcome.PROVIDER_ERROR, "provider's answer: ends within its frame");
        }
        if (isBrief && length > MAX_BRIEF) {
            return null;
        }
        int id = DubboHeader.serialization(in, offset);
        Serialization serialization = Serialization.of(id);
        if (serialization == null) {
            return body.problem(Outcome.PROVIDER_ERROR, unreadable(id));
        }
        int status = DubboHeader.status(in, offset);
        int bodyOffset = offset + DubboHeader.LENGTH;
        if (status != DubboStatus.OK) {
            String text = beginning(readError(serialization, in, bodyOffset, length));
            if (DubboStatus.outcome(status, text) == Outcome.PROVIDER_REFUSED_TOKEN) {
                return body.problem(Outcome.PROVIDER_REFUSED_TOKEN, format.token() ? tokenWrong : tokenMissing);
            }
            if (format.methodKnown() && ErrorText.isUndecoded(status, text)) {
                return body.problem(Outcome.BAD_ARGUMENT, ErrorText.UNREADABLE_ARGUMENT);
            }
            if (format.classNames().isOfGenericCall() && ErrorText.isOfUnsentException(status, text)) {
                text += ErrorText.MOSTLY_UNCONVERTED;
            }
            return body.failure(status, text, serializationHint(serialization, status, text));
        }
        time.begin(length);
        try {
            return results(serialization).read(in, bodyOffset, length, format, declared, body);
        } catch (MalformedValueException e) {
            return isBrief ? null : body.problem(Outcome.PROVIDER_ERROR, "provider's answer: " + e.getMessage());
        }
    }

    /** Reads a response whose result has no known type. */
    public Outcome read(ByteBuf in, int offset, ResultFormat format, ByteBuf out) {
        return read(in, offset, format, DeclaredType.UNKNOWN, out);
    }

    /** Returns as much of an error as Hessian's reader takes: what is looked for stands in its first lines. */
    private static String beginning(String text) {
        return text.length() <= ResponseBody.MAX_MESSAGE ? text : text.substring(0, ResponseBody.MAX_MESSAGE);
    }

    private static String unreadable(int id) {
        String name = Serialization.dubboName(id);
        return name == null
                ? "provider's answer: serialization id " + id
                : "the provider answered in " + name
                        + ", which the agent does not read (expected: " + String.join(", ", Serialization.names())
                        + "): set the provider's serialization to hessian2";
    }

    /**
     * Returns the text of a response that is an error and no result, as far as it can be read, of a frame that is
     * complete.
     */
    public String error(ByteBuf in, int offset) {
        Serialization serialization = Serialization.of(DubboHeader.serialization(in, offset));
        return serialization == null
                ? ""
                : readError(serialization, in, offset + DubboHeader.LENGTH, DubboHeader.bodyLength(in, offset));
    }

    /** Returns such a response as one line: its status, and the text for clients. */
    public String failure(ByteBuf in, int offset) {
        int id = DubboHeader.serialization(in, offset);
        if (Serialization.of(id) == null) {
            return unreadable(id);
        }
        String text = error(in, offset);
        String line = text.lines().findFirst().orElse("");
        return "status " + DubboHeader.status(in, offset) + serializationHint(in, offset, text)
                + (line.isEmpty() ? "" : ": " + TokenRedaction.ofDubbo(line));
    }

    /**
     * Returns whether a response is in a serialization that is not read, or refuses the one that requests are written
     * in.
     */
    public boolean refusesSerialization(ByteBuf in, int offset) {
        return Serialization.of(DubboHeader.serialization(in, offset)) == null
                || !serializationHint(in, offset, error(in, offset)).isEmpty();
    }

    private String serializationHint(ByteBuf in, int offset, String text) {
        Serialization serialization = Serialization.of(DubboHeader.serialization(in, offset));
        return serializationHint(serialization, DubboHeader.status(in, offset), text);
    }

    /**
     * A provider that refuses the serialization of a request says so, or, from 3.2 on, answers as if it did not know
     * the method, in the one that it prefers.
     */
    private String serializationHint(Serialization answer, int status, String text) {
        if (status != DubboStatus.BAD_REQUEST || answer == requests && !text.contains("Unexpected serialization id")) {
            return "";
        }
        return " in " + answer.dubboName() + " to a request in " + requests.dubboName() + " (see dubbo.serialization)";
    }

    private String readError(Serialization serialization, ByteBuf in, int offset, int length) {
        time.begin(length);
        return results(serialization).readError(in, offset, length);
    }

    private ResultReader results(Serialization serialization) {
        return switch (serialization) {
            case HESSIAN2 -> hessian;
            case FASTJSON -> fastjson;
            case FASTJSON2 -> fastjson2;
        };
    }
}
