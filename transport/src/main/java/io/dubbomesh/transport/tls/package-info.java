/** TLS on links and for HTTP: contexts, handshakes, certificates. */
package io.dubbomesh.transport.tls;
