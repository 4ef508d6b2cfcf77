package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.schema.SchemaForms;

import java.util.List;

/**
 * What a document is asked for of. Requests with the same one have the same answer.
 *
 * @param names        of the services, in order, with version and group
 * @param isEachNeeded whether it is a failure if a service cannot be described
 */
record DocumentKey(List<MethodName> names, boolean isEachNeeded, SchemaForms forms) {}
