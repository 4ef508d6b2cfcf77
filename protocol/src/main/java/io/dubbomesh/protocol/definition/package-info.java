/** What a service's methods and classes are, and where that is read: class files, a provider's metadata, telnet. */
package io.dubbomesh.protocol.definition;
