package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.UndeclaredThrowableException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class HessianExceptionsTest {
    private static final String FRAME =
            "'C' 1b'java.lang.StackTraceElement' 94" + "0e'declaringClass' 0a'methodName' 08'fileName' 0a'lineNumber'";

    /** Returns the document about the exception. */
    private static String document(ByteBuf body, boolean stacks) {
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, 2, 20, 7, body.readableBytes());
        in.writeBytes(body.duplicate());
        ByteBuf out = Unpooled.buffer();
        Outcome outcome = new DubboResponseReader(1 << 20, stacks, Serialization.HESSIAN2)
                .read(in, 0, ResultFormat.of(true, false, false), out);
        assertThat(outcome).isEqualTo(Outcome.SERVICE_EXCEPTION);
        String document = out.skipBytes(out.readUnsignedShort()).toString(UTF_8);
        return document.substring(document.indexOf("\"exceptionClass\"") - 1).replace('"', '\'');
    }

    private static String document(String body) {
        return document(Hex.buffer(body), false);
    }

    private static String document(Throwable thrown) {
        return document(HessianLite.write(0, thrown), false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "90 'C' 03'a.B' 92 0d'detailMessage' 05'cause' 60 01'm' 'N'",
                "90 'C' 03'a.B' 92 05'cause' 0d'detailMessage' 60 'N' 01'm'",
                "90 'C' 03'a.B' 92 05'cause' 0d'detailMessage' 60 'Q' 90 01'm'",
                "90 'C' 03'a.B' 93 14'suppressedExceptions' 05'cause' 0d'detailMessage' 60 79 90 'Q' 90 01'm'",
                "90 'C' 03'a.B' 92 05'cause' 0d'detailMessage' 'O' 90 01'?' 01'm'",
                "90 'C' 03'a.B' 91 0d'detailMessage' 60 01'm'",
                "93 'C' 03'a.B' 92 05'cause' 0d'detailMessage' 60 'Q' 90 01'm' 'H' 01'k' 01'v' 'Z'",
                "93 'C' 03'a.B' 92 05'cause' 0d'detailMessage' 60 'Q' 90 01'm' 'N'",
            })
    void classAndMessageAreReportedInAnyOrderOfTheFields(String body) {
        assertThat(document(body)).isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m'}");
    }

    @Test
    void aMessageMayBeMissingOrNotText() {
        assertThat(document("90 'C' 03'a.B' 90 60")).isEqualTo(",'exceptionClass':'a.B','exceptionMessage':null}");
        assertThat(document("90 'C' 03'a.B' 91 0d'detailMessage' 60 91"))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':null}");
    }

    @Test
    void causesAreReportedFromTheOutermostToTheInnermost() {
        Throwable thrown =
                new IllegalStateException("outer", new IllegalArgumentException("middle", new NullPointerException()));
        thrown.addSuppressed(new ArithmeticException("aside"));
        assertThat(document(thrown))
                .isEqualTo(",'exceptionClass':'java.lang.IllegalStateException','exceptionMessage':'outer','causes':["
                        + "{'class':'java.lang.IllegalArgumentException','message':'middle'},"
                        + "{'class':'java.lang.NullPointerException','message':null}]}");
        assertThat(document(HessianLite.write(3, thrown, new HashMap<>(Map.of("k", "v"))), false))
                .isEqualTo(document(thrown));
    }

    @Test
    void aCauseMayBeReferredTo() {
        // The cause is in another field that comes first.
        assertThat(document(
                        "90 'C' 03'a.B' 92 05'first' 05'cause' 60 'C' 03'a.C' 91 0d'detailMessage' 61 01'm' 'Q' 91"))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':null,"
                        + "'properties':{'first':{'detailMessage':'m'}},'causes':[{'class':'a.C','message':'m'}]}");
        // The cause's cause is the exception itself, and the third one's is the second.
        String head = "90 'C' 03'a.B' 92 05'cause' 0d'detailMessage'";
        assertThat(document(head + "60 60 'Q' 90 01'c' 01'm'"))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m','causes':[{'class':'a.B','message':'c'}]}");
        assertThat(document(head + "60 60 60 'Q' 91 01'd' 01'c' 01'm'"))
                .endsWith("'causes':[{'class':'a.B','message':'c'},{'class':'a.B','message':'d'}]}");
    }

    /** A class of the JDK with one field is that field's value, unless it is an exception. */
    @Test
    void anExceptionOfTheJdkMayHaveOneField() {
        assertThat(document("90 'C' 1f'java.lang.IllegalStateException' 91 0d'detailMessage' 60 01'm'"))
                .contains("'exceptionClass':'java.lang.IllegalStateException','exceptionMessage':'m'");
    }

    @Test
    void anExceptionOfTheJdkMayBeNamedAsNone() {
        assertThat(document("90 'C' 13'java.sql.SQLWarning' 94 08'SQLState' 0d'detailMessage' 05'cause' 0a'stackTrace'"
                        + "60 02'42' 01'm' 'Q' 90 78"))
                .isEqualTo(",'exceptionClass':'java.sql.SQLWarning','exceptionMessage':'m',"
                        + "'properties':{'SQLState':'42'}}");
    }

    @Test
    void aValueThatIsNotAnExceptionIsNotACause() {
        for (String cause : new String[] {"'N'", "01'x'", "'H' 'Z'", "79 90"}) {
            assertThat(document("90 'C' 03'a.B' 91 05'cause' 60" + cause)).doesNotContain("causes");
        }
    }

    @Test
    void atMostSixteenCausesAreReported() {
        Throwable thrown = null;
        for (int i = 20; i >= 0; i--) {
            thrown = new IllegalStateException("m" + i, thrown);
        }
        assertThat(document(thrown)).endsWith(",{'class':'java.lang.IllegalStateException','message':'m16'}]}");
    }

    @Test
    void theMessagesOfCausesAreBounded() {
        Throwable thrown = new IllegalStateException("x".repeat(100_000));
        for (int i = 0; i < 16; i++) {
            thrown = new IllegalStateException("\u4e2d".repeat(100_000), thrown);
        }
        assertThat(document(thrown))
                .hasSizeLessThan(16 * 500 + 4000)
                .contains("'message':'" + "\u4e2d".repeat(341) + "'}");
    }

    @Test
    void theStackIsReportedIfItIsWanted() {
        ByteBuf body = Hex.buffer("90 'C' 03'a.B' 93 0a'stackTrace' 05'cause' 0d'detailMessage' 60"
                + "'V' 1c'[java.lang.StackTraceElement' 95" + FRAME
                + "61 05'a.B$1' 03'run' 06'B.java' 9c 61 03'a.C' 01'f' 'N' 8f 61 03'a.C' 01'g' 'N' 8e 'Q' 92 'N'"
                + "'Q' 90 01'm'");
        assertThat(document(body, true))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m','stack':['a.B$1.run(B.java:12)',"
                        + "'a.C.f(Unknown Source)','a.C.g(Native Method)','a.B$1.run(B.java:12)']}");
        assertThat(document(body, false)).isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m'}");

        Throwable thrown = new IllegalStateException(new ArithmeticException());
        assertThat(document(HessianLite.write(3, thrown, new HashMap<>()), true))
                .contains("'stack':['io.dubbomesh.protocol.dubbo.HessianExceptionsTest.theStackIsReportedIfItIsWanted("
                        + "HessianExceptionsTest.java:" + thrown.getStackTrace()[0].getLineNumber() + ")',");
    }

    @Test
    void theStackIsBounded() {
        String deep = "61 03'a.C' 'R' ffff'" + "f".repeat(65535) + "' 01'f' 01'F' 91";
        ByteBuf body = Hex.buffer("90 'C' 03'a.B' 91 0a'stackTrace' 60 'X' c8ff" + FRAME + deep + deep.repeat(126)
                + "61 01'Y' 01'y' 'N' 90" + "61 01'Z' 01'z' 'N' 90".repeat(127));
        assertThat(document(body, true))
                .hasSizeLessThan(128 * 512)
                .contains("Y.y(Unknown Source)")
                .doesNotContain("Z.z");
    }

    /** Dubbo does so with exceptions that are neither declared nor in the interface's jar. */
    @Test
    void aStackWithinTheMessageIsLeftOutUnlessItIsWanted() {
        for (String lineBreak : new String[] {"\n", "\r\n"}) {
            Throwable thrown = new RuntimeException(
                    "a.Boom: no%nmilk%n\tat a.B.run(B.java:12)%nCaused by: a.C%n\tat a.C.x(C.java:1)"
                            .replace("%n", lineBreak));
            assertThat(document(thrown))
                    .endsWith("'exceptionMessage':'a.Boom: no"
                            + lineBreak.replace("\r", "\\r").replace("\n", "\\n") + "milk'}");
            assertThat(document(HessianLite.write(0, thrown), true)).contains("at a.C.x(C.java:1)'");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "30 2e'com.alibaba.dubbo.rpc.service.GenericException'",
                "30 2d'org.apache.dubbo.rpc.service.GenericException'"
            })
    void theExceptionOfAGenericCallIsTheOneThatItNames(String name) {
        assertThat(document("90 'C'" + name + "94 10'exceptionMessage' 0d'detailMessage' 0e'exceptionClass' 05'cause'"
                        + "60 05'inner' 05'outer' 06'a.Boom' 'Q' 90"))
                .isEqualTo(",'exceptionClass':'a.Boom','exceptionMessage':'inner'}");
    }

    private static final class PaymentException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String account;
        private final BigDecimal missing = new BigDecimal("2.50");
        private final List<Map<String, Integer>> details = new ArrayList<>();
        private final Thread.State state = Thread.State.BLOCKED;

        PaymentException(String account, Throwable cause) {
            super("no money", cause);
            this.account = account;
            details.add(new HashMap<>(Map.of("a", 1)));
        }
    }

    @Test
    void theFieldsOfTheExceptionsOwnClassesAreReported() {
        assertThat(document(new PaymentException("A-1", new PaymentException("B", null))))
                .isEqualTo(",'exceptionClass':'" + PaymentException.class.getName()
                        + "','exceptionMessage':'no money','properties':{'details':[{'a':1}],'missing':2.50,'state':'BLOCKED',"
                        + "'account':'A-1'},'causes':[{'class':'" + PaymentException.class.getName()
                        + "','message':'no money','properties':{'details':[{'a':1}],'missing':2.50,'state':'BLOCKED',"
                        + "'account':'B'}}]}");
    }

    @Test
    void aFieldThatHidesAnotherIsReportedOnce() {
        assertThat(document("90 'C' 03'a.B' 93 01'k' 01'x' 01'k' 60 91 92 93"))
                .endsWith(",'properties':{'k':3,'x':2}}");
    }

    /** The rest of the exception is of use. */
    @Test
    void aFieldThatHasLostItsElementsIsLeftOut() {
        String lost = "'C' 11'java.util.CollSer' 91 03'tag' 61 91";
        assertThat(document("90 'C' 03'a.B' 93 05'items' 0d'detailMessage' 01'k' 60" + lost + "01'm' 92"))
                .isEqualTo(",'exceptionClass':'a.B','exceptionMessage':'m','properties':{'k':2}}");
    }

    /** Its stack is nothing for clients. */
    @Test
    void aFieldThatIsAnExceptionIsLeftOut() {
        UndeclaredThrowableException thrown = new UndeclaredThrowableException(new IllegalStateException("inner"));
        assertThat(document(new Wrapper(List.of(thrown)))).endsWith("'properties':{'number':1}}");
    }

    private static final class Wrapper extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int number = Integer.parseInt("1");
        private final ArrayList<Throwable> thrown;

        Wrapper(List<Throwable> thrown) {
            super("");
            this.thrown = new ArrayList<>(thrown);
        }
    }

    @Test
    void aFieldThatIsTooLongOrContainsTheExceptionIsLeftOut() {
        String head = "90 'C' 03'a.B' 93 01'x' 01'y' 01'z' 60";
        assertThat(document(head + "'Q' 90 'R' ffff'" + "f".repeat(65535) + "' 00 91"))
                .endsWith(",'exceptionMessage':null,'properties':{'z':1}}");
        assertThat(document(head + "'Q' 90 'Q' 90 'Q' 90")).endsWith(",'exceptionMessage':null}");
        // Nine of them are more than all may be.
        String fields = "";
        for (int i = 0; i < 9; i++) {
            fields += "01'" + (char) ('a' + i) + "'";
        }
        assertThat(document("90 'C' 03'a.B' 99" + fields + "60" + ("33e8'" + "v".repeat(1000) + "'").repeat(9)))
                .contains("'h':'")
                .doesNotContain("'i':'")
                .hasSizeLessThan(8 * 1024 + 200);
    }
}
