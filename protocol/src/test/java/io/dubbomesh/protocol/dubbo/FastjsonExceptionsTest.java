package io.dubbomesh.protocol.dubbo;

import com.alibaba.fastjson.JSON;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.jsonb.Fastjson2;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Exceptions of the service in fastjson, and in fastjson2. */
class FastjsonExceptionsTest {
    /** Returns the document about the exception. */
    private static String document(Serialization serialization, ByteBuf body, boolean stacks) {
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, serialization.id(), DubboStatus.OK, 7, body.readableBytes());
        in.writeBytes(body.duplicate());
        ByteBuf out = Unpooled.buffer();
        Outcome outcome = new DubboResponseReader(1 << 20, stacks, serialization)
                .read(in, 0, ResultFormat.of(true, false, false), out);
        String document = out.skipBytes(out.readUnsignedShort()).toString(UTF_8);
        assertThat(outcome).as(document).isEqualTo(Outcome.SERVICE_EXCEPTION);
        return document.substring(document.indexOf("\"exceptionClass\"") - 1).replace('"', '\'');
    }

    private static String fastjson(String exception, boolean stacks) {
        return document(
                Serialization.FASTJSON,
                Unpooled.copiedBuffer("0\n" + exception.replace('\'', '"') + "\n", UTF_8),
                stacks);
    }

    private static String fastjson2(String exception, boolean stacks) {
        ByteBuf value = Hex.buffer(exception);
        ByteBuf body =
                Hex.buffer("00000002 bd00").writeInt(value.readableBytes()).writeBytes(value);
        return document(Serialization.FASTJSON2, body, stacks);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'@type':'a.B','message':'m'}",
                "{'message':'m','@type':'a.B'}",
                "{'@type':'a.B','cause':{'$ref':'@'},'localizedMessage':'x','message':'m'}",
                "{'@type':'a.B','cause':null,'suppressed':{1:[{2:3}]},'message':'m','stackTrace':[]}",
                "{'@type':'c.GenericException','exceptionClass':'a.B','exceptionMessage':'m','message':'all of it'}"
            })
    void classAndMessageAreReportedWhateverElseFastjsonHas(String exception) {
        assertThat(fastjson(exception, false)).isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m'}");
        assertThat(fastjson(exception, true)).isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m'}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "92 4c'a.B' 00 a6 7f 56'detailMessage' 01 4a'm' a5",
                "92 4c'a.B' 00 a6 7f 53'suppressed' 01 95 a6 01 02 a5 7f 56'detailMessage' 02 4a'm' 7f 4e'cause' 03 93 4b'..' a5",
                "92 4c'a.B' 00 a6 7f 4e'cause' 01 af 7f 53'stackTrace' 02 94 7f 56'detailMessage' 03 4a'm' a5",
                "92 5b'c.GenericException' 00 a6 7f 57'exceptionClass' 01 4c'a.B' 7f 56'detailMessage' 02 4b'no' 7f 59'exceptionMessage' 03 4a'm' a5"
            })
    void classAndMessageAreReportedWhateverElseFastjson2Has(String exception) {
        assertThat(fastjson2(exception, false)).isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m'}");
        assertThat(fastjson2(exception, true)).isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m'}");
    }

    @Test
    void theExceptionsOwnPropertiesAreReported() {
        assertThat(fastjson(
                        "{'@type':'a.B','codes':{1:[{2:3}]},'first':{'a':[1.50]},'message':'m','same':{'$ref':'$.first'},"
                                + "'up':{'$ref':'..'},'cause':{'@type':'a.C','message':'c','n':1}}",
                        false))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m','properties':{'codes':[[1,[[[2,3]]]]],"
                        + "'first':{'a':[1.50]},'same':{'a':[1.50]}},"
                        + "'causes':[{'class':'a.C','message':'c','properties':{'n':1}}]}");
        assertThat(fastjson2(
                        "92 4c'a.B' 00 a6 7f 4d'code' 01 95 a6 01 02 a5 7f 56'detailMessage' 02 4a'm'"
                                + "7f 4d'same' 03 93 4f'$.code' a5",
                        false))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m','properties':{'code':[[[1,2]]],"
                        + "'same':[[[1,2]]]}}");
    }

    @Test
    void aClassOrAMessageMayBeMissing() {
        assertThat(fastjson("{}", false)).isEqualTo(",'exceptionClass':'java.lang.Throwable','exceptionMessage':null}");
        assertThat(fastjson("{'@type':1,'message':2}", false))
                .isEqualTo(",'exceptionClass':'java.lang.Throwable','exceptionMessage':null}");
        assertThat(fastjson2("a6 a5", false))
                .isEqualTo(",'exceptionClass':'java.lang.Throwable','exceptionMessage':null}");
        assertThat(fastjson2("92 50'IOError' 00 a6 a5", false))
                .isEqualTo(",'exceptionClass':'java.lang.IOError','exceptionMessage':null}");
    }

    @Test
    void exceptionsThatTheLibrariesWriteAreReported() {
        Throwable thrown = new IllegalStateException(
                "outer \u4e2d", new IllegalArgumentException("middle", new NullPointerException()));
        thrown.addSuppressed(new ArithmeticException("aside"));
        String frame = thrown.getStackTrace()[0].toString();
        for (boolean stacks : new boolean[] {false, true}) {
            ByteBuf text = Unpooled.copiedBuffer("0\n" + JSON.toJSONString(thrown) + "\n", UTF_8);
            ByteBuf jsonb = Fastjson2.writeFramed((byte) 0, thrown);
            for (String document : new String[] {
                document(Serialization.FASTJSON, text, stacks), document(Serialization.FASTJSON2, jsonb, stacks)
            }) {
                assertThat(document)
                        .startsWith(
                                ",'exceptionClass':'java.lang.IllegalStateException','exceptionMessage':'outer \u4e2d','causes':["
                                        + "{'class':'java.lang.IllegalArgumentException','message':'middle'},"
                                        + "{'class':'java.lang.NullPointerException','message':null}]");
                assertThat(document.contains("'stack':['" + frame + "'")).isEqualTo(stacks);
            }
        }
    }

    private static final int LEVELS = 1 + ResponseBody.MAX_CAUSES;
    /** The properties of each level: as many as are looked at. */
    private static final int PROPERTIES = 64;

    private static final int LARGE = 4 << 20;
    private static final String LARGE_LIST = "[0" + ",0".repeat(LARGE / 2) + "]";

    /** The value is read as often as there are properties that are looked at, if each reads all of it. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void alongWithALargePropertyOthersThatAreReferencesAreWrittenByFastjson() {
        StringBuilder exception = new StringBuilder("{'@type':'a.B','large':" + LARGE_LIST + ",'n':[7]");
        for (int level = 0; level < LEVELS; level++) {
            for (int i = 0; i < PROPERTIES; i++) {
                exception.append(",'p").append(i).append("':{'$ref':'$.n'}");
            }
            exception.append(level < LEVELS - 1 ? ",'cause':{'@type':'a.C'" : "}".repeat(LEVELS));
        }
        assertThat(fastjson(exception.toString(), false))
                .startsWith(",'exceptionClass':'a.B','exceptionMessage':null,'properties':{'n':[7],'p0':[7],'p1':[7]")
                .contains("{'class':'a.C','message':null,'properties':{'p0':[7],'p1':[7]");
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void alongWithALargePropertyOthersThatAreReferencesAreWrittenByFastjson2() {
        ByteBuf in = Hex.buffer("92 4c'a.B' 00 a6 4e'large' a4 48");
        in.writeInt(LARGE).writeZero(LARGE);
        in.writeBytes(Hex.bytes("4a'n' 95 07"));
        for (int level = 0; level < LEVELS; level++) {
            for (int i = 0; i < PROPERTIES; i++) {
                in.writeBytes(Hex.bytes((i < 10 ? "4b" : "4c") + Hex.text("p" + i) + "93 4c'$.n'"));
            }
            in.writeBytes(Hex.bytes(level < LEVELS - 1 ? "4e'cause' a6" : "a5".repeat(LEVELS)));
        }
        assertThat(fastjson2(Hex.of(in), false))
                .startsWith(",'exceptionClass':'a.B','exceptionMessage':null,'properties':{'n':[7],'p0':[7],'p1':[7]")
                .contains("{'class':'java.lang.Throwable','message':null,'properties':{'p0':[7],'p1':[7]");
    }

    /** The walk through the value goes deeper than what reads the property that is too deep for it. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void referencesWithinAValueThatIsTooDeepAreLeftOutAndSoughtOnce() {
        StringBuilder exception = new StringBuilder(
                "{'@type':'a.B','large':" + LARGE_LIST + ",'n':7,'m':" + "[".repeat(256) + "]".repeat(256));
        for (int level = 0; level < LEVELS; level++) {
            for (int i = 0; i < PROPERTIES; i++) {
                exception.append(",'p").append(i).append("':{'$ref':'$.n'}");
            }
            exception.append(level < LEVELS - 1 ? ",'cause':{'@type':'a.C'" : "}".repeat(LEVELS));
        }
        assertThat(fastjson(exception.toString(), false))
                .startsWith(",'exceptionClass':'a.B','exceptionMessage':null,'properties':{'n':7,'m':[[")
                .doesNotContain("'p0'");
    }

    @Test
    void anExceptionHasOneCause() {
        assertThat(fastjson("{'@type':'a.B','cause':{'@type':'a.C'},'cause':{'@type':'a.D'},'message':'m'}", false))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m','causes':[{'class':'a.C','message':null}]}");
    }

    @Test
    void causesAreBounded() {
        Throwable thrown = new RuntimeException("0");
        for (int i = 1; i < 100; i++) {
            thrown = new RuntimeException(Integer.toString(i), thrown);
        }
        ByteBuf text = Unpooled.copiedBuffer("0\n" + JSON.toJSONString(thrown) + "\n", UTF_8);
        for (String document : new String[] {
            document(Serialization.FASTJSON, text, false),
            document(Serialization.FASTJSON2, Fastjson2.writeFramed((byte) 0, thrown), false)
        }) {
            assertThat(document.split("'message':")).hasSize(1 + ResponseBody.MAX_CAUSES);
        }
    }
}
