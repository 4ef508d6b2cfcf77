/** The JSON Schemas (2020-12) of Java types: which JSON the agents accept and write for each. */
package io.dubbomesh.protocol.schema;
