/** Calls in HTTP requests: forms and JSON, names and types, attachments, routes. */
package io.dubbomesh.consumer.call;
