package io.dubbomesh.protocol.schema;

/** What a value is for, which decides how its schema looks. */
enum ValueRole {
    RESULT,
    ARGUMENT,
    /** An argument, or a part of one, whose fields keep to the constraints of their class. */
    VALIDATED;

    boolean isArgument() {
        return this != RESULT;
    }
}
