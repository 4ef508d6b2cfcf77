/** Messages of JSON-RPC 2.0, as the Model Context Protocol uses them, and its revisions. */
package io.dubbomesh.consumer.mcp.rpc;
