package io.dubbomesh.consumer.openapi;

import io.dubbomesh.client.definition.SourceFiles;
import io.dubbomesh.protocol.javadoc.ServiceTexts;

/**
 * What documents are made of beside the descriptions of services.
 *
 * @param maxTimeoutMs of a request
 * @param authenticated whether requests need a token
 * @param file          what the operator has written about services
 * @param sources       what their Javadoc says
 */
public record OpenApiSettings(long maxTimeoutMs, boolean authenticated, DescriptionFile file, SourceFiles sources) {
    /** Returns the texts in force. Called by one thread. */
    ServiceTexts texts() {
        return file.texts().over(sources.texts());
    }
}
