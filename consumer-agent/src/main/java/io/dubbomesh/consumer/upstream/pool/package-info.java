/** The endpoints of the services that are called, as one event loop sees them: which of them gets the next call. */
package io.dubbomesh.consumer.upstream.pool;
