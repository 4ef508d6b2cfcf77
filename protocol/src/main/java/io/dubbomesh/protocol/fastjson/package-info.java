/** Fastjson's JSON, as Dubbo's serialization fastjson frames it: a writer, a scanner, and its way into JSON. */
package io.dubbomesh.protocol.fastjson;
