/** What an HTTP request calls and with what: forms and JSON, names and types, attachments, routes. */
package io.dubbomesh.consumer.call;
