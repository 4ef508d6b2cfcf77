package io.dubbomesh.testsupport.random;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The inputs that fuzzing starts from and every build reads again: a text file for each target with a line for each
 * input, its name, a blank and its bytes, printable ASCII as it is and anything else as a backslash and two hexadecimal
 * digits.
 */
public final class FuzzCorpus {
    private static final int NAME_BYTES = 6;
    private static final int LONG = 64 * 1024;
    /** They take much longer to be read than others. */
    private static final int MAX_LENGTHENED = 64;

    private static final int MAX_LAST = 8;

    private FuzzCorpus() {}

    /**
     * {@code unpack FILE DIRECTORY} writes each input to a file of its own; {@code lengthen FILE DIRECTORY} some of
     * them, of which a part is repeated until they are 64 KiB long; {@code append FILE INPUT...} adds those that are
     * new.
     */
    public static void main(String... args) throws IOException {
        Path file = Path.of(args[1]);
        List<Path> others = List.of(args).stream().skip(2).map(Path::of).toList();
        switch (args[0]) {
            case "unpack" -> {
                Files.createDirectories(others.get(0));
                for (Map.Entry<String, byte[]> input : read(file).entrySet()) {
                    Files.write(others.get(0).resolve(input.getKey()), input.getValue());
                }
            }
            case "lengthen" -> {
                Files.createDirectories(others.get(0));
                for (byte[] input : lengthened(List.copyOf(read(file).values()))) {
                    Files.write(others.get(0).resolve(nameOf(input)), input);
                }
            }
            case "append" -> {
                Map<String, byte[]> inputs = read(file);
                for (Path other : others) {
                    byte[] bytes = Files.readAllBytes(other);
                    inputs.putIfAbsent(nameOf(bytes), bytes);
                }
                write(file, inputs);
            }
            default -> throw new IllegalArgumentException(args[0] + " (expected: unpack, lengthen or append)");
        }
    }

    /** Reads the inputs by name, in the order of the file. */
    public static Map<String, byte[]> read(Path file) throws IOException {
        Map<String, byte[]> inputs = new LinkedHashMap<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file, US_ASCII)) {
                int blank = line.indexOf(' ');
                inputs.put(line.substring(0, blank), bytes(line.substring(blank + 1)));
            }
        }
        return inputs;
    }

    /** Each by another part: all of it, its last bytes, or any. */
    private static List<byte[]> lengthened(List<byte[]> inputs) {
        List<byte[]> all = new ArrayList<>();
        int step = inputs.size() / MAX_LENGTHENED + 1;
        for (int i = 0; i < inputs.size(); i += step) {
            byte[] input = inputs.get(i);
            Random random = new Random(Arrays.hashCode(input));
            if (input.length > 0) {
                switch (i / step % 3) {
                    case 0 -> all.add(lengthened(input, 0, input.length));
                    case 1 ->
                        all.add(lengthened(
                                input,
                                input.length - 1 - random.nextInt(Math.min(MAX_LAST, input.length)),
                                input.length));
                    default -> {
                        int start = random.nextInt(input.length);
                        all.add(lengthened(input, start, start + 1 + random.nextInt(input.length - start)));
                    }
                }
            }
        }
        return all;
    }

    /** Repeats {@code input[start, end)} in its place. */
    private static byte[] lengthened(byte[] input, int start, int end) {
        byte[] bytes = Arrays.copyOf(input, Math.max(input.length, LONG));
        int tail = input.length - end;
        for (int at = end; at < bytes.length - tail; at++) {
            bytes[at] = bytes[at - (end - start)];
        }
        System.arraycopy(input, end, bytes, bytes.length - tail, tail);
        return bytes;
    }

    private static void write(Path file, Map<String, byte[]> inputs) throws IOException {
        StringBuilder lines = new StringBuilder();
        inputs.forEach((name, bytes) ->
                lines.append(name).append(' ').append(text(bytes)).append('\n'));
        Files.writeString(file, lines, US_ASCII);
    }

    public static String nameOf(byte[] input) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(input);
            return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String text(byte[] input) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < input.length; i++) {
            byte b = input[i];
            // Editors remove blanks at the end of a line.
            boolean plain = b > ' ' && b < 0x7f && b != '\\' || b == ' ' && i < input.length - 1;
            text.append(plain ? String.valueOf((char) b) : "\\" + HexFormat.of().toHexDigits(b));
        }
        return text.toString();
    }

    public static byte[] bytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else {
                bytes.write(text.charAt(i));
            }
        }
        return bytes.toByteArray();
    }
}
