package io.dubbomesh.client.trace;

import io.dubbomesh.protocol.dubbo.DubboStatus;

/**
 * The names that Dubbo's documents and the semantic conventions of OpenTelemetry give to the status of a Dubbo
 * response.
 */
final class DubboStatusNames {
    private DubboStatusNames() {}

    static String of(int status) {
        return switch (status) {
            case DubboStatus.OK -> "OK";
            case 30 -> "CLIENT_TIMEOUT";
            case DubboStatus.SERVER_TIMEOUT -> "SERVER_TIMEOUT";
            case 35 -> "CHANNEL_INACTIVE";
            case DubboStatus.BAD_REQUEST -> "BAD_REQUEST";
            case DubboStatus.BAD_RESPONSE -> "BAD_RESPONSE";
            case DubboStatus.SERVICE_NOT_FOUND -> "SERVICE_NOT_FOUND";
            case DubboStatus.SERVICE_ERROR -> "SERVICE_ERROR";
            case DubboStatus.SERVER_ERROR -> "SERVER_ERROR";
            case 90 -> "CLIENT_ERROR";
            case DubboStatus.POOL_EXHAUSTED -> "SERVER_THREADPOOL_EXHAUSTED_ERROR";
            default -> Integer.toString(status);
        };
    }
}
