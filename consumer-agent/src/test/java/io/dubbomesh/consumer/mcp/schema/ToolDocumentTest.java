package io.dubbomesh.consumer.mcp.schema;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.dubbomesh.consumer.mcp.tool.AnswerFilter;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.mcp.tool.ToolFile;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;
import io.dubbomesh.runtime.json.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The schemas of tools, and that what callers get fits them, masked and paged or not. */
class ToolDocumentTest {
    private static final ServiceDefinition SHOP = shop();

    private static ServiceDefinition shop() {
        Map<String, String> order = new LinkedHashMap<>();
        order.put("item", "java.lang.String");
        order.put("customer", "a.Person");
        order.put("seller", "a.Person");
        order.put("parts", "java.util.List<a.Order>");
        order.put("codes", "java.util.Map<java.lang.String,java.lang.Long>");
        Map<String, String> person = new LinkedHashMap<>();
        person.put("name", "java.lang.String");
        person.put("card", "java.lang.Long");
        return new ServiceDefinition(
                List.of(
                        new MethodDefinition("find", List.of("java.lang.String", "int"), "a.Order"),
                        new MethodDefinition("find", List.of("long"), "java.util.List<a.Order>"),
                        new MethodDefinition("find", List.of("boolean"), "a.Order"),
                        new MethodDefinition("byId", List.of(), "java.util.Map<java.lang.Integer,a.Order>"),
                        new MethodDefinition("all", List.of(), "a.Order[]"),
                        new MethodDefinition("text", List.of(), "java.lang.String"),
                        new MethodDefinition("any", List.of(), "java.lang.Object"),
                        new MethodDefinition("none", List.of(), "void"),
                        new MethodDefinition("shape", List.of("a.Shape"), "a.Shape")),
                Map.of(
                        "a.Order",
                        new TypeDefinition("a.Order", List.of(), order),
                        "a.Person",
                        new TypeDefinition("a.Person", List.of(), person),
                        "a.Shape",
                        new TypeDefinition(
                                "a.Shape",
                                TypeDefinition.Kind.ABSTRACT_CLASS,
                                List.of(),
                                Map.of(),
                                Set.of(),
                                Set.of("a.Circle")),
                        "a.Circle",
                        new TypeDefinition("a.Circle", List.of(), Map.of("discriminator", "int"))),
                DefinitionSource.CLASS_FILES);
    }

    private static Tool tool(String method, String keys) {
        return ToolFile.parse("tools { t { service = a.Shop, method = " + method + ", " + keys + " } }")
                .find("t");
    }

    private static Map<String, Object> document(Tool tool) throws Exception {
        return ToolDocument.of(tool, SHOP);
    }

    private static List<?> errors(Object schema, String value) {
        Schema validator = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Json.write(schema), InputFormat.JSON);
        return validator.validate(value, InputFormat.JSON);
    }

    private static String filtered(Tool tool, String result) throws Exception {
        ByteBuf in = Unpooled.copiedBuffer(result, UTF_8);
        ByteBuf out = Unpooled.buffer();
        AnswerFilter.copy(tool.answer(), 0, in, 0, in.readableBytes(), out);
        return "{\"result\":" + out.toString(UTF_8) + '}';
    }

    @Test
    void anArgumentHasTheTypeOfItsParameterAndTheWordsOfTheFile() throws Exception {
        Tool tool = tool(
                "find",
                "arguments = [ { name = text, description = \"What to find\", optional = true }, { name = most, optional = true } ]");

        assertThat(Json.write(document(tool).get("inputSchema")))
                .isEqualTo(
                        "{\"type\":\"object\",\"properties\":{\"text\":{\"description\":\"What to find\",\"type\":[\"string\",\"null\"]},"
                                + "\"most\":{\"type\":\"integer\",\"minimum\":-2147483648,\"maximum\":2147483647}},"
                                + "\"required\":[\"most\"],\"additionalProperties\":false}");
    }

    /** The words of the file stand above those of sources. */
    @Test
    void whatTheFileDoesNotDescribeSourcesDo() throws Exception {
        ServiceTexts texts = new ServiceTexts(
                "",
                Map.of(
                        "a.Shop",
                        new OfService(
                                "Sells.",
                                Map.of("buy", new OfMethod("Buys.", "It.", Map.of("what", "The item.", "n", "N."))))),
                Map.of("a.Order", new OfClass("An order.", Map.of("item", "Its name."))));
        List<String> types = List.of("a.Order", "int");
        ServiceDefinition shop = new ServiceDefinition(
                        List.of(new MethodDefinition(
                                "buy", types, "int", types, new ParameterFacts(List.of("what", "n"), List.of()))),
                        Map.of("a.Order", new TypeDefinition("a.Order", List.of(), Map.of("item", "int"))),
                        DefinitionSource.CLASS_FILES)
                .with(texts, "a.Shop");

        Map<String, Object> document = ToolDocument.of(
                tool("buy", "arguments = [ { name = thing }, { name = count, description = \"How many\" } ]"), shop);

        assertThat(document.get("description")).isEqualTo("Buys.");
        assertThat(Json.write(document.get("inputSchema")))
                .contains(
                        "\"thing\":{\"description\":\"The item.\"",
                        "\"count\":{\"description\":\"How many\"",
                        "\"description\":\"An order.\"",
                        "\"item\":{\"description\":\"Its name.\"");
        assertThat(ToolDocument.of(tool("buy", "description = Mine, arguments = [ { name = a }, { name = b } ]"), shop)
                        .get("description"))
                .isEqualTo("Mine");
    }

    @Test
    void anArgumentKeepsToTheConstraintsOfItsParameter() throws Exception {
        ServiceDefinition shop = new ServiceDefinition(
                List.of(new MethodDefinition(
                        "find",
                        List.of("java.lang.String"),
                        "void",
                        List.of("java.lang.String"),
                        new MethodDefinition.ParameterFacts(
                                List.of(),
                                List.of(List.of(new Constraint.NotNull(""), new Constraint.Size(2, 9, "")))))),
                Map.of());

        Object schema = ToolDocument.of(tool("find", "arguments = [ { name = text, optional = true } ]"), shop)
                .get("inputSchema");

        assertThat(errors(schema, "{\"text\":\"ab\"}")).isEmpty();
        for (String wrong : List.of("{\"text\":\"a\"}", "{\"text\":null}", "{}")) {
            assertThat(errors(schema, wrong)).as(wrong).isNotEmpty();
        }
    }

    @Test
    void aFixedArgumentIsNotSeen() throws Exception {
        Tool tool = tool("find", "arguments = [ { fixed = secret }, { name = most } ]");

        assertThat(Json.write(document(tool).get("inputSchema")))
                .contains("\"most\"")
                .doesNotContain("secret", "string");
    }

    @Test
    void theTypesOfAnArgumentAreInTheSchemaItself() throws Exception {
        Object schema =
                document(tool("shape", "arguments = [ { name = shape } ]")).get("inputSchema");

        assertThat(errors(schema, "{\"shape\":{\"class\":\"a.Circle\",\"discriminator\":1}}"))
                .isEmpty();
        assertThat(errors(schema, "{\"shape\":{\"class\":\"a.Circle\",\"size\":1}}"))
                .isNotEmpty();
        assertThat(Json.write(schema)).doesNotContain("mapping");
    }

    @ParameterizedTest
    @CsvSource({"find,arguments = [ { name = a } ]", "lost,arguments = []", "byId,arguments = [ { name = a } ]"})
    void aMethodThatIsNotCertainHasNoTypes(String method, String keys) throws Exception {
        Map<String, Object> document = document(tool(method, keys));

        assertThat(document).doesNotContainKey("outputSchema");
        assertThat(Json.write(document)).doesNotContain("integer", "$defs");
    }

    @Test
    void theTypesOfTheParametersTellWhichMethodItIs() throws Exception {
        Tool tool = tool("find", "parameter-types = long, arguments = [ { name = id } ]");

        assertThat(Json.write(document(tool)))
                .contains("\"maximum\":9223372036854775807")
                .contains("outputSchema");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "all||[{'item':'a','customer':{'name':'b','card':1},'parts':[],'codes':{'x':1}},null]",
                "all||null",
                "all|page-size = 1|[{'item':'a'},null]",
                "all|page-size = 1|[]",
                "all|page-size = 1|null",
                "all|mask = [customer.card]|[{'customer':{'name':'b','card':1},'seller':{'card':1}}]",
                "all|mask = [customer.card], page-size = 5|[{'customer':{'name':'b','card':1},'seller':{'card':1}},{'customer':null}]",
                "all|mask = [\"*.card\"]|[{'customer':{'card':1},'seller':{'card':null}}]",
                "all|mask = [customer]|[{'customer':{'card':1},'seller':{'card':2}}]",
                "all|mask = [parts.item]|[{'item':'a','parts':[{'item':'b','parts':[{'item':'c'}]}]}]",
                "all|mask = [codes.x, \"codes.*.y\"]|[{'codes':{'x':1,'y':2}}]",
                "all|mask = [\"codes.*\"]|[{'codes':{'x':1,'y':2}}]",
                "byId|mask = [customer, \"*.item\"]|[[1,{'item':'a','customer':{}}]]",
                "byId|page-size = 1|[[1,{'item':'a'}],[2,null]]",
                "byId|page-size = 1|{}",
                "text|mask = [x]|'a'",
                "text|page-size = 3|'a'",
                "any|page-size = 1, mask = [a.b]|[{'a':{'b':1}}]",
                "any||{'a':1}",
                "none||null",
                "shape|arguments = [ { name = s } ]|{'discriminator':1}"
            })
    void whatACallerGetsFitsTheSchema(String method, String keys, String result) throws Exception {
        Tool tool = tool(method, keys == null ? "" : keys);

        String answer = filtered(tool, result.replace('\'', '"'));

        assertThat(errors(document(tool).get("outputSchema"), answer))
                .as(answer)
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "all|mask = [customer.card]|[{'customer':{'card':1}}]",
                "all|mask = [customer.card]|[{'seller':{'card':'***'}}]",
                "all|mask = [\"codes.*\"]|[{'codes':{'x':1}}]",
                "all|page-size = 1|[]",
                "all||[{'item':1}]",
                "none||1"
            })
    void theSchemaTellsWhatIsMaskedAndWhatIsNot(String method, String keys, String result) throws Exception {
        Object schema = document(tool(method, keys == null ? "" : keys)).get("outputSchema");

        assertThat(errors(schema, "{\"result\":" + result.replace('\'', '"') + '}'))
                .isNotEmpty();
    }

    @Test
    void typesThatAreTooLongAreLeftOut() throws Exception {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            fields.put("field" + i, "java.lang.String");
        }
        ServiceDefinition large = new ServiceDefinition(
                List.of(new MethodDefinition("text", List.of("a.Large"), "a.Large")),
                Map.of("a.Large", new TypeDefinition("a.Large", List.of(), fields)));

        Map<String, Object> document = ToolDocument.of(tool("text", "arguments = [ { name = a } ]"), large);

        assertThat(document).doesNotContainKey("outputSchema");
        assertThat(Json.write(document)).doesNotContain("field1");
    }
}
