/** The two spans of a request at a consumer agent: that of the HTTP request, and that of the call that it becomes. */
package io.dubbomesh.consumer.trace;
