/** Asks a provider by gRPC, over connections that block. */
package io.dubbomesh.client.grpc;
