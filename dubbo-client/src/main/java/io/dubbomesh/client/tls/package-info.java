/** TLS to providers: which of them are called with it. */
package io.dubbomesh.client.tls;
