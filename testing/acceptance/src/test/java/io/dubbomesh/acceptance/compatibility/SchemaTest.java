package io.dubbomesh.acceptance.compatibility;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.dubbomesh.client.definition.ApiClasses;
import io.dubbomesh.client.method.ServiceDescription;
import io.dubbomesh.client.method.ServiceDescriptionWriter;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.schema.ArgumentSchemas;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.protocol.schema.SchemaNames;
import io.dubbomesh.protocol.schema.TypeSchemas;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The schemas of methods, made of a description of the class files as another agent gets it, accept the arguments and
 * the results that {@link ValueRuleTest} and {@link CompatibilityTest} see with real providers, and refuse the
 * arguments that are refused there.
 */
class SchemaTest {
    private static final SchemaRegistry VALIDATORS =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int GOOD = 200;
    /** Results that docs/use/openapi.md leaves to forms=all. */
    private static final Pattern NOT_FINITE = Pattern.compile("\"(NaN|-?Infinity)\"");

    private static final Set<String> REFUSALS = Set.of("{\"code\":\"BAD_ARGUMENT\"}");

    private final Map<String, ServiceDefinition> services = new HashMap<>();
    private final Map<String, Schema> schemas = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int checked;

    @ParameterizedTest
    @ValueSource(strings = {"values.calls", "compatibility.calls"})
    void aSchemaAcceptsWhatRealProvidersTakeAndAnswer(String table) throws Exception {
        CompatibilityCalls calls =
                table.equals("values.calls") ? CompatibilityCalls.ofValues() : CompatibilityCalls.read();
        for (Call call : calls.calls()) {
            check(call);
        }

        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(table.equals("values.calls") ? 150 : 100);
    }

    private void check(Call call) throws Exception {
        ServiceDefinition service = service(call.service());
        int count = JSON.readTree(call.arguments()).size();
        List<MethodDefinition> named = service == null
                ? List.of()
                : service.methods().stream()
                        .filter(method -> method.name().equals(call.method())
                                && method.parameterTypes().size() == count)
                        .toList();
        if (named.size() != 1 || call.answer() == null) {
            return;
        }
        MethodDefinition method = named.get(0);
        boolean isRefused = REFUSALS.contains(call.answer().json());
        if (call.answer().status() != GOOD && !isRefused) {
            return;
        }
        checked++;
        requireArguments(call, service, method, !isRefused);
        if (!isRefused) {
            for (SchemaForms forms : SchemaForms.values()) {
                Schema schema = schema(call.service(), service, method, forms, false);
                boolean isUsual = !NOT_FINITE.matcher(call.answer().json()).find();
                if ((forms == SchemaForms.ALL || isUsual)
                        && !accepts(schema, call.answer().json())) {
                    wrong.add(call + " -> " + call.answer().json() + " is no " + method.returnType() + " of " + forms);
                }
            }
        }
    }

    private void requireArguments(Call call, ServiceDefinition service, MethodDefinition method, boolean taken)
            throws IOException {
        boolean accepted = accepts(schema(call.service(), service, method, SchemaForms.ALL, true), call.arguments());
        boolean canonical =
                accepts(schema(call.service(), service, method, SchemaForms.CANONICAL, true), call.arguments());
        if (accepted != taken || canonical && !taken) {
            wrong.add(call + " for " + method.signature() + (taken ? " is taken" : " is refused"));
        }
    }

    private static boolean accepts(Schema schema, String value) {
        return schema.validate(
                        value,
                        InputFormat.JSON,
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .isEmpty();
    }

    /** Returns what an agent reads of the description that another one has written of the class files. */
    private ServiceDefinition service(String name) throws Exception {
        if (!services.containsKey(name)) {
            try (ApiClasses classes = ApiClasses.open(List.of(CompatibilityCalls.CLASS_FILES))) {
                ServiceDefinition read = ClassDefinitions.of(name, new ClassHierarchy(classes));
                services.put(name, read == null ? null : described(name, read));
            }
        }
        return services.get(name);
    }

    private static ServiceDefinition described(String name, ServiceDefinition read) throws IOException {
        ByteBuf description = Unpooled.buffer();
        ServiceDescriptionWriter.write(description, new MethodName(name, MethodName.DESCRIBE, "", "", ""), read);
        return ServiceDescription.read(ByteBufUtil.getBytes(description)).definition();
    }

    private Schema schema(
            String service, ServiceDefinition definition, MethodDefinition method, SchemaForms forms, boolean arguments)
            throws IOException {
        String key = service + method.signature() + forms + arguments;
        Schema known = schemas.get(key);
        if (known == null) {
            known = VALIDATORS.getSchema(text(definition, method, forms, arguments), InputFormat.JSON);
            schemas.put(key, known);
        }
        return known;
    }

    private static String text(
            ServiceDefinition definition, MethodDefinition method, SchemaForms forms, boolean arguments)
            throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            SchemaNames names = new SchemaNames("", Set.of(), definition.types().keySet());
            TypeSchemas types = new TypeSchemas(definition.types(), forms, names, "#/$defs/", json);
            json.writeStartObject();
            json.writeArrayFieldStart("allOf");
            if (arguments) {
                new ArgumentSchemas(types, SchemaForms.ALL, json).write(method);
            } else {
                types.writeResult(method.returnType());
            }
            json.writeEndArray();
            json.writeObjectFieldStart("$defs");
            types.writeClasses();
            json.writeEndObject();
            json.writeEndObject();
        }
        return out.toString();
    }
}
