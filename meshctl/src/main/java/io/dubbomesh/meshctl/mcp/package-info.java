/** The commands for tools: a client of the Model Context Protocol, and drafts of files that publish tools. */
package io.dubbomesh.meshctl.mcp;
