package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.random.FuzzedInput;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Names in the certificate of a peer, and those that an operator has set. The first line of an input is the latter
 * (mesh.tls.peer-names), with commas between them. Each other line is a part of the certificate, by its first byte:
 * <pre>
 *  d  DNS name                     i  IP address      n  the common name
 *  u  URI                          o  other name      x  bytes behind the alternative names
 *  e  address of e-mail
 * </pre>
 * The peer is expected to be let in if and only if a DNS name has the bytes of a name that was set, but for the case of
 * ASCII letters: there are no wildcards (RFC 9525, 6.3, leaves them to the application), and the common name does not
 * count (6.1).
 */
public final class CertificateFuzz {
    private static final HexFormat HEX = HexFormat.of();
    private static final String COMMON_NAME = "0603550403";
    private static final String ALTERNATIVE_NAMES = "0603551d11";
    private static final byte[] ECDSA = tlv(0x30, HEX.parseHex("06082a8648ce3d040302"));
    private static final byte[] VALIDITY =
            tlv(0x30, tlv(0x17, "260101000000Z".getBytes(US_ASCII)), tlv(0x17, "361231235959Z".getBytes(US_ASCII)));
    private static final byte[] KEY = key();
    private static final int MAX_PEER_NAME = 256;

    private CertificateFuzz() {}

    /** The subject that an input gives the certificate. */
    private static final class Subject {
        final ByteArrayOutputStream alternatives = new ByteArrayOutputStream();
        final List<byte[]> dnsNames = new ArrayList<>();
        /** Whether some bytes of the alternative names were not told apart. */
        boolean hasOthers;

        byte[] commonName = "agent".getBytes(US_ASCII);
        /** Whether all of it is DNS names and a common name of printable ASCII, so that Java reads it for certain. */
        boolean isPlain = true;

        void add(byte kind, byte[] value) {
            switch (kind) {
                case 'd' -> {
                    alternatives.writeBytes(tlv(0x82, value));
                    dnsNames.add(value);
                    isPlain &= isPrintable(value);
                }
                case 'n' -> {
                    commonName = value;
                    isPlain &= isPrintable(value);
                }
                case 'u' -> addOther(0x86, value);
                case 'e' -> addOther(0x81, value);
                case 'i' -> addOther(0x87, value);
                case 'o' -> addOther(0xa0, value);
                default -> {
                    hasOthers = true;
                    alternatives.writeBytes(value);
                    isPlain = false;
                }
            }
        }

        private void addOther(int tag, byte[] value) {
            alternatives.writeBytes(tlv(tag, value));
            isPlain = false;
        }

        /** Within bytes that are not told apart here: where there are some, they may begin a name that others end. */
        boolean mayHave(String name) {
            if (!hasOthers) {
                return false;
            }
            return lowerCase(alternatives.toByteArray()).contains(lowerCase(name.getBytes(UTF_8)));
        }

        private static boolean isPrintable(byte[] value) {
            for (byte b : value) {
                if (b < ' ' || b > '~') {
                    return false;
                }
            }
            return value.length > 0;
        }
    }

    public static void fuzzerTestOneInput(byte[] input) {
        FuzzedInput.check(allocator -> read(input));
    }

    private static void read(byte[] input) {
        List<byte[]> lines = lines(input);
        List<String> names = new ArrayList<>();
        for (String name : new String(lines.get(0), UTF_8).split(",")) {
            if (!name.isBlank()) {
                names.add(name.strip());
            }
        }
        Subject subject = new Subject();
        for (byte[] line : lines.subList(1, lines.size())) {
            if (line.length > 0) {
                subject.add(line[0], Arrays.copyOfRange(line, 1, line.length));
            }
        }
        X509Certificate certificate;
        try {
            certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(encoded(subject)));
        } catch (CertificateException e) {
            // Nor can TLS read it.
            return;
        }
        checkAccess(subject, names, certificate);
        checkName(subject, certificate);
    }

    private static void checkAccess(Subject subject, List<String> names, X509Certificate certificate) {
        boolean accepted;
        try {
            new PeerNameTrustManager(new Anybody(), names, "mesh.tls.peer-names")
                    .checkClientTrusted(new X509Certificate[] {certificate}, "ECDSA");
            accepted = true;
        } catch (CertificateException e) {
            accepted = false;
        }
        boolean expected =
                names.stream().anyMatch(name -> subject.dnsNames.stream().anyMatch(borne -> isSame(name, borne)));
        // With malformed names beside it Java may not find a good one.
        boolean possible = expected || names.stream().anyMatch(subject::mayHave);
        if (accepted && !possible || expected && subject.isPlain && !accepted) {
            throw new AssertionError("accepted: " + accepted + ", expected: " + expected);
        }
    }

    private static boolean isSame(String name, byte[] borne) {
        byte[] wanted = name.getBytes(UTF_8);
        if (wanted.length != borne.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (lowerCase(wanted[i]) != lowerCase(borne[i])) {
                return false;
            }
        }
        return true;
    }

    /** A character for each byte. */
    private static String lowerCase(byte[] bytes) {
        byte[] lower = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            lower[i] = (byte) lowerCase(bytes[i]);
        }
        return new String(lower, ISO_8859_1);
    }

    private static int lowerCase(byte b) {
        return b >= 'A' && b <= 'Z' ? b + 32 : b;
    }

    /** Checks the name by which callers are known: it goes into logs and rules. */
    private static void checkName(Subject subject, X509Certificate certificate) {
        String name = PeerName.of(certificate);
        if (name.length() > MAX_PEER_NAME || !name.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new AssertionError("not printable: " + name);
        }
        if (subject.isPlain) {
            byte[] wanted = subject.dnsNames.isEmpty() ? subject.commonName : subject.dnsNames.get(0);
            String expected = wanted.length > MAX_PEER_NAME ? "" : new String(wanted, US_ASCII);
            if (!name.equals(expected)) {
                throw new AssertionError('"' + name + "\", expected: \"" + expected + '"');
            }
        }
    }

    private static List<byte[]> lines(byte[] input) {
        List<byte[]> lines = new ArrayList<>();
        for (String line : new String(input, ISO_8859_1).split("\n", -1)) {
            lines.add(line.getBytes(ISO_8859_1));
        }
        return lines;
    }

    private static byte[] encoded(Subject subject) {
        byte[] issuer = name("ca".getBytes(US_ASCII));
        byte[] alternatives = subject.alternatives.toByteArray();
        byte[] extensions = alternatives.length == 0
                ? new byte[0]
                : tlv(0xa3, tlv(0x30, tlv(0x30, HEX.parseHex(ALTERNATIVE_NAMES), tlv(0x04, tlv(0x30, alternatives)))));
        byte[] version = tlv(0xa0, tlv(0x02, new byte[] {2}));
        byte[] serial = tlv(0x02, new byte[] {1});
        byte[] signed = tlv(0x30, version, serial, ECDSA, issuer, VALIDITY, name(subject.commonName), KEY, extensions);
        return tlv(0x30, signed, ECDSA, tlv(0x03, new byte[] {0}));
    }

    private static byte[] name(byte[] commonName) {
        return tlv(0x30, tlv(0x31, tlv(0x30, HEX.parseHex(COMMON_NAME), tlv(0x0c, commonName))));
    }

    private static byte[] key() {
        try {
            return KeyPairGenerator.getInstance("EC")
                    .generateKeyPair()
                    .getPublic()
                    .getEncoded();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A value in DER. */
    private static byte[] tlv(int tag, byte[]... parts) {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            value.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        if (value.size() < 0x80) {
            all.write(value.size());
        } else {
            all.write(0x84);
            all.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(0, value.size()).array());
        }
        all.writeBytes(value.toByteArray());
        return all.toByteArray();
    }

    /** A trust manager that looks at the names alone. */
    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
