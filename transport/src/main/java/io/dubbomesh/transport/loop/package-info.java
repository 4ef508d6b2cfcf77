/** Event loops: accepting, connecting, reconnecting, periodic tasks. */
package io.dubbomesh.transport.loop;
