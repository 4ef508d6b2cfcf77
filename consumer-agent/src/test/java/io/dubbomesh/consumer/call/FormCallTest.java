package io.dubbomesh.consumer.call;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.testsupport.random.RandomValues;
import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FormCallTest {
    private static final String NAMES = "interface=com.example.Greeter&method=greet&parameterTypesString=";
    private static final String HELLO = NAMES + "Ljava%2Flang%2FString%3B&parameter=hello";

    private final FormCall form = new FormCall(32);

    private FormCall parsed(String body) throws CallException {
        return parsed(RequestFeed.bytes(body));
    }

    /** Parses a body in the middle of a buffer, between bytes that would mean something. */
    private FormCall parsed(byte[] body) throws CallException {
        ByteBuf in = Unpooled.wrappedBuffer("%&".getBytes(UTF_8), body, "%+&a=b".getBytes(UTF_8));
        form.parse(Unpooled.copiedBuffer(in), 2, body.length);
        return form;
    }

    private List<String> arguments() throws CallException {
        ByteBuf out = Unpooled.buffer().writeByte('>');
        form.writeArguments(out);
        assertThat(out.readByte()).isEqualTo((byte) '>');
        List<String> texts = new ArrayList<>();
        while (out.isReadable()) {
            texts.add(out.readCharSequence(out.readInt(), UTF_8).toString());
        }
        assertThat(texts).hasSize(form.parameterCount());
        return texts;
    }

    private void assertRefused(String body, String detail) {
        assertThatExceptionOfType(CallException.class)
                .isThrownBy(() -> parsed(body))
                .withMessage("form: " + detail)
                .extracting(CallException::outcome)
                .isEqualTo(Outcome.BAD_REQUEST);
    }

    @Test
    void theCallOfTheBenchmarkIsRead() throws CallException {
        parsed("interface=com.alibaba.dubbo.performance.demo.provider.IHelloService&method=hash"
                + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=dGhl");
        assertThat(form.names().decode())
                .isEqualTo(new MethodName(
                        "com.alibaba.dubbo.performance.demo.provider.IHelloService",
                        "hash",
                        "Ljava/lang/String;",
                        "",
                        ""));
        assertThat(arguments()).containsExactly("dGhl");
    }

    @Test
    void eachParameterIsWrittenAsLengthAndText() throws CallException {
        parsed(NAMES + "&parameter=a%3D&parameter=&parameter=bc");
        ByteBuf out = Unpooled.buffer();
        form.writeArguments(out);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        assertThat(bytes).containsExactly(0, 0, 0, 2, 'a', '=', 0, 0, 0, 0, 0, 0, 0, 2, 'b', 'c');
    }

    @Test
    void fieldsComeInAnyOrderAndParametersInTheirs() throws CallException {
        parsed("parameter=1&group=g&parameter=2&parameterTypesString=II&version=1.0&method=m&parameter=3&interface=i&");
        assertThat(form.names().decode()).isEqualTo(new MethodName("i", "m", "II", "1.0", "g"));
        assertThat(form.parameterCount()).isEqualTo(3);
        assertThat(arguments()).containsExactly("1", "2", "3");
    }

    @Test
    void nothingOfAFormIsLeftForTheNext() throws CallException {
        parsed(HELLO + "&version=1&group=g&parameter=b");
        parsed("interface=a&method=b&parameterTypesString=");
        assertThat(form.names().decode()).isEqualTo(new MethodName("a", "b", "", "", ""));
        assertThat(form.parameterCount()).isZero();
        assertThat(arguments()).isEmpty();
    }

    @Test
    void namesOfFieldsAreDecoded() throws CallException {
        parsed("%69nterface=i&m%65thod=m&parameter%54ypesString=&%70%61%72%61%6D%65%74%65%72=a");
        assertThat(form.names().decode()).isEqualTo(new MethodName("i", "m", "", "", ""));
        assertThat(arguments()).containsExactly("a");
        assertRefused("%zz=a&" + HELLO, "a field's name: a % without two hexadecimal digits");
        assertRefused("%C3=a&" + HELLO, "a field's name: not UTF-8");
    }

    @Test
    void unknownFieldsAreIgnored() throws CallException {
        parsed("a=b&" + HELLO + "&Method=x&methods=%zz&metho=\u00e4&&=x&interfacf=y&" + "n".repeat(1000) + "&%"
                + "n".repeat(70) + "&parameters=z&grouq=1&versiom=1&parameterTypesStrinh=1");
        assertThat(form.names().decode())
                .isEqualTo(new MethodName("com.example.Greeter", "greet", "Ljava/lang/String;", "", ""));
        assertThat(arguments()).containsExactly("hello");
    }

    @Test
    void aValueMayHaveEqualsSignsAndAFieldNone() throws CallException {
        parsed(NAMES + "&parameter=a=b==&parameter&parameter");
        assertThat(arguments()).containsExactly("a=b==", "", "");
    }

    @Test
    void theFieldThatIsMissingEmptyOrGivenTwiceIsNamed() {
        assertRefused("", "interface is missing");
        assertRefused("n".repeat(1 << 20), "interface is missing");
        assertRefused("method=m&parameterTypesString=", "interface is missing");
        assertRefused("interface=i&parameterTypesString=", "method is missing");
        assertRefused("interface=i&method=m", "parameterTypesString is missing");
        assertRefused("interface&method=m&parameterTypesString=", "interface is empty");
        assertRefused("interface=i&method=&parameterTypesString=", "method is empty");
        assertRefused(HELLO + "&interface=i", "interface is given twice");
        assertRefused(HELLO + "&method=i", "method is given twice");
        assertRefused(HELLO + "&parameterTypesString=", "parameterTypesString is given twice");
        assertRefused(HELLO + "&version=&version=", "version is given twice");
        assertRefused(HELLO + "&group&group=b", "group is given twice");
        assertRefused(HELLO + "&%67roup&group", "group is given twice");
    }

    @Test
    void upTo32FieldsAreAccepted() throws CallException {
        assertThat(parsed(NAMES + "&parameter=a".repeat(29)).parameterCount()).isEqualTo(29);
        assertRefused(NAMES + "&parameter=a".repeat(30), "more than 32 fields");
        assertRefused("a=&".repeat(100_000), "more than 32 fields");
        assertRefused("&".repeat(100_000), "more than 32 fields");
        assertRefused("parameter&".repeat(33), "more than 32 fields");
    }

    @Test
    void theBadlyEncodedFieldIsNamed() throws CallException {
        assertMisspelt(HELLO.replace("greet", "gr%e"), "method: a % without two hexadecimal digits");
        assertMisspelt(HELLO.replace("Greeter", "%C0%80"), "interface: not UTF-8");
        assertMisspelt(HELLO.replace("%2F", "%2"), "parameterTypesString: a % without two hexadecimal digits");
        assertMisspelt(HELLO + "&version=%ff", "version: not UTF-8");
        assertMisspelt(HELLO + "&group=\u00e4", "group: not UTF-8");
        assertMisspelt(HELLO + "&group=a%0Ab", "group: a control character");
        assertMisspelt(HELLO + "&group=" + "a".repeat(0x10000), "group: 65536 bytes (expected: at most 65535)");
    }

    private void assertMisspelt(String body, String detail) throws CallException {
        parsed(body);
        assertThatExceptionOfType(CallException.class)
                .isThrownBy(form.names()::decode)
                .withMessage("form: " + detail)
                .extracting(CallException::outcome)
                .isEqualTo(Outcome.BAD_REQUEST);
    }

    @Test
    void theBadlyEncodedParameterIsNamedAndNothingIsWritten() throws CallException {
        parsed(NAMES + "&parameter=fine&parameter=%C3%A4&parameter=%E4");
        ByteBuf out = Unpooled.buffer().writeInt(1);
        assertThatExceptionOfType(CallException.class)
                .isThrownBy(() -> form.writeArguments(out))
                .withMessage("form: parameter 3: not UTF-8");
        assertThat(out.writerIndex()).isEqualTo(Integer.BYTES);
    }

    @Test
    void namesAreComparedAsTheyAreWritten() throws CallException {
        byte[] key = parsed(HELLO + "&version=1").names().rawKey();
        long hash = form.names().hash(42);
        assertThat(form.names().areEqual(key)).isTrue();

        assertThat(parsed("version=1&" + HELLO + "more&x=y").names().areEqual(key))
                .isTrue();
        assertThat(form.names().hash(42)).isEqualTo(hash);
        assertThat(form.names().hash(43)).isNotEqualTo(hash);
        assertThat(parsed(HELLO).names().areEqual(key)).isFalse();
        assertThat(parsed(HELLO + "&version=1.").names().areEqual(key)).isFalse();
        assertThat(parsed(HELLO + "&group=1").names().areEqual(key)).isFalse();
        assertThat(parsed(HELLO.replace("%2F", "/") + "&version=1").names().areEqual(key))
                .isFalse();
        assertThat(parsed(HELLO + "&version=1").names().areEqual(new byte[0])).isFalse();
    }

    @Test
    void absentAndEmptyAreTheSame() throws CallException {
        byte[] key = parsed(HELLO).names().rawKey();
        long hash = form.names().hash(1);
        assertThat(parsed(HELLO + "&version&group=").names().areEqual(key)).isTrue();
        assertThat(form.names().hash(1)).isEqualTo(hash);
    }

    @Test
    void similarNamesAreScattered() throws CallException {
        long seed = new Random(7).nextLong();
        Set<Long> hashes = new HashSet<>();
        Set<Long> low = new HashSet<>();
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            parsed("interface=com.example.S" + i % 100 + "&method=m" + i / 100 + "&parameterTypesString=I");
            hashes.add(form.names().hash(seed));
            low.add(form.names().hash(seed) & 0xfffff);
        }
        assertThat(hashes).hasSize(count);
        // 20,000 of 2^20 at random leave about 190 doubles.
        assertThat(low).hasSizeGreaterThan(count - 400);
    }

    /** Without a secret in the step, a flipped high bit would come out at a known place and could be taken back. */
    @Test
    void namesThatDifferInHighBitsAreScattered() throws CallException {
        Set<Long> hashes = new HashSet<>();
        for (int bits = 0; bits < 1 << 16; bits++) {
            byte[] body = (NAMES + "&group=0123456789abcdef").getBytes(UTF_8);
            for (int i = 0; i < 16; i++) {
                body[body.length - 16 + i] ^= (byte) ((bits >> i & 1) << 7);
            }
            hashes.add(parsed(body).names().hash(99));
        }
        assertThat(hashes).hasSize(1 << 16);
    }

    @Test
    void namesHashAndCompareLikeTheirKey() {
        Tries.run(2000, random -> {
            List<String> some = names(random);
            List<String> others = random.oneIn(3) ? new ArrayList<>(some) : names(random);
            if (random.anyBoolean()) {
                others.set(random.random().nextInt(others.size()), name(random));
            }
            byte[] key = parsed(body(some)).names().rawKey();
            long hash = form.names().hash(5);
            parsed(body(others));
            boolean same = some.equals(others);
            assertThat(form.names().areEqual(key)).isEqualTo(same);
            assertThat(form.names().hash(5) == hash).isEqualTo(same);
        });
    }

    private static List<String> names(RandomValues random) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            names.add(name(random));
        }
        return names;
    }

    private static String name(RandomValues random) {
        return random.pick("a", "b", "ab", "1234567", "12345678", "123456789", "1234567890abcdef", "1234567890abcdeg");
    }

    private static String body(List<String> names) {
        return "group=" + names.get(0) + "&method=" + names.get(1) + "&version=" + names.get(2) + "&interface="
                + names.get(3) + "&parameterTypesString=" + names.get(4);
    }

    @Test
    void anyParametersArriveAsTheyWereSent() {
        Tries.run(2000, random -> {
            List<String> texts = random.list(
                    10,
                    () -> random.joined(
                            40,
                            "a",
                            "0123456789",
                            "-",
                            "&",
                            "=",
                            "%",
                            "+",
                            " ",
                            "\0",
                            "\u00e4",
                            "\u00ff",
                            "\u4f60",
                            "\ud83d\ude00",
                            "\uffff"));
            StringBuilder body = new StringBuilder(NAMES);
            for (String text : texts) {
                body.append("&parameter=").append(URLEncoder.encode(text, UTF_8));
            }
            parsed(body.toString());
            assertThat(arguments()).isEqualTo(texts);
            body.append('&');
            parsed(body.toString().replace("%C3", "\u00c3").replace("%20", "+"));
            assertThat(arguments()).isEqualTo(texts);
        });
    }

    @Test
    void anyBytesEndWithTheDeclaredExceptionAtWorst() {
        Tries.run(5000, random -> {
            try {
                parsed(RequestFeed.bytes(String.join("", random.list(40, () -> part(random)))));
                byte[] key = form.names().rawKey();
                assertThat(form.names().areEqual(key)).isTrue();
                form.names().hash(3);
                form.names();
                form.writeArguments(Unpooled.buffer(0));
            } catch (CallException e) {
                assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST);
            }
        });
    }

    private static String part(RandomValues random) {
        return random.oneIn(4)
                ? random.chars(9, '\0', '\u00ff')
                : random.pick(
                        "interface",
                        "method",
                        "parameterTypesString",
                        "version",
                        "group",
                        "parameter",
                        "=",
                        "=",
                        "=",
                        "&",
                        "&",
                        "&",
                        "%",
                        "%41",
                        "+",
                        "a",
                        "interface=a&method=b&parameterTypesString=&");
    }
}
