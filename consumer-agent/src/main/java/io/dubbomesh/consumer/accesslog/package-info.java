/** The access log: a line of JSON for each request, or for some, written by a thread of its own. */
package io.dubbomesh.consumer.accesslog;
