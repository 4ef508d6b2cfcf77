package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MeshBodiesTest {
    private static final HelloCredentials K = HelloCredentials.of(new byte[] {'k'});
    private static final String HELLO_HEADER = "d3e50101" + "00000000" + "0000000000000000" + "00000000";

    @Test
    void aHelloOffersVersionOneItsLimitItsTableAndCredentials() {
        ByteBuf out = Unpooled.buffer();
        FrameWriter.hello(out, new Hello(1, 180, 4096, K));

        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo(HELLO_HEADER + "0000000d" + "01" + "01" + "000000b4" + "00001000" + "0001" + "6b");
    }

    @Test
    void aHelloOfAConsumerAgentHasItsIdAndItsFeaturesBehindTheCredentials() throws Exception {
        Hello hello = new Hello(1, 0, 0, K, 0x0123456789abcdefL, Hello.TAKES_LIMIT);
        ByteBuf out = Unpooled.buffer();
        FrameWriter.hello(out, hello);

        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo(HELLO_HEADER + "00000019" + "01" + "01" + "00000000" + "00000000" + "0001" + "6b"
                        + "0123456789abcdef" + "00000001");
        assertThat(Hello.read(out, 0)).isEqualTo(hello);
    }

    @Test
    void aHelloOfAProviderAgentHasItsFeaturesBehindANumberThatIsNoAgents() throws Exception {
        Hello hello = new Hello(1, 180, 4096, HelloCredentials.NONE, 0, Hello.TELLS_TIMING);
        ByteBuf out = Unpooled.buffer();
        FrameWriter.hello(out, hello);

        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo(HELLO_HEADER + "00000018" + "01" + "01" + "000000b4" + "00001000" + "0000"
                        + "0000000000000000" + "00000002");
        assertThat(Hello.read(out, 0)).isEqualTo(hello);
    }

    @Test
    void aLimitIsAFrameOfFourBytes() {
        ByteBuf out = Unpooled.buffer();
        FrameWriter.limit(out, 180);

        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo("d3e50108" + "00000000" + "0000000000000000" + "00000000" + "00000004" + "000000b4");
    }

    @Test
    void theHighestCommonVersionOfAHelloIsTaken() throws Exception {
        ByteBuf in = bytes(HELLO_HEADER + "0000000e" + "03" + "020103" + "00000001" + "00000002" + "0000");

        assertThat(Hello.read(in, 0)).isEqualTo(new Hello(1, 1, 2, HelloCredentials.NONE));
    }

    @Test
    void aHelloWithoutACommonVersionSaysSo() throws Exception {
        assertThat(Hello.read(bytes(HELLO_HEADER + "0000000c" + "01" + "09" + "0000000100000002" + "0000"), 0)
                        .version())
                .isZero();
    }

    @Test
    void aHelloThatEndsTooEarlyIsMalformedWhereverItEnds() {
        String body = "01" + "01" + "000000b4" + "00001000" + "0001" + "6b";
        for (int length = 0; length < body.length() / 2; length++) {
            ByteBuf in = bytes(HELLO_HEADER + String.format("%08x", length) + body.substring(0, 2 * length));
            assertThatThrownBy(() -> Hello.read(in, 0))
                    .as("%d bytes", length)
                    .isInstanceOf(MalformedFrameException.class)
                    .hasMessageContaining("shorter than its fields");
        }
    }

    @Test
    void aNegativeLimitIsMalformed() {
        assertThatThrownBy(() ->
                        Hello.read(bytes(HELLO_HEADER + "0000000c" + "0101" + "ffffffff" + "00000001" + "0000"), 0))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("limit -1");
    }

    @Test
    void theNamesOfAMethodAreFiveFieldsWithSixteenBitLengths() {
        assertThat(ByteBufUtil.hexDump(MethodNames.encode(new MethodName("a.B", "m", "I", "1.0", "g"))))
                .isEqualTo("0003612e42" + "00016d" + "000149" + "0003312e30" + "000167");
    }

    @Test
    void namesAreReadAsTheyWereWritten() throws Exception {
        MethodName name = new MethodName("服务", "方法", "Ljava/lang/String;", "", "");
        byte[] encoded = MethodNames.encode(name);
        ByteBuf in = Unpooled.buffer().writeByte(9).writeBytes(encoded).writeByte(9);

        assertThat(MethodNames.read(in, 1, in.writerIndex())).isEqualTo(name);
        assertThat(MethodNames.length(in, 1, in.writerIndex())).isEqualTo(encoded.length);
    }

    @Test
    void theVersionThatMeansNoneIsNone() {
        assertThat(new MethodName("s", "m", "", "0.0.0", "")).isEqualTo(new MethodName("s", "m", "", "", ""));
    }

    @Test
    void namesThatReachBeyondTheirBodyAreMalformed() {
        byte[] encoded = MethodNames.encode(new MethodName("a.B", "m", "I", "1.0", "g"));
        for (int length = 0; length < encoded.length; length++) {
            int end = length;
            assertThatThrownBy(() -> MethodNames.read(Unpooled.wrappedBuffer(encoded), 0, end))
                    .isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void aRequestBodyHasItsPartsInThisOrder() throws Exception {
        String names = ByteBufUtil.hexDump(MethodNames.encode(new MethodName("a.B", "m", "I", "", "")));
        ByteBuf in = bytes("ee" + "00001388" + "0006" + "000161000162" + names + "0000000131");
        RequestBody body = new RequestBody();
        body.locate(in, 1, in.writerIndex(), true);

        assertThat(body.timeLeftMs()).isEqualTo(5000);
        assertThat(body.attachmentsOffset()).isEqualTo(7);
        assertThat(body.attachmentsLength()).isEqualTo(6);
        assertThat(MethodNames.read(in, body.namesOffset(), in.writerIndex()).service())
                .isEqualTo("a.B");
        assertThat(ByteBufUtil.hexDump(in, body.argumentsOffset(), body.argumentsLength()))
                .isEqualTo("0000000131");
    }

    @Test
    void aRequestBodyWithoutNamesHasItsArgumentsAfterTheAttachments() throws Exception {
        ByteBuf in = bytes("00000001" + "0000" + "0000000131");
        RequestBody body = new RequestBody();
        body.locate(in, 0, in.writerIndex(), false);

        assertThat(body.argumentsOffset()).isEqualTo(6);
        assertThat(body.argumentsLength()).isEqualTo(5);
    }

    @Test
    void aRequestBodyKnowsWhereItIs() throws Exception {
        ByteBuf in = bytes("ee" + "00000001" + "0000" + "31");
        RequestBody body = new RequestBody();
        body.locate(in, 1, in.writerIndex(), false);

        assertThat(body.buffer()).isSameAs(in);
        assertThat(body.offset()).isEqualTo(1);
        assertThat(body.length()).isEqualTo(7);
    }

    @Test
    void theShortestRequestBodyHasNeitherAttachmentsNorArguments() throws Exception {
        RequestBody body = new RequestBody();
        body.locate(bytes("ee" + "00000001" + "0000"), 1, 1 + RequestBody.MIN_LENGTH, false);
        assertThat(body.attachmentsLength()).isZero();
        assertThat(body.argumentsLength()).isZero();

        assertThatThrownBy(() -> body.locate(bytes("ee" + "00000001" + "00"), 1, 6, false))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("REQUEST: a body of 5 bytes (expected: 6 or more)");
    }

    @Test
    void attachmentsMayFillTheBodyAndNotReachBeyondIt() throws Exception {
        RequestBody body = new RequestBody();
        body.locate(bytes("00000001" + "0002" + "aabb"), 0, 8, false);
        assertThat(body.attachmentsLength()).isEqualTo(2);
        assertThat(body.argumentsLength()).isZero();

        assertThatThrownBy(() -> body.locate(bytes("00000001" + "0003" + "aabb"), 0, 8, false))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("attachments");
    }

    @Test
    void aHelloMayBeEmptyButForItsFixedFields() throws Exception {
        ByteBuf in = bytes(HELLO_HEADER + "0000000b" + "00" + "00000000" + "00000000" + "0000");
        assertThat(Hello.read(in, 0)).isEqualTo(new Hello(0, 0, 0, HelloCredentials.NONE));
    }

    @Test
    void credentialsHaveAtMostFourKibibytes() throws Exception {
        Hello longest = new Hello(1, 1, 1, HelloCredentials.of(new byte[4096]));
        ByteBuf out = Unpooled.buffer();
        FrameWriter.hello(out, longest);
        assertThat(Hello.read(out, 0)).isEqualTo(longest);

        assertThatThrownBy(() -> HelloCredentials.of(new byte[4097]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("credentials: 4097 bytes (expected: at most 4096)");
        ByteBuf tooLong = Unpooled.buffer()
                .writeBytes(bytes(HELLO_HEADER + "0000100c" + "01" + "01" + "00000001" + "00000001" + "1001"))
                .writeZero(4097);
        assertThatThrownBy(() -> Hello.read(tooLong, 0)).isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void aNegativeTableSizeIsMalformed() {
        assertThatThrownBy(() ->
                        Hello.read(bytes(HELLO_HEADER + "0000000c" + "0101" + "00000001" + "ffffffff" + "0000"), 0))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("table size -1");
    }

    @Test
    void aNameHasAtMost65535Bytes() throws Exception {
        MethodName longest = new MethodName("s".repeat(65_535), "m", "", "", "");
        byte[] encoded = MethodNames.encode(longest);
        ByteBuf in = Unpooled.wrappedBuffer(encoded);
        assertThat(MethodNames.read(in, 0, encoded.length)).isEqualTo(longest);
        assertThat(ByteBufUtil.hexDump(in, 0, 3)).isEqualTo("ffff73");

        assertThatThrownBy(() -> MethodNames.encode(new MethodName("s".repeat(65_536), "m", "", "", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a name of 65536 bytes (expected: at most 65535)");
    }

    @Test
    void namesMayEndWithTheirBody() throws Exception {
        byte[] encoded = MethodNames.encode(new MethodName("", "", "", "", ""));
        assertThat(encoded).hasSize(10);
        assertThat(MethodNames.length(Unpooled.wrappedBuffer(encoded), 0, encoded.length))
                .isEqualTo(10);
    }

    @Test
    void aTableHasAKibibyteForEachOfItsIds() {
        assertThat(MethodNames.maxTableBytes(4096)).isEqualTo(4L * 1024 * 1024);
    }

    @Test
    void randomBytesAreMalformedOrReadButNothingElse() {
        Random random = new Random(20181);
        RequestBody body = new RequestBody();
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(80)];
            random.nextBytes(bytes);
            ByteBuf in = Unpooled.wrappedBuffer(bytes);
            try {
                body.locate(in, 0, bytes.length, random.nextBoolean());
                assertThat(body.argumentsLength()).isNotNegative();
                MethodNames.read(in, 0, bytes.length);
            } catch (MalformedFrameException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    }
}
