package io.dubbomesh.client.grpc;

import java.io.IOException;
import java.util.Base64;
import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Asks a provider by Triple whether it is Dubbo 3.0, which does not read arguments by the types that methods declare.
 * The question is a call of {@code $invoke} whose message is malformed: every version refuses it before anything is
 * executed. Dubbo 3.0 alone reads messages by protobuf's own classes, and says so. Later ones may not answer at all,
 * where the service needs a token; Dubbo 3.0 looks for one when the message is read.
 */
public final class TripleRelease {
    private static final String INVOKE = "/$invoke";
    private static final String CONTENT_TYPE = "application/grpc+proto";
    private static final byte[] MALFORMED = {1, 2, 3};
    /** The class of the exception in the details of the refusal of Dubbo 3.0. */
    private static final String OF_PROTOBUF = "com.google.protobuf.InvalidProtocolBufferException";

    private TripleRelease() {}

    /**
     * Blocks until the provider has answered.
     *
     * @param path   of a service that the provider exports
     * @param fields that name its version and group
     * @return false if the provider is Dubbo 3.0
     * @throws IOException if it does not answer before the deadline of the connection
     */
    public static boolean readsDeclaredTypes(BlockingGrpcConnection connection, String path, Map<String, String> fields)
            throws IOException {
        try {
            connection.call('/' + path + INVOKE, CONTENT_TYPE, fields, MALFORMED);
            return true;
        } catch (BlockingGrpcConnection.StatusException e) {
            return !isOfProtobuf(e.details());
        }
    }

    private static boolean isOfProtobuf(String details) {
        try {
            return details != null && new String(Base64.getDecoder().decode(details), ISO_8859_1).contains(OF_PROTOBUF);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
