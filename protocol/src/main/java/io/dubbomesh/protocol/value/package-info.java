/** JSON and text as bytes, and the values that all serializations share: what reads, checks and writes them, whatever the format. */
package io.dubbomesh.protocol.value;
