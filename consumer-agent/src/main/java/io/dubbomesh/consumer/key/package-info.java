/** The keys of calls: what calls have in common that are to go to the same endpoint. */
package io.dubbomesh.consumer.key;
