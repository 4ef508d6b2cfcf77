package io.dubbomesh.testsupport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Bytes as tests write them: hexadecimal digits, with blanks between them, and Latin-1 text in single quotes. */
public final class Hex {
    private static final HexFormat DIGITS = HexFormat.of();

    private Hex() {}

    public static byte[] bytes(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String[] parts = text.split("'", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean isQuoted = i % 2 == 1;
            out.writeBytes(isQuoted ? parts[i].getBytes(ISO_8859_1) : DIGITS.parseHex(parts[i].replace(" ", "")));
        }
        return out.toByteArray();
    }

    /** The same bytes in a growable buffer on the heap, which needs no release. */
    public static ByteBuf buffer(String text) {
        return Unpooled.buffer().writeBytes(bytes(text));
    }

    public static String of(byte[] bytes) {
        return DIGITS.formatHex(bytes);
    }

    /** The readable bytes; the indexes do not move. */
    public static String of(ByteBuf bytes) {
        return ByteBufUtil.hexDump(bytes);
    }

    /** The digits of the text's UTF-8 bytes. */
    public static String text(String text) {
        return of(text.getBytes(UTF_8));
    }

    public static String u8(int value) {
        return String.format("%02x", value & 0xff);
    }

    public static String u16(int value) {
        return String.format("%04x", value & 0xffff);
    }

    public static String u32(int value) {
        return String.format("%08x", value);
    }

    public static String u64(long value) {
        return String.format("%016x", value);
    }

    /** The digits of a length and of the bytes behind it. */
    static String withLength32(String text) {
        byte[] bytes = bytes(text);
        return u32(bytes.length) + of(bytes);
    }

    static String withLength16(String text) {
        byte[] bytes = bytes(text);
        return u16(bytes.length) + of(bytes);
    }
}
