/** The way of calls to provider agents: endpoints and their links, balancing, the queue, retries, pending calls. */
package io.dubbomesh.consumer.upstream;
