/** Definitions of services, methods and classes, and their sources: class files, a provider's metadata, telnet. */
package io.dubbomesh.protocol.definition;
