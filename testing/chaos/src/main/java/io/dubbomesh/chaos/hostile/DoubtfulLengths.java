package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.row.RawRequests;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Ways to say how long the body of a request is that leave it open, or say it wrongly. */
final class DoubtfulLengths {
    private static final List<String> CODINGS = List.of(
            "chunked, identity",
            "chunked,identity",
            "identity",
            "identity, chunked",
            "xchunked",
            "chunkedx",
            "chunked, xchunked",
            "xchunked, chunked",
            "chunked, chunked",
            "chunked chunked",
            "chunked identity",
            "chunked, gzip",
            "gzip",
            "gzip, chunked",
            "chunked, gzip, chunked",
            "trailers",
            "chunked;q=1",
            "chunked;",
            "chunked; a",
            "chunked/",
            "chunked=1",
            "chunk",
            "chun ked",
            "chun\tked",
            "\u000bchunked",
            "chunked\u000b",
            "\u000cchunked",
            "chunked\0",
            "\0chunked",
            "chun\0ked",
            "chunked\u007f",
            "\u00a0chunked",
            "chunked\u00a0",
            "chun\u00e7ked",
            "\"chunked\"",
            "'chunked'",
            "(chunked)",
            "",
            "\t",
            ",",
            ", chunked, identity");

    /** The characters that no name of a field may have: 0 to 31, and DEL. */
    private static final char[] CONTROLS = controls();

    private DoubtfulLengths() {}

    /**
     * Fields of a head by what is in doubt with them.
     *
     * @param length of the body that a recipient may take for the right one
     */
    static Map<String, String> of(int length) {
        Map<String, String> doubts = new LinkedHashMap<>();
        String right = "Content-Length: " + length + "\r\n";
        doubts.put("both", right + RawRequests.CHUNKED);
        doubts.put("both, the other first", RawRequests.CHUNKED + right);
        doubts.put("Content-Length twice", right + "Content-Length: 0\r\n");
        doubts.put("Content-Length twice, the same", right + right);
        doubts.put("Content-Length twice, once with a zero in front", right + "Content-Length: 0" + length + "\r\n");
        doubts.put("Content-Length three times", right.repeat(3));
        for (String value : values(length)) {
            doubts.put("Content-Length: " + RawRequests.shown(value), "Content-Length: " + value + "\r\n");
        }
        doubts.put("a blank before the colon", "Content-Length : " + length + "\r\n");
        doubts.put("a tab before the colon", "Content-Length\t: " + length + "\r\n");
        doubts.put("a folded line", "Content-Length:\r\n " + length + "\r\n");
        doubts.put("a control character in the name", "Content-Length\u0001: " + length + "\r\n");
        for (String name : List.of("Content-Length", "Transfer-Encoding")) {
            for (int at : new int[] {0, name.length() / 2, name.length()}) {
                for (char control : CONTROLS) {
                    String broken = name.substring(0, at) + control + name.substring(at);
                    // A length of its own, so that it is clear where the body ends if the field is taken for another
                    // one.
                    String value = name.equals("Content-Length") ? ": 0\r\n" : ": chunked\r\n";
                    doubts.put("byte %d at %d of %s".formatted((int) control, at, name), broken + value + right);
                }
            }
        }
        doubts.put("a line feed alone", "Content-Length: " + length + "\n");
        doubts.put("a line feed alone behind Transfer-Encoding", "Transfer-Encoding: chunked\n" + right);
        doubts.put("a line feed alone in front of its value", "Transfer-Encoding:\nchunked\r\n");
        doubts.put("a carriage return alone in front of its value", "Transfer-Encoding:\rchunked\r\n");
        doubts.put("a carriage return alone behind its value", "Transfer-Encoding: chunked\rX: y\r\n");
        doubts.put("two carriage returns behind its value", "Transfer-Encoding: chunked\r\r\n");
        doubts.put("a carriage return alone", "X: a\rContent-Length: 0\r\n" + right);
        doubts.put("a NUL in a value", "X: a\0\r\n" + right);
        doubts.put("a field without a colon", "Content-Length\r\n" + right);
        for (String value : CODINGS) {
            String coding = "Transfer-Encoding: " + value + "\r\n";
            doubts.put("Transfer-Encoding: " + RawRequests.shown(value), coding);
            doubts.put("Transfer-Encoding: " + RawRequests.shown(value) + " and a length", coding + right);
        }
        doubts.put("Transfer-Encoding twice", RawRequests.CHUNKED + RawRequests.CHUNKED);
        doubts.put(
                "Transfer-Encoding twice, the other identity", RawRequests.CHUNKED + "Transfer-Encoding: identity\r\n");
        doubts.put(
                "Transfer-Encoding twice, the first identity", "Transfer-Encoding: identity\r\n" + RawRequests.CHUNKED);
        doubts.put("Transfer-Encoding twice, the other unknown", RawRequests.CHUNKED + "Transfer-Encoding: cow\r\n");
        doubts.put("Transfer-Encoding in a folded line", "Transfer-Encoding:\r\n chunked\r\n");
        doubts.put("the same, folded by a tab", "Transfer-Encoding:\r\n\tchunked\r\n");
        doubts.put("a folded list", "Transfer-Encoding: chunked,\r\n identity\r\n");
        doubts.put("a coding in two lines", "Transfer-Encoding: chun\r\n ked\r\n");
        doubts.put("a folded line behind chunked", RawRequests.CHUNKED + " , identity\r\n");
        doubts.put("a folded line behind chunked, and a length", right + RawRequests.CHUNKED + " identity\r\n");
        doubts.put("a blank before its colon", "Transfer-Encoding : chunked\r\n");
        doubts.put("a tab before its colon", "Transfer-Encoding\t: chunked\r\n");
        doubts.put("a blank before its colon, and a length", "Transfer-Encoding : chunked\r\n" + right);
        doubts.put("another blank before its name", " Transfer-Encoding: chunked\r\n");
        doubts.put("a blank in its name", "Transfer Encoding: chunked\r\n" + right);
        doubts.put("no name", ": chunked\r\n" + right);
        return doubts;
    }

    /** Returns values that are no length, or one of a body that is too large. */
    private static List<String> values(int length) {
        List<String> values = new ArrayList<>(List.of(
                length + ", " + length,
                length + "," + length,
                length + ", 0",
                "0, " + length,
                length + ",",
                "," + length,
                length + ",," + length,
                "+" + length,
                "+0",
                "-0",
                "-1",
                "-" + length,
                "- " + length,
                "0x" + Integer.toHexString(length),
                "0X" + length,
                "x" + length,
                "a",
                length + "h",
                "0o" + length,
                "1e2",
                length + "_0",
                length + " 0",
                length + "\t0",
                length + ".0",
                length + ";",
                length + ";a=b",
                "\"" + length + "\"",
                "'" + length + "'",
                "(" + length + ")",
                "\0" + length,
                length + "\0",
                "\u000b" + length,
                length + "\u000c",
                "\u00a0" + length,
                length + "\u00b2",
                length + "\u007f",
                "",
                "\t",
                "2147483648",
                "4294967296",
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551616",
                "1" + "0".repeat(99),
                "\u0660"));
        // The lower 32 or 64 bits of these are the length.
        values.add(Long.toString((1L << 32) + length));
        values.add(BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(length)).toString());
        return values;
    }

    private static char[] controls() {
        char[] controls = new char[' ' + 1];
        for (char i = 0; i < ' '; i++) {
            controls[i] = i;
        }
        controls[' '] = 0x7f;
        return controls;
    }
}
