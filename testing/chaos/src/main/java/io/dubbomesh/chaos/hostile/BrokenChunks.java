package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.row.RawRequests;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Chunked bodies that break the grammar (RFC 9112, section 7.1). */
final class BrokenChunks {
    private BrokenChunks() {}

    /**
     * Bodies by what is wrong with them.
     *
     * @param first their data, as far as they have it
     */
    static Map<String, String> of(String first) {
        Map<String, String> bodies = new LinkedHashMap<>();
        String size = Integer.toHexString(first.length());
        String end = "0\r\n\r\n";
        bodies.put("a line feed alone behind the size", size + "\n" + first + "\r\n" + end);
        bodies.put("a carriage return alone behind the size", size + "\r" + first + "\r\n" + end);
        bodies.put("a line feed alone behind the data", size + "\r\n" + first + "\n" + end);
        bodies.put("nothing behind the data", size + "\r\n" + first + end);
        bodies.put("more data than the size", Integer.toHexString(first.length() - 1) + "\r\n" + first + "\r\n" + end);
        bodies.put("less data than the size", Integer.toHexString(first.length() + 1) + "\r\n" + first + "\r\n" + end);
        bodies.put("a NUL in an extension", size + ";a=\0\r\n" + first + "\r\n" + end);
        bodies.put("a line break in a quoted extension", size + ";a=\"\r\n\"\r\n" + first + "\r\n" + end);
        bodies.put("a line feed in an extension", size + ";a\n\r\n" + first + "\r\n" + end);
        bodies.put("a line feed behind an extension", size + ";a\n" + first + "\r\n" + end);
        bodies.put("a carriage return in an extension", size + ";a\rb\r\n" + first + "\r\n" + end);
        bodies.put("a carriage return in front of an extension", size + "\r;a\r\n" + first + "\r\n" + end);
        bodies.put("DEL in an extension", size + ";a=\u007f\r\n" + first + "\r\n" + end);
        bodies.put("byte 1 in an extension", size + ";\u0001\r\n" + first + "\r\n" + end);
        bodies.put("a line feed in a quoted extension", size + ";a=\"\n\"\r\n" + first + "\r\n" + end);
        bodies.put("an escaped line break in a quoted extension", size + ";a=\"\\\r\n\"\r\n" + first + "\r\n" + end);
        bodies.put("a quoted extension without its end", size + ";a=\"\r\n" + first + "\r\n" + end);
        bodies.put("an extension without its value", size + ";a=\r\n" + first + "\r\n" + end);
        bodies.put("text behind a quoted extension", size + ";a=\"b\"c\r\n" + first + "\r\n" + end);
        bodies.put("an extension of 64 KiB", size + ";a=" + "b".repeat(65_536) + "\r\n" + first + "\r\n" + end);
        for (int digits : new int[] {9, 16, 17, 100}) {
            bodies.put("a size of " + digits + " digits", "f".repeat(digits) + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("a size beyond 32 bits", "1000000" + "0".repeat(2) + size + "\r\n" + first + "\r\n" + end);
        for (int digits : new int[] {9, 16, 17, 100}) {
            String zeros = "0".repeat(digits - 1 - size.length());
            bodies.put("a 1 in front of " + digits, "1" + zeros + size + "\r\n" + first + "\r\n" + end);
            bodies.put("an 8 in front of " + digits, "8" + zeros + size + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("a size of 2^31", "80000000\r\n" + first + "\r\n" + end);
        bodies.put("a size of 2^31-1", "7fffffff\r\n" + first + "\r\n" + end);
        bodies.put("a size of 2^63-1", "7fffffffffffffff\r\n" + first + "\r\n" + end);
        for (String prefix : List.of("0x", "-", "+", " ", "\t", "_")) {
            bodies.put("a size behind " + RawRequests.shown(prefix), prefix + size + "\r\n" + first + "\r\n" + end);
        }
        bodies.put("no size", "\r\n" + first + "\r\n" + end);
        bodies.put("a size that is no number", "g\r\n" + first + "\r\n" + end);
        bodies.put("two sizes", size + " " + size + "\r\n" + first + "\r\n" + end);
        bodies.put("a carriage return alone behind the data", size + "\r\n" + first + "\r" + end);
        bodies.put("two line breaks behind the data", size + "\r\n" + first + "\r\n\r\n" + end);
        bodies.put("a line feed alone behind the last size", size + "\r\n" + first + "\r\n0\n\r\n");
        bodies.put("a line feed alone as the end", size + "\r\n" + first + "\r\n0\r\n\n");
        bodies.put("no empty line at the end", size + "\r\n" + first + "\r\n0\r\n");
        bodies.put("a line feed alone behind a trailer", size + "\r\n" + first + "\r\n0\r\nX: y\n\r\n");
        bodies.put("a NUL in a trailer", size + "\r\n" + first + "\r\n0\r\nX: \0\r\n\r\n");
        bodies.put("a control character in a trailer's name", size + "\r\n" + first + "\r\n0\r\nX\u0001: y\r\n\r\n");
        bodies.put("a trailer without a colon", size + "\r\n" + first + "\r\n0\r\nX\r\n\r\n");
        bodies.put("a trailer with a blank before its colon", size + "\r\n" + first + "\r\n0\r\nX : y\r\n\r\n");
        bodies.put("a folded trailer", size + "\r\n" + first + "\r\n0\r\nX: y\r\n z\r\n\r\n");
        bodies.put("trailers without an end", size + "\r\n" + first + "\r\n0\r\n" + "X: y\r\n".repeat(2_000) + "\r\n");
        return bodies;
    }
}
