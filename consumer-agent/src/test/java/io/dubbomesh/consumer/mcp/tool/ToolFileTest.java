package io.dubbomesh.consumer.mcp.tool;

import io.dubbomesh.protocol.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The file that says what is published as tools. */
class ToolFileTest {
    private static final String NEEDED = "service=a.B, method=m";

    private static Tool tool(String keys) {
        return ToolFile.parse("tools { t { " + NEEDED + ", " + keys + " } }").find("t");
    }

    @Test
    void aToolIsAMethodWithNamesForItsParameters() {
        ToolSet tools = ToolFile.parse("""
                # what the shop can do
                instructions = "For orders of the shop."
                tools {
                  place_order {
                    service = com.example.Shop
                    method = order
                    version = "1.0", group = blue
                    parameter-types = "com.example.Order, boolean"
                    title = Place an order
                    description = "Orders one item."
                    arguments = [
                      { name = order, description = "What to order" }
                      { name = note, optional = true }
                      { fixed = { by = agent, tries = [1, 2.50, null] } }
                    ]
                    read-only = false, idempotent = true, destructive = false
                    timeout = 2 s
                    max-answer = 8 KiB
                    page-size = 20
                    mask = ["customer.card", "*.secret"]
                  }
                }
                """);

        assertThat(tools.instructions()).isEqualTo("For orders of the shop.");
        Tool tool = tools.find("place_order");
        assertThat(tool.method())
                .isEqualTo(new MethodName("com.example.Shop", "order", "Lcom/example/Order;Z", "1.0", "blue"));
        assertThat(tool.title()).isEqualTo("Place an order");
        assertThat(tool.description()).isEqualTo("Orders one item.");
        assertThat(tool.argumentNames()).containsExactly("order", "note");
        assertThat(tool.argument("order").isOptional()).isFalse();
        assertThat(tool.argument("note").isOptional()).isTrue();
        assertThat(new String(tool.arguments().get(2).fixed(), UTF_8))
                .isEqualTo("{\"by\":\"agent\",\"tries\":[1,2.50,null]}");
        assertThat(tool.hints()).isEqualTo(new Tool.Hints(false, true, false));
        assertThat(tool.timeoutMs()).isEqualTo(2000);
        assertThat(tool.answer())
                .isEqualTo(new AnswerRules(8 << 10, 20, List.of(List.of("customer", "card"), List.of("*", "secret"))));
    }

    @Test
    void twoNamesAreEnough() {
        Tool tool = tool("");

        assertThat(tool.method()).isEqualTo(new MethodName("a.B", "m", MethodName.UNKNOWN_TYPES, "", ""));
        assertThat(tool.arguments()).isEmpty();
        assertThat(tool.hints()).isEqualTo(new Tool.Hints(null, null, null));
        assertThat(tool.timeoutMs()).isZero();
        assertThat(tool.answer()).isEqualTo(new AnswerRules(64 << 10, 0, List.of()));
    }

    @Test
    void aFileWithoutToolsPublishesNone() {
        assertThat(ToolFile.parse("# nothing yet").tools()).isEmpty();
        assertThat(ToolFile.parse("tools {}").tools()).isEmpty();
    }

    @Test
    void toolsAreInTheOrderOfTheirNames() {
        ToolSet tools = ToolFile.parse("tools { c {" + NEEDED + "}, a {" + NEEDED + "}, \"b.d\" {" + NEEDED + "} }");

        assertThat(tools.tools()).extracting(Tool::name).containsExactly("a", "b.d", "c");
    }

    @Test
    void anArgumentMayBeFixedToNull() {
        Tool tool = tool("arguments = [ { fixed = null } ]");

        assertThat(new String(tool.arguments().get(0).fixed(), UTF_8)).isEqualTo("null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "descripton = x|2: key: \"descripton\" (expected: one of the keys in docs/use/mcp.md)",
                "timeout = soon|2: timeout: \"soon\" (expected: a duration such as 2 s, at most 60 m)",
                "timeout = 0|2: timeout: \"0\" (expected: a duration such as 2 s, at most 60 m)",
                "max-answer = 1 GiB|2: max-answer: \"1 GiB\" (expected: a size such as 64 KiB, at most 16 MiB)",
                "page-size = 1.5|2: page-size: \"1.5\" (expected: a whole number, 1 to 10000)",
                "read-only = maybe|2: read-only: \"maybe\" (expected: true or false)",
                "mask = customer|2: mask: \"customer\" (expected: [ ... ])",
                "mask = [a..b]|2: mask: \"a..b\" (expected: names of members with dots between them, * for any)",
                "arguments = [ {} ]|2: an argument without a name (expected: name, or the value that is fixed)",
                "arguments = [ x ]|2: an element of arguments: \"x\" (expected: { ... })",
                "arguments = [ {name=a}, {name=a} ]|2: name: \"a\" (expected: a name that no other argument has)",
                "arguments = [ {name=a, nam=b} ]|2: key: \"nam\" (expected: name, description, optional or fixed)",
                "arguments = [ {fixed=1, optional=true} ]|2: fixed with optional or description (expected: fixed without them)",
                "title = { a = b }|2: title: \"object\" (expected: a text)",
                "page-size = 5, arguments = [ {name=page} ]|2: name: \"page\" (expected: another name, which page-size has taken for itself)",
                "parameter-types = \"int int\"|2: X-Dubbo-Parameter-Types"
            })
    void whatIsWrongIsRefusedWithItsLine(String keys, String message) {
        assertThatThrownBy(() -> ToolFile.parse("tools { t { " + NEEDED + "\n" + keys + "\n} }"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tools { t { method = m } }|1: no service (expected: service = NAME)",
                "tools { t { service = a.B } }|1: no method (expected: method = NAME)",
                "tools { \"a b\" { service = a.B, method = m } }|1: name: \"a b\" (expected: 1 to 128 letters, digits, _, - and .)",
                "tool { }|1: key: \"tool\" (expected: instructions or tools)",
                "tools = []|1: tools: \"a list\" (expected: { ... })",
                "tools { t {|1: "
            })
    void aFileOfAnotherFormIsRefused(String text, String message) {
        assertThatThrownBy(() -> ToolFile.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tools { t { S }\\n u { S }\\n t { S } }|3: tools.t is given a second time (expected: once; the first one is in line 1)",
                "tools { t { S }, t { S } }|1: tools.t is given a second time (expected: once; the first one is in line 1)",
                "tools.t { S }\\ntools { \"t\" { S } }|2: tools.t is given a second time",
                "tools { t { S } }\\ntools { u { S } }|2: tools is given a second time",
                "tools { t { S, method = n } }|1: tools.t.method is given a second time",
                "tools { t { S, mask += a\\n mask = [b] } }|2: tools.t.mask is given a second time",
                "tools { t = { S } { method = n } }|1: tools.t.method is given a second time",
                "tools { t { S } }\\ntools.t.method = n|2: tools.t.method is given a second time",
                "tools { t = { S }, # t = {\\n // t {\\n t : { S } }|3: tools.t is given a second time",
                "{ tools { t { S\\n arguments = [ { name = a }, { name = b\\n name = c } ] } } }|3: tools.t.arguments.1.name is given"
            })
    void aKeyThatIsGivenTwiceIsRefusedWithBothLines(String text, String message) {
        assertThatThrownBy(() -> ToolFile.parse(text.replace("S", NEEDED).replace("\\n", "\n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void whatOnlyLooksLikeAKeyIsNone() {
        ToolSet tools = ToolFile.parse("""
                tools {
                  # t { service = x }
                  t { %1$s, title = "t { a = b, a = c }", description = ""\"t = {
                    t = { "quoted\"" ""\"
                    arguments = [ { fixed = [ { a = 1 }, { a = 2 } ] }, { name = t } ] // t = 1
                  }
                  u { %1$s, mask = [a], mask += b
                    mask += "c" }
                  "t.v" = { %1$s }
                }
                """.formatted(NEEDED));

        assertThat(tools.tools()).extracting(Tool::name).containsExactly("t", "t.v", "u");
    }

    @ParameterizedTest
    @CsvSource({
        "include \"/etc/hostname\"",
        "include file(\"/etc/hostname\")",
        "include url(\"file:///etc/hostname\")",
        "include classpath(\"reference.conf\")"
    })
    void nothingIsIncluded(String include) {
        assertThatThrownBy(() -> ToolFile.parse(include)).hasMessageContaining("include is not supported");
    }

    @Test
    void noVariableOfTheEnvironmentIsRead() {
        assertThatThrownBy(() -> ToolFile.parse("instructions = ${PATH}")).isInstanceOf(IllegalArgumentException.class);
    }
}
