/**
 * Requests out of text or JSON: methods that are prepared to be called, in the format of Dubbo 2 or of another
 * protocol.
 */
package io.dubbomesh.protocol.request;
