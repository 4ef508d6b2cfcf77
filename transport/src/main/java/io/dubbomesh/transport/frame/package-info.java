/** Cuts what arrives into frames. */
package io.dubbomesh.transport.frame;
