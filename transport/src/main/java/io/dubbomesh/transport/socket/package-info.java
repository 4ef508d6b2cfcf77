/** The transports of the operating system, and the options of sockets. */
package io.dubbomesh.transport.socket;
