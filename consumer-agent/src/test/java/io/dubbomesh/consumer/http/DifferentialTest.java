package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.http.ParsedRequests.Parsed;
import io.dubbomesh.testsupport.random.FuzzCorpus;
import io.dubbomesh.testsupport.random.RandomValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares our parser with those of other programs for the same requests: Netty's, h11 and llhttp, which is Node's. The
 * others take less of what RFC 9112 allows:
 *
 * <ul>
 *   <li>h11: no empty line before a request, no blank before the semicolon of an extension;
 *   <li>llhttp: no blanks within extensions, no methods but those that it knows, no body of CONNECT, no tab after
 *       chunked, no HTTP/1.2 to 1.9, nothing after a trailer {@code Connection: close};
 *   <li>Netty: no bytes beyond ASCII in an extension's quoted value.
 * </ul>
 */
@Timeout(120)
class DifferentialTest {
    /** More of them, {@code -Ddifferential.mutations=100000}, are other ones. */
    private static final int MUTATIONS = Integer.getInteger("differential.mutations", 4000);

    private static final int MOST_SHOWN = 20;
    private static final Path RESULTS = Path.of("target/differential");

    private static final List<String> PIECES = List.of(
            "\r\n",
            "\r",
            "\n",
            " ",
            "\t",
            ":",
            ";",
            ",",
            "\0",
            "\u00e4",
            "%",
            "0",
            "1",
            "a",
            "\"",
            "=",
            "chunked",
            "\r\n\r\n",
            "Content-Length: 1\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Host: b\r\n",
            "0\r\n\r\n",
            "GET / HTTP/1.1\r\n",
            "HTTP/1.0",
            "http://b",
            "Connection: close\r\n",
            "X: y\r\n z\r\n",
            "+",
            "-",
            "_",
            "0x",
            "\u000b",
            "\u007f");

    /** The methods that llhttp knows for requests of HTTP. */
    private static final Set<String> METHODS_OF_LLHTTP = Set.of(
            "DELETE",
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "CONNECT",
            "OPTIONS",
            "TRACE",
            "COPY",
            "LOCK",
            "MKCOL",
            "MOVE",
            "PROPFIND",
            "PROPPATCH",
            "SEARCH",
            "UNLOCK",
            "BIND",
            "REBIND",
            "UNBIND",
            "ACL",
            "REPORT",
            "MKACTIVITY",
            "CHECKOUT",
            "MERGE",
            "M-SEARCH",
            "NOTIFY",
            "SUBSCRIBE",
            "UNSUBSCRIBE",
            "PATCH",
            "PURGE",
            "MKCALENDAR",
            "LINK",
            "UNLINK",
            "SOURCE",
            "QUERY");

    private static final Pattern BLANK_BEFORE_EXTENSION = Pattern.compile("\r\n[0-9A-Fa-f]+[ \t]+;");
    private static final Pattern BLANK_IN_EXTENSION =
            Pattern.compile("\r\n[0-9A-Fa-f]+[ \t]*;[^\r]*([ \t][;=]|[;=][ \t])|\r\n[0-9A-Fa-f]+([ \t]+;|;[ \t])");
    private static final Pattern NOT_ASCII_IN_EXTENSION = Pattern.compile("\r\n[0-9A-Fa-f]+;[^\r]*[\u0080-\u00ff]");
    private static final Pattern TAB_BEHIND_CODING = Pattern.compile("(?i)chunked *\t");
    private static final Pattern OTHER_MINOR_VERSION = Pattern.compile(" HTTP/1\\.[2-9]\r\n");

    private static final Pattern CONNECTION_IN_TRAILERS = Pattern.compile("(?is)\r\n0+[^\r]*\r\n.*connection:");

    /**
     * @param request the one that the other has not, or has otherwise; null if it is the other that has more
     * @param taken   what the other takes in its place; null if it refuses the request
     * @param before  the one before it; null if it is the first
     */
    private record Difference(String parser, byte[] input, Parsed request, Parsed taken, Parsed before, String text) {
        private boolean has(Pattern pattern) {
            return pattern.matcher(request.raw()).find();
        }

        /**
         * Returns whether it is one of those that the class comment lists: a request that the other refuses, never one
         * that it reads otherwise, but for CONNECT.
         */
        private boolean isExplained() {
            return request != null && (taken == null ? isRefusedForAReason() : isTunnel());
        }

        /** Returns whether the method is CONNECT, behind which all belongs to the tunnel, for llhttp. */
        private boolean isTunnel() {
            return parser.equals("llhttp")
                    && request.method().equals("CONNECT")
                    && taken.isSameAs(new Parsed("CONNECT", request.target(), "", ""));
        }

        private boolean isRefusedForAReason() {
            return switch (parser) {
                case "h11" -> request.raw().startsWith("\r\n") || has(BLANK_BEFORE_EXTENSION);
                case "llhttp" ->
                    !METHODS_OF_LLHTTP.contains(request.method())
                            || request.method().equals("CONNECT")
                            || before != null
                                    && CONNECTION_IN_TRAILERS
                                            .matcher(before.raw())
                                            .find()
                            || has(TAB_BEHIND_CODING)
                            || has(OTHER_MINOR_VERSION)
                            || has(BLANK_IN_EXTENSION);
                default -> has(NOT_ASCII_IN_EXTENSION);
            };
        }

        @Override
        public String toString() {
            return parser + ": " + text + "\n    " + FuzzCorpus.text(input);
        }
    }

    @Test
    void otherParsersTakeTheSameRequests() throws Exception {
        List<byte[]> inputs = inputs();
        List<String> lines = others(inputs);
        assertThat(lines).hasSameSizeAs(inputs);
        List<Difference> found = new ArrayList<>();
        int taken = 0;
        for (int i = 0; i < inputs.size(); i++) {
            byte[] input = inputs.get(i);
            ParsedRequests ours = ParsedRequests.ours(input);
            taken += ours.requests().size();
            String[] both = lines.get(i).split(" ");
            compare("Netty", input, ours, ParsedRequests.netty(input), found);
            compare("h11", input, ours, ParsedRequests.parse(both[0]), found);
            compare("llhttp", input, ours, ParsedRequests.parse(both[1]), found);
        }
        assertThat(taken).as("requests that were compared").isGreaterThan(inputs.size() / 8);
        List<Difference> unexplained =
                found.stream().filter(difference -> !difference.isExplained()).toList();
        Files.write(
                RESULTS.resolve("differences.txt"),
                found.stream().map(Difference::toString).toList());
        assertThat(unexplained.subList(0, Math.min(MOST_SHOWN, unexplained.size())))
                .as(unexplained.size() + " differences")
                .isEmpty();
    }

    private static void compare(
            String parser, byte[] input, ParsedRequests ours, ParsedRequests other, List<Difference> found) {
        String text = ours.differenceFrom(other);
        if (text != null) {
            int first = ours.firstThatDiffersFrom(other);
            Parsed request = first < ours.requests().size() ? ours.requests().get(first) : null;
            Parsed before = first > 0 ? ours.requests().get(first - 1) : null;
            Parsed taken = first < other.requests().size() ? other.requests().get(first) : null;
            found.add(new Difference(parser, input, request, taken, before, text));
        }
    }

    /** The corpus, and mutations of it. */
    private static List<byte[]> inputs() throws Exception {
        List<byte[]> inputs = new ArrayList<>(FuzzCorpus.read(Path.of(
                        DifferentialTest.class.getResource("/fuzz/http.txt").toURI()))
                .values());
        List<byte[]> corpus = List.copyOf(inputs);
        List<byte[]> good = corpus.stream()
                .filter(input -> !ParsedRequests.ours(input).requests().isEmpty())
                .toList();
        for (int i = 0; i < MUTATIONS; i++) {
            RandomValues random = new RandomValues((long) MUTATIONS << Integer.SIZE | i);
            inputs.add(mutated(random.oneIn(4) ? corpus : good, random));
        }
        return inputs;
    }

    private static byte[] mutated(List<byte[]> corpus, RandomValues random) {
        StringBuilder text = new StringBuilder(new String(random.pick(corpus), ISO_8859_1));
        for (int count = random.between(1, 2); count > 0; count--) {
            int at = random.between(0, text.length());
            int end = Math.min(text.length(), at + random.between(0, 3));
            switch (random.between(0, 3)) {
                case 0 -> text.insert(at, random.pick(PIECES));
                case 1 -> text.replace(at, end, random.pick(PIECES));
                case 2 -> text.delete(at, end);
                default -> {
                    String other = new String(random.pick(corpus), ISO_8859_1);
                    text.replace(at, text.length(), other.substring(random.between(0, other.length())));
                }
            }
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    /** A line of {@code parsers.py} for each input. */
    private static List<String> others(List<byte[]> inputs) throws Exception {
        Path python = RESULTS.resolve("venv/bin/python3").toAbsolutePath();
        Path requirements = resource("requirements.txt");
        Path installed = RESULTS.resolve("installed.txt");
        if (!Files.exists(installed) || Files.mismatch(requirements, installed) >= 0) {
            Files.createDirectories(RESULTS);
            run(
                    List.of(),
                    "python3",
                    "-m",
                    "venv",
                    "--clear",
                    RESULTS.resolve("venv").toString());
            run(
                    List.of(),
                    python.toString(),
                    "-m",
                    "pip",
                    "install",
                    "-q",
                    "--disable-pip-version-check",
                    "--require-hashes",
                    "-r",
                    requirements.toString());
            Files.copy(requirements, installed, StandardCopyOption.REPLACE_EXISTING);
        }
        return run(inputs, python.toString(), resource("parsers.py").toString());
    }

    private static Path resource(String name) throws Exception {
        return Path.of(
                DifferentialTest.class.getResource("/differential/" + name).toURI());
    }

    /** The lines that a program writes. */
    private static List<String> run(List<byte[]> inputs, String... command) throws IOException, InterruptedException {
        Path in = RESULTS.resolve("inputs");
        Path out = RESULTS.resolve("results.txt");
        try (DataOutputStream data = new DataOutputStream(Files.newOutputStream(in))) {
            for (byte[] input : inputs) {
                data.writeInt(input.length);
                data.write(input);
            }
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS))
                    .as("%s has ended", (Object) command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as("%s\n%s", String.join(" ", command), Files.readString(out))
                .isZero();
        return Files.readAllLines(out);
    }
}
