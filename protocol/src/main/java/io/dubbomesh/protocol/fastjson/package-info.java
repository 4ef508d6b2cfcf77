/** Fastjson's JSON, as Dubbo's serialization fastjson frames it: a writer, a scanner, and the conversion to JSON. */
package io.dubbomesh.protocol.fastjson;
