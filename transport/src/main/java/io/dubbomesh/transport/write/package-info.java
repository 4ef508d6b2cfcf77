/** The end of a turn: ready work, batches, the flush. */
package io.dubbomesh.transport.write;
