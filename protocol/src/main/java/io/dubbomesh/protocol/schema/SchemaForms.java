package io.dubbomesh.protocol.schema;

/** Which forms of a value its schema has: docs/use/types.md lists them. */
public enum SchemaForms {
    /** The one form that a program should send, and the usual one of results: for typed clients. */
    CANONICAL,
    /** Every form that the agent accepts and every form that a result can have: for those who check values. */
    ALL
}
