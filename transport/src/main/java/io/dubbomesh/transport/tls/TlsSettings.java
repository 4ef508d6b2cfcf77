package io.dubbomesh.transport.tls;

import java.nio.file.Path;
import java.util.List;

/**
 * How agents prove to each other who they are. The files are in PEM and may be replaced at any time.
 *
 * @param certificates this agent's own, and those that lead from it to the peers' authority
 * @param key          of the first of these, PKCS#8
 * @param authorities  certificates of those whose signature a peer's certificate must bear
 * @param peerNames    of which a peer's certificate must bear one; empty: any that the authorities have signed
 */
public record TlsSettings(
        Path certificates, Path key, Path authorities, List<String> peerNames, long handshakeTimeoutMs) {}
