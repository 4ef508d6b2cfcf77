/** Requests of HTTP/1.1: reading them in place, strictly. Knows no responses, calls or links. */
package io.dubbomesh.consumer.http;
