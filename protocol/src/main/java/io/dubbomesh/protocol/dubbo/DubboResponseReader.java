package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

import java.util.Collection;

/** Turns Dubbo responses into bodies of mesh RESPONSEs. Reused from call to call; owned by one event loop. */
public final class DubboResponseReader {
    /** Dubbo's own limit on a frame, which its text or JSON may not exceed either. */
    public static final int MAX_DOCUMENT = 8 * 1024 * 1024;

    private static final String TOKENS_OF_SETTINGS =
            "set for this service (dubbo.token or dubbo.token-file of the provider agent)";

    private final Serialization requests;
    private final TokenRedaction tokens = new TokenRedaction();
    /** The provider's own text is not passed on, since some versions repeat the token in it. */
    private final String tokenMissing;

    private final String tokenWrong;
    private final ResponseBody body;
    private final HessianResult hessian;
    private final FastjsonResult fastjson;
    private final Fastjson2Result fastjson2;

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
        this.requests = requests;
        tokenMissing = "the provider demands a token, and none is " + tokensAre;
        tokenWrong = "the provider refuses the token that is " + tokensAre;
        body = new ResponseBody(stacks, tokens);
        hessian = new HessianResult(maxDocument);
        fastjson = new FastjsonResult(maxDocument);
        fastjson2 = new Fastjson2Result(maxDocument);
    }

    /** The tokens that requests have from now on, which are not repeated to clients. */
    public void hide(Collection<String> secrets) {
        tokens.use(secrets);
    }

    /**
     * Reads the Dubbo frame that starts at {@code offset} and is wholly in {@code in}, and appends to {@code out} the body of a mesh
     * RESPONSE: 16-bit length of the attachments, the attachments, the document (a value as text or JSON, or a problem document).
     * Whatever the bytes are, it returns an outcome and never throws; the frame's own length bounds what is read.
     *
     * @param in only read, by absolute index, never released
     */
    public Outcome read(ByteBuf in, int offset, ResultFormat format, ByteBuf out) {
        body.reset(out);
        int available = in.writerIndex() - offset - DubboHeader.LENGTH;
        int length = available < 0 ? -1 : DubboHeader.bodyLength(in, offset);
        if (length < 0 || length > available) {
            return body.problem(Outcome.PROVIDER_ERROR, "provider's answer: ends within its frame");
        }
        int id = DubboHeader.serialization(in, offset);
        Serialization serialization = Serialization.of(id);
        if (serialization == null) {
            return body.problem(Outcome.PROVIDER_ERROR, unreadable(id));
        }
        int status = DubboHeader.status(in, offset);
        int bodyOffset = offset + DubboHeader.LENGTH;
        if (status != DubboStatus.OK) {
            String text = readError(serialization, in, bodyOffset, length);
            if (DubboStatus.outcome(status, text) == Outcome.PROVIDER_REFUSED_TOKEN) {
                return body.problem(Outcome.PROVIDER_REFUSED_TOKEN, format.token() ? tokenWrong : tokenMissing);
            }
            if (format.methodKnown() && ErrorText.isUndecoded(status, text)) {
                return body.problem(Outcome.BAD_ARGUMENT, ErrorText.UNREADABLE_ARGUMENT);
            }
            return body.failure(status, text, serializationHint(serialization, status, text));
        }
        try {
            return switch (serialization) {
                case HESSIAN2 -> hessian.read(in, bodyOffset, length, format, body);
                case FASTJSON -> fastjson.read(in, bodyOffset, length, format, body);
                case FASTJSON2 -> fastjson2.read(in, bodyOffset, length, format, body);
            };
        } catch (MalformedValueException e) {
            return body.problem(Outcome.PROVIDER_ERROR, "provider's answer: " + e.getMessage());
        }
    }

    private static String unreadable(int id) {
        String name = Serialization.dubboName(id);
        return name == null
                ? "provider's answer: serialization id " + id
                : "the provider answered in " + name
                        + ", which the agent does not read (expected: " + String.join(", ", Serialization.names())
                        + "): set the provider's serialization to hessian2";
    }

    /** The text of a response that is an error and no result, as far as it can be read, of a frame that is complete. */
    public String error(ByteBuf in, int offset) {
        Serialization serialization = Serialization.of(DubboHeader.serialization(in, offset));
        return serialization == null
                ? ""
                : readError(serialization, in, offset + DubboHeader.LENGTH, DubboHeader.bodyLength(in, offset));
    }

    /** What such a response says, in a line: its status, and what clients are told beside it. */
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

    /** Whether a response is in a serialization that is not read, or refuses the one that requests are written in. */
    public boolean refusesSerialization(ByteBuf in, int offset) {
        return Serialization.of(DubboHeader.serialization(in, offset)) == null
                || !serializationHint(in, offset, error(in, offset)).isEmpty();
    }

    private String serializationHint(ByteBuf in, int offset, String text) {
        Serialization serialization = Serialization.of(DubboHeader.serialization(in, offset));
        return serializationHint(serialization, DubboHeader.status(in, offset), text);
    }

    /**
     * A provider that refuses the serialization of a request says so, or, from 3.2 on, answers as if it did not know the method, in
     * the one that it prefers.
     */
    private String serializationHint(Serialization answer, int status, String text) {
        if (status != DubboStatus.BAD_REQUEST || answer == requests && !text.contains("Unexpected serialization id")) {
            return "";
        }
        return " in " + answer.dubboName() + " to a request in " + requests.dubboName() + " (see dubbo.serialization)";
    }

    private String readError(Serialization serialization, ByteBuf in, int offset, int length) {
        return switch (serialization) {
            case HESSIAN2 -> hessian.readError(in, offset, length);
            case FASTJSON -> fastjson.readError(in, offset, length);
            case FASTJSON2 -> fastjson2.readError(in, offset, length);
        };
    }
}
