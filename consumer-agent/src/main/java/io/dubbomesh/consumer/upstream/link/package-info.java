/** The links of one event loop to endpoints: opening and losing them; how many calls each endpoint takes. */
package io.dubbomesh.consumer.upstream.link;
