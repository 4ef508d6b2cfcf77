/** The server of the Model Context Protocol: methods of services as tools for language models. */
package io.dubbomesh.consumer.mcp;
