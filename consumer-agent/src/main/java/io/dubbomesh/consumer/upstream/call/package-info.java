/** Calls on their way to endpoints: sending, waiting, sending again, deadlines and responses. */
package io.dubbomesh.consumer.upstream.call;
