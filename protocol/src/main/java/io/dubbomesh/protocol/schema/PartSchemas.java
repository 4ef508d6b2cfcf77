package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.type.JavaType;

import java.io.IOException;

/** Writes the schemas of the parts of a value: fields, elements, keys. */
@FunctionalInterface
interface PartSchemas {
    void writePart(JavaType type, ValueRole role, ValueLimits limits) throws IOException;
}
