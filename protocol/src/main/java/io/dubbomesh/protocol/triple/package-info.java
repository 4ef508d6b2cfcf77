/**
 * Triple, Dubbo 3's protocol on gRPC: requests with their header fields, and answers brought into the form of a Dubbo
 * response.
 */
package io.dubbomesh.protocol.triple;
