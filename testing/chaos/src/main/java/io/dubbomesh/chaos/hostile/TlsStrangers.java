package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.load.Openssl;
import io.dubbomesh.chaos.load.Stranger;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.site.Certificates;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.tls.TlsFiles;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** TLS clients that an agent must refuse, and, for comparison, such that it must not. */
final class TlsStrangers {
    /** The parameter of calls that must be executed. */
    static final String FRIEND = "a-call-of-openssl";

    /** The parameter of calls that must not. */
    static final String STRANGER = "a-call-of-a-stranger";

    private static final String TLS_1_2 = "-tls1_2";
    private static final String TLS_1_3 = "-tls1_3";
    private static final int REFUSED_SECONDS = 10;
    private static final int SERVED_SECONDS = 10;
    private static final double STUCK_SECONDS = 3;

    private final Site site;
    private int clients;

    /**
     * A port that speaks TLS.
     *
     * @param call     what a client sends to call with this parameter
     * @param greeting what a client that is served receives, and no other
     * @param names    whether the names of certificates matter
     */
    record Port(UnaryOperator<String> call, String greeting, boolean names) {}

    TlsStrangers(Site site) {
        this.site = site;
    }

    void meet(Part agent, Port port, Figures figures) throws Exception {
        Certificates certificates = site.certificates();
        for (String version : List.of(TLS_1_2, TLS_1_3)) {
            String name = agent.name() + version.replace("-tls1_", ", TLS 1.") + ", ";
            figures.holds(name + "good certificate: served", isServed(agent, port, certificates.good(), version));
            assertRefused(agent, port, null, figures, name + "no certificate", version);
            assertRefused(agent, port, certificates.ofAnotherAuthority(), figures, name + "another authority", version);
            assertRefused(agent, port, certificates.expired(), figures, name + "expired", version);
            if (port.names) {
                assertRefused(agent, port, certificates.withAnotherName(), figures, name + "wrong name", version);
            }
        }
        TlsFiles good = certificates.good();
        assertRefused(
                agent, port, good, figures, agent.name() + ", TLS 1.1", "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0");
        figures.holds(agent.name() + ", renegotiation: refused", isRefusedRenegotiation(agent, good))
                .atMost(
                        agent.name() + ": s until a ClientHello in records of 1 byte was closed",
                        Stranger.secondsUntilClosed(agent.address(), Stranger.clientHelloInRecordsOfOneByte()),
                        STUCK_SECONDS);
    }

    private boolean isServed(Part agent, Port port, TlsFiles own, String... options) throws Exception {
        try (Openssl client = client(agent, own, "-quiet", options)) {
            client.send(port.call.apply(FRIEND));
            return client.awaitOutput(port.greeting, SERVED_SECONDS);
        }
    }

    private void assertRefused(Part agent, Port port, TlsFiles own, Figures figures, String name, String... options)
            throws Exception {
        try (Openssl client = client(agent, own, "-quiet", options)) {
            client.send(port.call.apply(STRANGER));
            boolean ended = client.awaitEnd(REFUSED_SECONDS);
            figures.holds(name + ": refused", ended && !client.output().contains(port.greeting));
        }
    }

    /** Only an openssl that is not quiet takes a line R as a command. */
    private boolean isRefusedRenegotiation(Part agent, TlsFiles own) throws Exception {
        try (Openssl client = client(agent, own, "-no_ign_eof", TLS_1_2)) {
            if (!client.awaitOutput("Verify return code", SERVED_SECONDS)) {
                return false;
            }
            client.send("R\n");
            return client.awaitOutput("RENEGOTIATING", SERVED_SECONDS) && client.awaitEnd(REFUSED_SECONDS);
        }
    }

    private Openssl client(Part agent, TlsFiles own, String mode, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(mode));
        all.addAll(List.of(options));
        if (own != null) {
            all.addAll(List.of(
                    "-cert", own.certificate().toString(), "-key", own.key().toString()));
        }
        return Openssl.connect(agent.address(), site.directory().resolve("openssl-" + ++clients), all);
    }
}
