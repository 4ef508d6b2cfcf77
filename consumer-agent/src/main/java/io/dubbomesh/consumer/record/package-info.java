/** What is known of a request in the end, for whoever wants to know: the access log, traces, the client itself. */
package io.dubbomesh.consumer.record;
