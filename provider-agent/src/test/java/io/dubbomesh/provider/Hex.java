package io.dubbomesh.provider;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes as the tests write them down: hexadecimal digits in groups, or the text they stand for. */
public final class Hex {
    private Hex() {}

    public static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static String text(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String u16(int value) {
        return String.format("%04x", value);
    }

    public static String u32(int value) {
        return String.format("%08x", value);
    }

    public static String u64(long value) {
        return String.format("%016x", value);
    }
}
