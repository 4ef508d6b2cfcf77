/** Java types and the arguments of calls: checks text or JSON against the types and writes it as values. */
package io.dubbomesh.protocol.type;
