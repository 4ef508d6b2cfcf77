/** The schemas of tools, made of the types of their services. */
package io.dubbomesh.consumer.mcp.schema;
