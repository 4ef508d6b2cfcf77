package io.dubbomesh.consumer.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the documents that describe tools, with their schemas (JSON Schema 2020-12). */
final class ToolDocument {
    private static final String TYPE = "type";
    private static final String OBJECT = "object";
    private static final String DESCRIPTION = "description";

    private ToolDocument() {}

    static Map<String, Object> of(Tool tool) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", tool.name());
        putText(document, "title", tool.title());
        putText(document, DESCRIPTION, tool.description());
        document.put("inputSchema", input(tool));
        Map<String, Object> annotations = annotations(tool.hints());
        if (!annotations.isEmpty()) {
            document.put("annotations", annotations);
        }
        return document;
    }

    private static Map<String, Object> input(Tool tool) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (ToolArgument argument : tool.arguments()) {
            if (!argument.isFixed()) {
                Map<String, Object> property = new LinkedHashMap<>();
                putText(property, DESCRIPTION, argument.description());
                properties.put(argument.name(), property);
                if (!argument.isOptional()) {
                    required.add(argument.name());
                }
            }
        }
        if (tool.answer().isPaged()) {
            Map<String, Object> page = new LinkedHashMap<>();
            page.put(TYPE, "integer");
            page.put("minimum", 0);
            page.put(
                    DESCRIPTION,
                    "The page of the result, from 0 on; a page has "
                            + tool.answer().pageSize() + " items.");
            properties.put(AnswerFilter.PAGE, page);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, OBJECT);
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, Object> annotations(Tool.Hints hints) {
        Map<String, Object> annotations = new LinkedHashMap<>();
        putFlag(annotations, "readOnlyHint", hints.readOnly());
        putFlag(annotations, "destructiveHint", hints.destructive());
        putFlag(annotations, "idempotentHint", hints.idempotent());
        return annotations;
    }

    private static void putText(Map<String, Object> document, String name, String text) {
        if (!text.isEmpty()) {
            document.put(name, text);
        }
    }

    private static void putFlag(Map<String, Object> document, String name, Boolean flag) {
        if (flag != null) {
            document.put(name, flag);
        }
    }
}
