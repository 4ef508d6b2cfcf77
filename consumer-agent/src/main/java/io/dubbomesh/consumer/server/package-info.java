/** HTTP connections: their states and timeouts, their exchanges, and the order of the responses. */
package io.dubbomesh.consumer.server;
