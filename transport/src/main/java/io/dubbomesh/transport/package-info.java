/** The settings of sockets and of TLS. */
package io.dubbomesh.transport;
