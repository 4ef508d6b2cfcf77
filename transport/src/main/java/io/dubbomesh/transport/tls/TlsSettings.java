package io.dubbomesh.transport.tls;

import java.nio.file.Path;
import java.util.List;

/**
 * How agents authenticate each other. The files are in PEM and may be replaced at any time.
 *
 * @param certificates this agent's own, and those that lead from it to the peers' authority
 * @param key          of the first of these, PKCS#8
 * @param authorities  certificates of the authorities that may have signed a peer's certificate
 * @param peerNames    DNS names of which a peer's certificate must have one; empty: any certificate that the authorities have signed
 */
public record TlsSettings(
        Path certificates, Path key, Path authorities, List<String> peerNames, long handshakeTimeoutMs) {}
