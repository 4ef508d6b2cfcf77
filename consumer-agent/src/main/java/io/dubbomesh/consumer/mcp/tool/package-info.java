/** The tools of an agent as the file of {@code mcp.tools} publishes them, and what callers get of their results. */
package io.dubbomesh.consumer.mcp.tool;
