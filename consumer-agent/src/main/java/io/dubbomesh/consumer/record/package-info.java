/** The records of finished requests, for the access log, traces and the client itself. */
package io.dubbomesh.consumer.record;
