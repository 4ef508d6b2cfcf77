package io.dubbomesh.testsupport;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import java.security.GeneralSecurityException;

import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.Hex.u16;
import static io.dubbomesh.testsupport.Hex.u32;
import static io.dubbomesh.testsupport.Hex.u64;
import static io.dubbomesh.testsupport.Hex.u8;
import static io.dubbomesh.testsupport.Hex.withLength16;
import static io.dubbomesh.testsupport.Hex.withLength32;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A received frame of the mesh protocol, and the digits of frames to send, as docs/understand/protocol.md has them.
 *
 * @param time of a RESPONSE that reports the provider's load, as it stands there
 * @param body its digits
 */
public record MeshFrame(int type, int status, int flags, int time, long requestId, int methodId, String body) {
    public static final int HELLO = 1;
    public static final int DEFINE = 2;
    public static final int REQUEST = 3;
    public static final int RESPONSE = 4;
    public static final int PING = 5;
    public static final int PONG = 6;
    public static final int GOAWAY = 7;
    public static final int LIMIT = 8;
    public static final int CREDIT = 9;
    public static final int CANCEL = 10;

    public static final int FORM = 0x01;
    /** The flag of a REQUEST whose client takes a stream. */
    public static final int STREAM = 0x40;

    public static final int NOT_EXECUTED = 1;

    static final String MAGIC_AND_VERSION = "d3e501";

    /** A frame without a method id: any but DEFINE and REQUEST. */
    public MeshFrame(int type, int status, int flags, long requestId, String body) {
        this(type, status, flags, 0, requestId, 0, body);
    }

    /** Returns the text behind a response's attachments. */
    public String document() {
        int attachmentsLength = Integer.parseInt(body.substring(0, 4), 16);
        return new String(Hex.bytes(body.substring(4 + 2 * attachmentsLength)), UTF_8);
    }

    /** The whole body as text. */
    public String bodyText() {
        return new String(Hex.bytes(body), UTF_8);
    }

    public static String frame(int type, int status, int flags, long requestId, int methodId, String body) {
        return MAGIC_AND_VERSION
                + u8(type)
                + u8(status)
                + u8(flags)
                + u16(0)
                + u64(requestId)
                + u32(methodId)
                + withLength32(body);
    }

    /**
     * Returns the HELLO of a provider agent that grants {@code limit} calls and {@code tableSize} method ids; a
     * consumer agent sends zeros.
     */
    public static String hello(int limit, int tableSize) {
        return frame(HELLO, 0, 0, 0, 0, "0101" + u32(limit) + u32(tableSize) + "0000");
    }

    /** The same, of a provider agent with these features. */
    public static String hello(int limit, int tableSize, int features) {
        return frame(HELLO, 0, 0, 0, 0, "0101" + u32(limit) + u32(tableSize) + "0000" + u64(0) + u32(features));
    }

    /** Returns the HELLO of a provider agent that demands a token. */
    public static String challenge(int limit, int tableSize, String challenge) {
        return frame(HELLO, 0, 0, 0, 0, "0101" + u32(limit) + u32(tableSize) + withLength16(challenge));
    }

    /** Returns the HELLO of a consumer agent with these credentials. */
    public static String helloWith(String credentials, long agentId) {
        return frame(HELLO, 0, 0, 0, 0, "0101" + u32(0) + u32(0) + withLength16(credentials) + u64(agentId) + u32(0));
    }

    /** Returns the digits of a HELLO's credentials. */
    public String credentials() {
        int at = 2 * (2 + 2 * Integer.BYTES);
        int length = Integer.parseInt(body.substring(at, at + 4), 16);
        return body.substring(at + 4, at + 4 + 2 * length);
    }

    /** Returns the id of the agent in a HELLO. */
    public long agentId() {
        int at = 2 * (2 + 2 * Integer.BYTES + Short.BYTES) + credentials().length();
        return Long.parseUnsignedLong(body.substring(at, at + 2 * Long.BYTES), 16);
    }

    /** The credentials of a consumer agent with this token and id, as docs/understand/protocol.md has them. */
    public static String answer(String challenge, String token, long agentId) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(token.getBytes(UTF_8), "HmacSHA256"));
            return Hex.of(mac.doFinal(Hex.bytes(text("dubbo-mesh HELLO 1") + challenge + u64(agentId))));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the LIMIT of a provider agent that serves {@code calls} at once from now on. */
    public static String limit(int calls) {
        return frame(LIMIT, 0, 0, 0, 0, u32(calls));
    }

    public static String ping() {
        return frame(PING, 0, 0, 0, 0, "");
    }

    public static String goAway(String reason) {
        return frame(GOAWAY, 0, 0, 0, 0, text(reason));
    }

    /** Five names as DEFINE carries them, and REQUEST with method id 0. */
    public static String names(String service, String method, String descriptor, String version, String group) {
        StringBuilder digits = new StringBuilder();
        for (String name : new String[] {service, method, descriptor, version, group}) {
            digits.append(withLength16(text(name)));
        }
        return digits.toString();
    }

    public static String define(int methodId, String names) {
        return frame(DEFINE, 0, 0, 0, methodId, names);
    }

    public static String request(long requestId, int methodId, int flags, String body) {
        return frame(REQUEST, 0, flags, requestId, methodId, body);
    }

    /** The body of a request with one form argument and no attachments. */
    public static String formBody(int timeLeftMs, String argument) {
        return u32(timeLeftMs) + u16(0) + withLength32(text(argument));
    }

    /** Returns the beginning of a stream: a RESPONSE in JSON that others follow, without a document. */
    public static String streamOpened(long requestId) {
        return message(requestId, 0, "");
    }

    /** Returns a message of a stream, which takes so many bytes of the window. */
    public static String message(long requestId, int windowBytes, String document) {
        return frame(RESPONSE, 0, 0x42, requestId, windowBytes, u16(0) + text(document));
    }

    /** Returns a CREDIT for so many bytes of a stream. */
    public static String credit(long requestId, int bytes) {
        return frame(CREDIT, 0, 0, requestId, 0, u32(bytes));
    }

    public static String cancel(long requestId) {
        return frame(CANCEL, 0, 0, requestId, 0, "");
    }

    /** The attachments of a request or response that has one. */
    public static String attachments(String key, String value) {
        return withLength16(withLength16(text(key)) + withLength16(text(value)));
    }

    /** @param attachments their digits */
    public static String response(long requestId, int status, int flags, String attachments, String document) {
        return frame(RESPONSE, status, flags, requestId, 0, withLength16(attachments) + text(document));
    }
}
