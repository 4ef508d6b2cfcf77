package io.dubbomesh.transport.grpc;

import java.util.Map;

/**
 * A call with its first message.
 *
 * @param path        of the method, from its first slash
 * @param contentType one that begins with {@code application/grpc}
 * @param fields      header fields beside those of gRPC, their names in lower case
 */
public record GrpcRequest(String path, String contentType, Map<String, String> fields, byte[] message) {}
