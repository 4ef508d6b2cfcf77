/** Hessian 2 in place in a {@code ByteBuf}: a writer, a pull reader, and what stands between them and text or JSON. */
package io.dubbomesh.protocol.hessian;
