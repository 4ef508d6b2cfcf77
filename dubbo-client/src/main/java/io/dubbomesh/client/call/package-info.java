/**
 * A call between its request and its answer: the permits of the limit and the queue for them, the calls that are
 * pending, the copy of a request that can be given back.
 */
package io.dubbomesh.client.call;
