package io.dubbomesh.chaos.hostile;

import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Bodies of Dubbo responses in Hessian, in hexadecimal, whose values are meant to harm their readers. */
final class HostileValues {
    private static final int DEEP = 10_000;
    private static final String INT_MAX = "49 7fffffff";
    private static final String BIG_INTEGER = "43 14 'java.math.BigInteger' 92 06'signum' 03'mag'";
    /** The most that a number may have, of 32 bits each. */
    private static final int MAX_WORDS = 1_024;
    /** The bound of fields of an exception, and of exceptions that may be causes in each other. */
    private static final int MAX_FIELDS = 64;

    private static final int MAX_CAUSES = 16;

    static final String[] DENIED = {
        "com.sun.rowset.JdbcRowSetImpl",
        "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
        "javax.swing.UIDefaults$ProxyLazyValue",
        "javax.script.ScriptEngineManager",
        "javax.naming.ldap.Rdn$RdnEntry",
        "javax.management.BadAttributeValueExpException",
        "java.rmi.server.UnicastRemoteObject",
        "sun.print.UnixPrintService",
        "java.beans.EventHandler"
    };

    static final String[] HARMLESS = {"com.example.NotThere"};

    private HostileValues() {}

    static String object(String className, String field, String value) {
        return "'C'" + DubboFrame.text(className) + "91" + DubboFrame.text(field) + "60" + value;
    }

    static List<String> naming(String[] classNames) {
        List<String> bodies = new ArrayList<>();
        for (String name : classNames) {
            String text = DubboFrame.text(name);
            bodies.add("91" + object(name, "dataSourceName", DubboFrame.text("ldap://127.0.0.1/x")));
            bodies.add("91 'M'" + text + "01'a' 91 'Z'");
            bodies.add("91 'V'" + text + "91" + object(name, "value", "4e"));
            bodies.add("91 'V'" + DubboFrame.text("[" + name) + "91 4e");
            bodies.add("91 'H'" + object(name, "value", "4e") + "91 'Z'");
            bodies.add("91" + object("java.lang.Class", "name", text));
            bodies.add("91 'M'" + DubboFrame.text("java.util.HashMap") + DubboFrame.text("@type") + text + "'Z'");
            bodies.add("90" + object(name, "detailMessage", DubboFrame.text("x")));
            bodies.add("90" + object("java.lang.Exception", "cause", "'C'" + text + "90 61"));
            bodies.add("95 'H' 01'a'" + object(name, "value", "4e") + "'Z'");
        }
        return bodies;
    }

    static List<String> excessive() {
        List<String> bodies = new ArrayList<>();
        for (String level : List.of("79", "'W'", "71 01'a'", "'H' 01'a'", "'H'", "'M' 01'a' 01'a'", "'C' 01'A' 90")) {
            String nested = Hex.of(Hex.bytes(level)).repeat(DEEP);
            bodies.add("91" + nested);
            bodies.add("91" + nested + "90" + "5a".repeat(DEEP));
            bodies.add("95 'H' 01'a'" + nested);
        }
        bodies.add("91 'C' 01'A' 91 01'x'" + "60".repeat(DEEP));
        bodies.add("90 'C' 01'A' 91 05'cause'" + "60".repeat(DEEP));
        for (String length : List.of(INT_MAX, "49 80000000", "49 ffffffff")) {
            for (String kind : List.of("'X'", "'V' 01't'", "71", "'C' 01'A'", "'O'", "'Q'")) {
                bodies.add("91" + kind + length);
                bodies.add("90" + kind + length);
            }
        }
        for (String chunk : List.of("'R' ffff", "'S' ffff", "'A' ffff", "'B' ffff", "33ff", "37ff")) {
            bodies.add("91" + chunk);
            bodies.add("91" + chunk + "78".repeat(60_000));
        }
        String chunk = "52 ffff" + "78".repeat(0xffff);
        bodies.add("91" + chunk.repeat(100));
        bodies.add("91" + chunk.repeat(16) + "00");
        bodies.add("91" + "410000".repeat(100_000) + "20");
        bodies.add("91" + doubling(30));
        bodies.add("91" + doubling(1_000));
        bodies.add("91 79 'Q' 90");
        bodies.add("91 'H' 01'a' 'Q' 90 'Z'");
        bodies.add("91 79 'Q' 95");
        bodies.add("91 'H' 79 91 92 'H' 91 92 'Z' 93 'Z'");
        bodies.add("91 'H' 'C' 01'A' 91 01'x' 60 91 92 'Z'");
        return bodies;
    }

    /** The longest lists, or nearly, of what takes long to be read or written. */
    static List<String> costly() {
        Random random = new Random(20261123);
        StringBuilder dates = new StringBuilder();
        StringBuilder doubles = new StringBuilder();
        for (int i = 0; i < 340_000; i++) {
            dates.append("4b").append(Hex.u32(i));
            doubles.append("44").append(Hex.u64(Double.doubleToLongBits(random.nextDouble())));
        }
        return List.of(
                "91" + list(4_000_000, "90".repeat(4_000_000)),
                "91" + list(340_000, dates.toString()),
                "91" + list(340_000, doubles.toString()),
                "91" + list(1_000_000, "48 91 91 5a".repeat(1_000_000)),
                "91 43 14 'java.math.BigDecimal' 91 05'value'" + list(2_000_000, "60 01 31".repeat(2_000_000)),
                "91" + list(60_000, ("43 01 61 90" + "4e").repeat(60_000)),
                largeNumbers());
    }

    /** A frame of each is short enough for the event loop to read it itself. */
    static List<String> costlyForTheirLength() {
        String dates = list(500, "4b 00000000".repeat(500));
        return List.of(
                largeNumber(),
                // Maps in each other, written as objects until a key is no text and then as pairs: the dates 128 times.
                "91" + "48 01'a'".repeat(7) + dates + "91 91 5a".repeat(7),
                exceptionThatRefersTo(dates),
                exceptionThatRefersTo(list(2_000, "91".repeat(2_000))),
                exceptionThatRefersTo("60 91" + list(MAX_WORDS, "8f".repeat(MAX_WORDS))),
                fieldsThatCollide(),
                "91" + list(5_000, ("44" + Hex.u64(Double.doubleToLongBits(1.2345678e-300))).repeat(5_000)));
    }

    /** Returns a number of 9,865 decimal digits, in little more than 1 KiB. */
    static String largeNumber() {
        return "91" + BIG_INTEGER + "60 91" + list(MAX_WORDS, "8f".repeat(MAX_WORDS));
    }

    /** The first field of each exception is the value, and all others refer to it. */
    private static String exceptionThatRefersTo(String value) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < MAX_FIELDS; i++) {
            names.append(DubboFrame.text("f" + i));
        }
        return "90" + BIG_INTEGER + "43 03'a.X' 49" + Hex.u32(MAX_FIELDS + 1) + names + "05'cause'" + "61" + value
                + "5191".repeat(MAX_FIELDS - 1) + ("61" + "5191".repeat(MAX_FIELDS)).repeat(MAX_CAUSES) + "4e";
    }

    /** Names of fields that differ and have the same hash in common tables. */
    private static String fieldsThatCollide() {
        int fields = 1_024;
        int letters = 90;
        StringBuilder hex = new StringBuilder("91");
        for (int i = 0; i < 4; i++) {
            hex.append("43 01'a' 49").append(Hex.u32(fields));
            for (int name = 0; name < fields; name++) {
                hex.append("04")
                        .append(Hex.text((char) ('!' + name / letters) + "x" + (char) ('!' + name % letters) + "y"));
            }
        }
        return hex + "4e";
    }

    /** Returns numbers of 9,865 and of 2,467 decimal digits. */
    static String largeNumbers() {
        int large = 12;
        int small = 51;
        StringBuilder numbers = new StringBuilder(BIG_INTEGER);
        for (int i = 0; i < large + small; i++) {
            int words = i < large ? MAX_WORDS : 256;
            numbers.append("60 91").append(list(words, "49 ffffffff".repeat(words)));
        }
        return "91" + list(large + small, numbers.toString());
    }

    private static String list(int length, String values) {
        return "58 49" + Hex.u32(length) + values;
    }

    /** Lists of two, the second of which refers to the first: so many levels make 2 to that power of values. */
    private static String doubling(int levels) {
        StringBuilder body = new StringBuilder("7a".repeat(levels)).append("7a9191");
        for (int i = levels; i > 0; i--) {
            body.append("51 49").append(Hex.u32(i));
        }
        return body.toString();
    }

    static List<String> eachTag() {
        List<String> bodies = new ArrayList<>();
        Random random = new Random(20261123);
        byte[] tail = new byte[24];
        for (int tag = 0; tag < 256; tag++) {
            random.nextBytes(tail);
            bodies.add(Hex.u8(tag));
            bodies.add("91" + Hex.u8(tag));
            bodies.add("91" + Hex.u8(tag) + Hex.of(tail));
            bodies.add("90" + Hex.u8(tag) + Hex.of(tail));
        }
        return bodies;
    }

    static String exception(String className, String message) {
        return "90" + object(className, "detailMessage", chunks(message));
    }

    /** A Hessian text of any length. */
    static String chunks(String text) {
        int most = 0x8000;
        StringBuilder digits = new StringBuilder();
        int at = 0;
        while (text.length() - at > most) {
            digits.append("52").append(Hex.u16(most)).append(Hex.text(text.substring(at, at + most)));
            at += most;
        }
        return digits.append(DubboFrame.text(text.substring(at))).toString();
    }
}
