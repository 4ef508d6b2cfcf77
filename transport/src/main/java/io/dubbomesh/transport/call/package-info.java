/** Pending calls and their deadlines. */
package io.dubbomesh.transport.call;
