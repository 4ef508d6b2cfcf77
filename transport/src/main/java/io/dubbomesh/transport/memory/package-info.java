/** The budget for bytes that are held because a peer sends or reads slowly. */
package io.dubbomesh.transport.memory;
