/** Hessian 2 in place in a {@code ByteBuf}: a writer, a pull reader, and the conversion to text or JSON. */
package io.dubbomesh.protocol.hessian;
