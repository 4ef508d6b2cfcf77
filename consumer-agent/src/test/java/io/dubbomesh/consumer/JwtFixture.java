package io.dubbomesh.consumer;

import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.testsupport.HttpAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** A consumer agent that takes JWTs, which the test signs with the JDK. */
abstract class JwtFixture extends AgentTest {
    static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    static KeyPair rsa;
    static KeyPair otherRsa;
    static KeyPair ec;
    static KeyPair ed25519;

    @TempDir
    Path directory;

    HttpServer server;
    volatile String served = "";
    final AtomicInteger fetches = new AtomicInteger();

    @BeforeAll
    static void makeKeys() throws GeneralSecurityException {
        KeyPairGenerator rsaKeys = KeyPairGenerator.getInstance("RSA");
        rsaKeys.initialize(2048);
        rsa = rsaKeys.generateKeyPair();
        otherRsa = rsaKeys.generateKeyPair();
        KeyPairGenerator ecKeys = KeyPairGenerator.getInstance("EC");
        ecKeys.initialize(new ECGenParameterSpec("secp256r1"));
        ec = ecKeys.generateKeyPair();
        ed25519 = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }

    @AfterEach
    void endServer() {
        if (server != null) {
            server.stop(0);
        }
    }

    static String base64(byte[] bytes) {
        return BASE64.encodeToString(bytes);
    }

    static String base64(BigInteger number, int length) {
        byte[] bytes = new byte[length];
        byte[] digits = number.toByteArray();
        int count = Math.min(digits.length, length);
        System.arraycopy(digits, digits.length - count, bytes, length - count, count);
        return base64(bytes);
    }

    static String rsaJwk(String kid, KeyPair pair) {
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return "{\"kty\":\"RSA\",\"kid\":\"" + kid + "\",\"use\":\"sig\",\"n\":\"" + base64(key.getModulus(), 256)
                + "\",\"e\":\"AQAB\"}";
    }

    static String allKeys() {
        ECPublicKey ecKey = (ECPublicKey) ec.getPublic();
        EdECPublicKey edKey = (EdECPublicKey) ed25519.getPublic();
        byte[] encoded = edKey.getEncoded();
        byte[] x = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        return "{\"keys\":[{\"kty\":\"what\"},{\"kty\":\"RSA\",\"n\":7},3," + rsaJwk("rsa", rsa)
                + ",{\"kty\":\"EC\",\"kid\":\"ec\",\"crv\":\"P-256\",\"x\":\""
                + base64(ecKey.getW().getAffineX(), 32) + "\",\"y\":\""
                + base64(ecKey.getW().getAffineY(), 32)
                + "\"},{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"ed\",\"x\":\"" + base64(x)
                + "\"},{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\"}]}";
    }

    static String claims(long expiresInS, String more) {
        return "{\"iss\":\"https://issuer.example\",\"aud\":[\"mesh\",\"other\"],\"sub\":\"ana\",\"exp\":"
                + (System.currentTimeMillis() / 1000 + expiresInS) + more + '}';
    }

    static String unsigned(String header, String claims) {
        return base64(header.getBytes(US_ASCII)) + '.' + base64(claims.getBytes(US_ASCII));
    }

    static String jwt(String algorithm, String kid, KeyPair pair, String claims) throws GeneralSecurityException {
        String head = "{\"alg\":\"" + algorithm + "\"" + (kid == null ? "" : ",\"kid\":\"" + kid + "\"") + '}';
        String signed = unsigned(head, claims);
        Signature signature = Signature.getInstance(
                switch (algorithm) {
                    case "ES256" -> "SHA256withECDSAinP1363Format";
                    case "EdDSA" -> "Ed25519";
                    default -> "SHA256withRSA";
                });
        signature.initSign(pair.getPrivate());
        signature.update(signed.getBytes(US_ASCII));
        return signed + '.' + base64(signature.sign());
    }

    static String good() throws GeneralSecurityException {
        return jwt("RS256", "rsa", rsa, claims(600, ""));
    }

    void start(String... settings) throws Exception {
        ServingPeer peer = opened(new ServingPeer());
        Files.writeString(directory.resolve("keys"), allKeys());
        Map<String, String> all = new HashMap<>(Map.of(
                "http.auth", "jwt",
                "http.auth.jwks", directory.resolve("keys").toString(),
                "http.auth.issuer", "https://issuer.example",
                "http.auth.audience", "mesh"));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        startWithPorts(all, peer.port());
    }

    String serve(String keys) throws IOException {
        served = keys;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            fetches.incrementAndGet();
            byte[] body = served.getBytes(US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
    }

    HttpAnswer call(String token) throws IOException {
        return client().call(Requests.form("argument", "Authorization: Bearer " + token));
    }

    void assertInvalid(String token, String why) throws IOException {
        assertThat(call(token).assertProblem(401, "INVALID_TOKEN"))
                .containsEntry("detail", "the token of the header Authorization is not valid: " + why);
    }
}
