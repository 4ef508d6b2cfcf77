package io.dubbomesh.testsupport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The inputs that fuzzing starts from and every build reads again: a text file for each target with a line for each input, its name, a
 * blank and its bytes, printable ASCII as it is and anything else as a backslash and two hexadecimal digits.
 */
public final class FuzzCorpus {
    private static final int NAME_BYTES = 6;

    private FuzzCorpus() {}

    /** {@code unpack FILE DIRECTORY} writes each input to a file of its own; {@code append FILE INPUT...} adds those that are new. */
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
            case "append" -> {
                Map<String, byte[]> inputs = read(file);
                for (Path other : others) {
                    byte[] bytes = Files.readAllBytes(other);
                    inputs.putIfAbsent(nameOf(bytes), bytes);
                }
                write(file, inputs);
            }
            default -> throw new IllegalArgumentException(args[0] + " (expected: unpack or append)");
        }
    }

    /** By name, in the order of the file. */
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
