/** Links: HELLO, heartbeat, GOAWAY, and the proof of a mesh token. */
package io.dubbomesh.transport.mesh;
