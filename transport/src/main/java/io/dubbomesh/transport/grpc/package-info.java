/** Calls of gRPC, a few at once, on a connection of its own: for registries and for questions to providers. */
package io.dubbomesh.transport.grpc;
