package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.document.Config;
import io.dubbomesh.runtime.FileFailure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Checks whether the certificates of an agent end soon, if it runs on this machine and their files can be read. */
final class CertificateChecks {
    private static final Duration SOON = Duration.ofDays(14);
    private static final List<String> SETTINGS =
            List.of("mesh.tls.cert", "mesh.tls.ca", "http.tls.cert", "http.tls.client-ca");

    private CertificateChecks() {}

    /**
     * @param adminHost the host of the agent's admin port
     * @param config    the settings of the agent
     */
    static List<Finding> check(String adminHost, Config config, Instant now) {
        List<Finding> findings = new ArrayList<>();
        for (Config.Setting setting : config.settings()) {
            String file = setting.value();
            if (SETTINGS.contains(setting.key()) && !file.isEmpty()) {
                findings.add(check(adminHost, setting.key() + " " + file, file, now));
            }
        }
        return findings;
    }

    private static Finding check(String adminHost, String name, String file, Instant now) {
        Path path = Path.of(file);
        String whyNot = new AgentMachine(adminHost).unreachableReason(path);
        return whyNot == null ? check(name, path, now) : Finding.ok(name + ": " + whyNot);
    }

    private static Finding check(String name, Path file, Instant now) {
        if (!Files.isReadable(file)) {
            return Finding.ok(name + ": cannot be read here, so its end is not known");
        }
        Instant end;
        try {
            end = end(file);
        } catch (IOException | CertificateException e) {
            String reason = e instanceof IOException failure ? FileFailure.reason(failure) : e.getMessage();
            return Finding.fail(name + " cannot be read: " + reason, "name a file with certificates in PEM");
        }
        String remedy = "renew it; the agent reads the file again when it has changed";
        if (!end.isAfter(now)) {
            return Finding.fail(name + ": a certificate ended at " + end, remedy);
        }
        if (end.isBefore(now.plus(SOON))) {
            return Finding.warn(name + ": a certificate ends at " + end, remedy);
        }
        return Finding.ok(name + ": its certificates last until " + end);
    }

    /** Returns the end of the certificate that ends first. */
    private static Instant end(Path file) throws IOException, CertificateException {
        Instant end = Instant.MAX;
        try (InputStream in = Files.newInputStream(file)) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                Instant endOfEach = ((X509Certificate) each).getNotAfter().toInstant();
                end = endOfEach.isBefore(end) ? endOfEach : end;
            }
        }
        if (end == Instant.MAX) {
            throw new CertificateException("no certificate in it");
        }
        return end;
    }
}
