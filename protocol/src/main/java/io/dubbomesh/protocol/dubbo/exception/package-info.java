/** The exceptions in answers: their fields in any serialization, and failures of Dubbo's filter {@code validation}. */
package io.dubbomesh.protocol.dubbo.exception;
