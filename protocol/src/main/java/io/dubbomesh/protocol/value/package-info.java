/**
 * JSON and text as bytes, and the values that all serializations share: reads, checks and writes them, independent of
 * the format.
 */
package io.dubbomesh.protocol.value;
