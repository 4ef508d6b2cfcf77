package io.dubbomesh.consumer.mcp.schema;

import io.dubbomesh.consumer.mcp.tool.AnswerFilter;
import io.dubbomesh.consumer.mcp.tool.AnswerRules;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.mcp.tool.ToolArgument;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.javadoc.ServiceTexts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the documents that describe tools, with their schemas (JSON Schema 2020-12). */
final class ToolDocument {
    /** The member of structured content that has the method's result, which may be no object. */
    static final String RESULT = "result";

    private static final String TYPE = "type";
    private static final String OBJECT = "object";
    private static final String DESCRIPTION = "description";
    private static final String PROPERTIES = "properties";
    private static final String REQUIRED = "required";
    private static final String ADDITIONAL = "additionalProperties";

    private static final ServiceTexts.OfMethod NO_TEXTS = ServiceTexts.NONE.ofMethod("", "");

    private ToolDocument() {}

    /**
     * Returns the document of a tool.
     *
     * @param service what is known of the tool's service; null for nothing, which any argument and result fits
     */
    static Map<String, Object> of(Tool tool, ServiceDefinition service) throws IOException {
        ToolSchemas schemas = service == null ? null : ToolSchemas.of(tool, service);
        ServiceTexts.OfMethod javadoc = service == null
                ? NO_TEXTS
                : service.texts()
                        .ofMethod(tool.method().service(), tool.method().method());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", tool.name());
        putText(document, "title", tool.title(), null);
        putText(document, DESCRIPTION, tool.description(), javadoc.description());
        document.put("inputSchema", input(tool, schemas, javadoc.parameters()));
        ToolSchemas.Written result = schemas == null ? null : schemas.result();
        if (result != null) {
            document.put("outputSchema", output(tool.answer(), result));
        }
        Map<String, Object> annotations = annotations(tool.hints());
        if (!annotations.isEmpty()) {
            document.put("annotations", annotations);
        }
        return document;
    }

    /** @param javadoc what sources say about parameters, by their names in Java */
    private static Map<String, Object> input(Tool tool, ToolSchemas schemas, Map<String, String> javadoc)
            throws IOException {
        ToolSchemas.Written types = schemas == null ? null : schemas.arguments();
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (int i = 0; i < tool.arguments().size(); i++) {
            ToolArgument argument = tool.arguments().get(i);
            if (argument.isFixed()) {
                continue;
            }
            Map<String, Object> property = new LinkedHashMap<>();
            String parameter = schemas == null ? null : schemas.parameterName(i);
            putText(
                    property,
                    DESCRIPTION,
                    argument.description(),
                    javadoc.get(parameter == null ? argument.name() : parameter));
            if (types != null && types.values().get(i) instanceof Map<?, ?> type) {
                type.forEach((keyword, value) -> property.putIfAbsent(keyword.toString(), value));
            }
            properties.put(argument.name(), property);
            if (!argument.isOptional() || schemas != null && !schemas.takesNull(i)) {
                required.add(argument.name());
            }
        }
        if (tool.answer().isPaged()) {
            properties.put(AnswerFilter.PAGE, page(tool.answer().pageSize()));
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, OBJECT);
        schema.put(PROPERTIES, properties);
        if (!required.isEmpty()) {
            schema.put(REQUIRED, required);
        }
        schema.put(ADDITIONAL, false);
        if (types != null) {
            types.define(schema);
        }
        return schema;
    }

    private static Map<String, Object> page(int pageSize) {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put(TYPE, "integer");
        page.put("minimum", 0);
        page.put("maximum", Integer.MAX_VALUE);
        page.put(DESCRIPTION, "The page of the result, from 0 on; a page has " + pageSize + " items.");
        return page;
    }

    private static Map<String, Object> output(AnswerRules rules, ToolSchemas.Written written) {
        Object result = MaskedSchema.of(written.values().get(0), written.definitions(), rules.masked());
        if (rules.isPaged()) {
            result = PagedSchema.of(result, written.definitions());
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, OBJECT);
        schema.put(PROPERTIES, Map.of(RESULT, result));
        schema.put(REQUIRED, List.of(RESULT));
        schema.put(ADDITIONAL, false);
        written.define(schema);
        return schema;
    }

    private static Map<String, Object> annotations(Tool.Hints hints) {
        Map<String, Object> annotations = new LinkedHashMap<>();
        putFlag(annotations, "readOnlyHint", hints.readOnly());
        putFlag(annotations, "destructiveHint", hints.destructive());
        putFlag(annotations, "idempotentHint", hints.idempotent());
        return annotations;
    }

    /**
     * @param text      of the operator; empty for none
     * @param otherwise stands in its place; null for none
     */
    private static void putText(Map<String, Object> document, String name, String text, String otherwise) {
        if (!text.isEmpty() || otherwise != null) {
            document.put(name, text.isEmpty() ? otherwise : text);
        }
    }

    private static void putFlag(Map<String, Object> document, String name, Boolean flag) {
        if (flag != null) {
            document.put(name, flag);
        }
    }
}
