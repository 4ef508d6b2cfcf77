/** HTTP/2 as a client: frames, streams and windows of one connection. */
package io.dubbomesh.transport.http2;
