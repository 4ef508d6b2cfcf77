package io.dubbomesh.testsupport;

import java.nio.ByteBuffer;

import static io.dubbomesh.testsupport.Hex.u64;
import static io.dubbomesh.testsupport.Hex.u8;
import static io.dubbomesh.testsupport.Hex.withLength32;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A Dubbo frame that has come, and the digits of frames to send.
 *
 * @param header the digits of magic, flags and status
 * @param body its digits
 */
public record DubboFrame(String header, long id, String body) {
    public static final int OK = 20;
    public static final int HESSIAN = 2;

    private static final int REQUEST = 0x80;
    private static final int EVENT = 0x20;

    /** Whether it is a heartbeat or another event, and no call. */
    public boolean isEvent() {
        return (Hex.bytes(header)[2] & EVENT) != 0;
    }

    public boolean isRequest() {
        return (Hex.bytes(header)[2] & REQUEST) != 0;
    }

    /**
     * The method called, which stands behind the protocol's version, the path and the service's version; Hessian only.
     */
    public String method() {
        return text(3);
    }

    /** The path called, which is the interface; Hessian only. */
    public String path() {
        return text(1);
    }

    private String text(int index) {
        ByteBuffer in = ByteBuffer.wrap(Hex.bytes(body));
        for (int i = 0; i < index; i++) {
            shortString(in);
        }
        return shortString(in);
    }

    /** Hessian's strings of less than 1,024 characters, if they are ASCII. */
    private static String shortString(ByteBuffer in) {
        int tag = in.get() & 0xff;
        int length = tag;
        if (tag >= 0x30 && tag <= 0x33) {
            length = tag - 0x30 << 8 | in.get() & 0xff;
        } else if (tag >= 0x20) {
            throw new IllegalArgumentException("tag " + tag + " (expected: of a short string)");
        }
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, UTF_8);
    }

    public static String frame(int flags, int status, long id, String body) {
        return "dabb" + u8(flags) + u8(status) + u64(id) + withLength32(body);
    }

    /** An answer in Hessian. */
    public static String answer(long id, int status, String body) {
        return frame(HESSIAN, status, id, body);
    }

    /** An answer to a heartbeat. */
    static String heartbeatAnswer(long id) {
        return frame(EVENT | HESSIAN, OK, id, "4e");
    }

    /** The digits of a Hessian string of ASCII characters. */
    public static String text(String text) {
        return "53" + Hex.u16(text.length()) + Hex.text(text);
    }

    /** The digits of a Hessian string of less than 32 ASCII characters. */
    public static String string(String text) {
        return u8(text.length()) + Hex.text(text);
    }
}
