package io.dubbomesh.acceptance.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.dubbomesh.client.definition.ApiClasses;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.CallArguments.Form;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.schema.ArgumentSchemas;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.protocol.schema.SchemaNames;
import io.dubbomesh.protocol.schema.TypeSchemas;
import io.dubbomesh.protocol.type.TypeNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.DatabindException;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random arguments around the bounds of the schemas of each method: with all forms the schema accepts what the agent
 * takes, and nothing else; in the canonical form it accepts nothing else. {@code SchemathesisTest} does the same by
 * HTTP.
 */
class ArgumentPropertyTest {
    private static final Path CLASSES = Path.of("../../testing/demo/api/target/classes");
    private static final SchemaRegistry VALIDATORS =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    /**
     * The text of a number with so many digits, or such an exponent, that a pattern does not tell whether it fits; and
     * numbers near the largest double, whose bound has 19 digits in a schema.
     */
    private static final Pattern LONG_NUMBER =
            Pattern.compile("\"[+-]?([0-9.]{29}|[0-9.]+[eE][+-]?[0-9]{2})|[0-9]{300}");

    private static final int VALUES = Integer.getInteger("values", 200);
    private static final long SEED = Long.getLong("seed", 36);

    @ParameterizedTest
    @CsvSource({"io.dubbomesh.demo.conformance.ConformanceService", "io.dubbomesh.demo.shop.Shop"})
    void aSchemaAcceptsWhatTheAgentTakes(String name) throws Exception {
        ServiceDefinition service;
        try (ApiClasses classes = ApiClasses.open(List.of(CLASSES))) {
            service = ClassDefinitions.of(name, new ClassHierarchy(classes));
        }
        List<String> wrong = new ArrayList<>();
        int accepted = 0;
        int refused = 0;
        for (MethodDefinition method : service.methods()) {
            String text = schema(service, method, SchemaForms.ALL);
            JsonNode schema = JSON.readTree(text);
            Schema all = VALIDATORS.getSchema(text, InputFormat.JSON);
            Schema canonical = VALIDATORS.getSchema(schema(service, method, SchemaForms.CANONICAL), InputFormat.JSON);
            RandomJson random = new RandomJson(SEED + method.signature().hashCode(), schema);
            DubboRequest request = request(name, service, method);
            for (int i = 0; i < VALUES; i++) {
                String body = JSON.writeValueAsString(random.around(schema));
                String refusal = refusal(request, body);
                accepted += refusal == null ? 1 : 0;
                refused += refusal == null ? 0 : 1;
                if (isKnownToDiffer(method, body, refusal)) {
                    continue;
                }
                Boolean isAccepted = accepts(all, body);
                if (isAccepted != null && isAccepted != (refusal == null)) {
                    wrong.add(method.signature()
                            + ' '
                            + body
                            + (refusal == null ? " is taken, not by the schema" : " is refused: " + refusal));
                }
                if (refusal != null && Boolean.TRUE.equals(accepts(canonical, body))) {
                    wrong.add(method.signature() + ' ' + body + " is canonical, and refused: " + refusal);
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(accepted).isGreaterThan(service.methods().size() * VALUES / 5);
        assertThat(refused).isGreaterThan(service.methods().size() * VALUES / 10);
    }

    /** Returns whether docs/use/openapi.md says that the schema differs. */
    private static boolean isKnownToDiffer(MethodDefinition method, String body, String refusal) {
        boolean isOfZone = method.parameterTypes().stream().anyMatch(type -> type.startsWith("java.time.Zone"));
        return refusal == null ? LONG_NUMBER.matcher(body).find() : isOfZone;
    }

    /** Returns null if the validator fails: it compares bounds as long values, which some numbers are not. */
    private static Boolean accepts(Schema schema, String value) {
        try {
            return schema.validate(
                            value,
                            InputFormat.JSON,
                            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                    .isEmpty();
        } catch (DatabindException e) {
            return null;
        }
    }

    private static DubboRequest request(String name, ServiceDefinition service, MethodDefinition method)
            throws CallException {
        String descriptor = TypeNames.descriptor(method.erasedTypes());
        return DubboRequest.prepare(
                new MethodName(name, method.name(), descriptor, "", ""), Serialization.HESSIAN2, service);
    }

    /** Returns why the agent refuses the body of a request in JSON; null if it takes it. */
    private static String refusal(DubboRequest request, String body) {
        Form form = body.startsWith("{") ? Form.OBJECT : Form.ARRAY;
        ByteBuf in = Unpooled.copiedBuffer(body.startsWith("[") ? body : '[' + body + ']', UTF_8);
        try {
            CallArguments call =
                    new CallArguments().set(form, in, 0, in.writerIndex()).timeLeftMs(5000);
            request.encode(Unpooled.buffer(), 7, false, call);
            return null;
        } catch (CallException e) {
            return e.outcome() + " " + e.getMessage();
        }
    }

    private static String schema(ServiceDefinition service, MethodDefinition method, SchemaForms forms)
            throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            SchemaNames names = new SchemaNames("", Set.of(), service.types().keySet());
            TypeSchemas types = new TypeSchemas(service.types(), forms, names, "#/$defs/", json);
            json.writeStartObject();
            json.writeArrayFieldStart("allOf");
            new ArgumentSchemas(types, forms, json).write(method);
            json.writeEndArray();
            json.writeObjectFieldStart("$defs");
            types.writeClasses();
            json.writeEndObject();
            json.writeEndObject();
        }
        return out.toString();
    }
}
