/** What is known of a request in the end, for the access log, traces and the client itself. */
package io.dubbomesh.consumer.record;
