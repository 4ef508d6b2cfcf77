/**
 * Frames of Dubbo 2, and responses as text, JSON or problem documents, in every serialization.
 */
package io.dubbomesh.protocol.dubbo;
