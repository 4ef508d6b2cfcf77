/** Responses of HTTP/1.1: what they say and how they are written. Knows no requests, calls or links. */
package io.dubbomesh.consumer.http.response;
