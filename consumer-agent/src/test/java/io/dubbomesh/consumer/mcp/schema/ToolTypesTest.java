package io.dubbomesh.consumer.mcp.schema;

import io.dubbomesh.consumer.mcp.tool.ToolFile;
import io.dubbomesh.consumer.openapi.Described;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The documents of tools, as descriptions of their services come and change. */
class ToolTypesTest {
    private static final MethodName SERVICE = new MethodName("a.B", MethodName.DESCRIBE, "", "1.0", "g");
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(ToolTypes.FRESH_MS);

    private final ToolTypes types = new ToolTypes(
            ToolFile.parse(
                    "tools { t { service = a.B, version = \"1.0\", group = g, method = m }, u { service = a.B, version = \"1.0\", group = g, method = n } }"));

    private static Described described(String result) {
        String method = "{\"name\":\"m\",\"parameterTypes\":[],\"returnType\":\"" + result + "\",\"descriptor\":\"\"}";
        return new Described(
                SERVICE, ("{\"interface\":\"a.B\",\"methods\":[" + method + "]}").getBytes(UTF_8), Outcome.OK, null);
    }

    private String document(String tool) {
        return new String(types.document(types.tools().find(tool)), UTF_8);
    }

    @Test
    void aServiceIsAskedAgainAfterAWhileWhateverItHasAnswered() {
        assertThat(types.stale(0)).containsExactly(SERVICE);

        types.take(List.of(Described.not(SERVICE, Outcome.NO_PROVIDER, "none")), 5);

        assertThat(types.stale(5 + FRESH_NS)).isEmpty();
        assertThat(types.stale(6 + FRESH_NS)).containsExactly(SERVICE);
    }

    @Test
    void whatIsKnownStaysUntilAnotherDescriptionComes() {
        String unknown = document("t");
        types.take(List.of(described("int")), 0);
        String known = document("t");
        byte[] kept = types.document(types.tools().find("t"));

        assertThat(unknown).doesNotContain("outputSchema");
        assertThat(known).contains("\"maximum\":2147483647");
        assertThat(document("u")).doesNotContain("outputSchema");

        types.take(List.of(described("int")), 1);
        types.take(List.of(Described.not(SERVICE, Outcome.TIMEOUT, "late")), 2);
        assertThat(types.document(types.tools().find("t"))).isSameAs(kept);

        types.take(List.of(described("boolean")), 3);
        assertThat(document("t")).contains("\"boolean\"");
    }

    @Test
    void aDescriptionThatIsNoneChangesNothing() {
        types.take(List.of(described("int")), 0);
        String known = document("t");

        byte[] text = "{\"methods\":[{\"name\":1}]}".getBytes(UTF_8);
        types.take(List.of(new Described(SERVICE, text, Outcome.OK, null)), 1);

        assertThat(document("t")).isEqualTo(known);
    }

    /** A bound of 1001 digits is more than what is read again. */
    @Test
    void aConstraintWithManyDigitsTakesNoSchemaAway() {
        String parameters = "\"parameterTypes\":[\"java.math.BigDecimal\",\"long\"],\"returnType\":\"int\","
                + "\"descriptor\":\"Ljava/math/BigDecimal;J\",\"parameterConstraints\":["
                + "[{\"constraint\":\"Digits\",\"integer\":2147483647,\"fraction\":2}],"
                + "[{\"constraint\":\"Min\",\"value\":-1e1000}]]";
        String description = "{\"interface\":\"a.B\",\"methods\":[{\"name\":\"m\"," + parameters
                + "},{\"name\":\"n\",\"parameterTypes\":[],\"returnType\":\"int\",\"descriptor\":\"\"}]}";
        ToolTypes checked = new ToolTypes(ToolFile.parse("tools { t { service = a.B, version = \"1.0\", group = g, "
                + "method = m, arguments = [ { name = x }, { name = y } ] },"
                + "u { service = a.B, version = \"1.0\", group = g, method = n } }"));

        checked.take(List.of(new Described(SERVICE, description.getBytes(UTF_8), Outcome.OK, null)), 0);

        for (String tool : List.of("t", "u")) {
            assertThat(new String(checked.document(checked.tools().find(tool)), UTF_8))
                    .contains("\"maximum\":2147483647");
        }
    }
}
