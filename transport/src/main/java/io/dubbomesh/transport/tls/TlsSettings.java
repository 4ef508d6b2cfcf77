package io.dubbomesh.transport.tls;

import io.netty.handler.ssl.ClientAuth;

import java.nio.file.Path;
import java.util.List;

/**
 * The TLS of one kind of connection. The files are in PEM and may be replaced at any time.
 *
 * @param prefix       of the settings that this was read from, for messages
 * @param protocol     what is spoken behind TLS, by its name in ALPN (RFC 7301); null where peers do not negotiate it
 * @param certificates this agent's own, and those that lead from it to the peers' authority; null if it shows none
 * @param key          of the first of these, PKCS#8; null likewise
 */
public record TlsSettings(
        String prefix, String protocol, Path certificates, Path key, Peers peers, long handshakeTimeoutMs) {
    /**
     * The certificates that peers show.
     *
     * @param setting     that names {@code authorities}, for messages
     * @param demand      whether they need one, where they connect; a peer that is connected to always needs one
     * @param authorities certificates of the authorities that may have signed it; null where none is demanded, and for
     *     those that the JVM trusts where this agent connects
     * @param names DNS names of which it must have one; empty: any certificate that the authorities have signed, or of
     *     those that the JVM trusts one for the host that is connected to
     */
    public record Peers(String setting, ClientAuth demand, Path authorities, List<String> names) {
        /** Returns whether a peer that is connected to must have a certificate for its host. */
        boolean areKnownByHost() {
            return authorities == null && names.isEmpty();
        }
    }

    /** Reads the settings of links, whose ends authenticate each other. */
    public static TlsSettings ofLinks(
            Path certificates, Path key, Path authorities, List<String> peerNames, long handshakeTimeoutMs) {
        Peers peers = new Peers("mesh.tls.ca", ClientAuth.REQUIRE, authorities, peerNames);
        return new TlsSettings("mesh.tls", null, certificates, key, peers, handshakeTimeoutMs);
    }

    /**
     * Reads the settings of connections to Dubbo providers.
     *
     * @param certificates null if this agent shows none to providers
     * @param key          null likewise
     * @param authorities  of the providers' certificates; null for those that the JVM trusts
     */
    public static TlsSettings ofProviders(
            Path certificates, Path key, Path authorities, List<String> names, long handshakeTimeoutMs) {
        Peers providers = new Peers("dubbo.tls.ca", ClientAuth.REQUIRE, authorities, names);
        return new TlsSettings("dubbo.tls", null, certificates, key, providers, handshakeTimeoutMs);
    }

    /**
     * Reads the settings for HTTP, whose clients authenticate the agent.
     *
     * @param authorities of the clients' certificates; null where none is demanded
     */
    public static TlsSettings ofHttp(
            Path certificates, Path key, ClientAuth demand, Path authorities, long handshakeTimeoutMs) {
        Peers clients = new Peers("http.tls.client-ca", demand, authorities, List.of());
        return new TlsSettings("http.tls", "http/1.1", certificates, key, clients, handshakeTimeoutMs);
    }
}
