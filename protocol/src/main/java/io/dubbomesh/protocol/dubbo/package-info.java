/**
 * Frames of Dubbo 2: requests out of text or JSON, and responses as text, JSON or problem documents, in every
 * serialization.
 */
package io.dubbomesh.protocol.dubbo;
