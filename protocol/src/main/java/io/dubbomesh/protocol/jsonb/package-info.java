/**
 * JSONB, the binary format of fastjson2, as Dubbo's serialization fastjson2 frames it: a writer, a reader, and the
 * conversion to text or JSON.
 */
package io.dubbomesh.protocol.jsonb;
