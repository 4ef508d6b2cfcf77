package io.dubbomesh.consumer;

import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Who may call, by JWTs that the test signs with the JDK. */
class JwtAuthTest extends AgentTest {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static KeyPair rsa;
    private static KeyPair otherRsa;
    private static KeyPair ec;
    private static KeyPair ed25519;

    @TempDir
    private Path directory;

    private HttpServer server;
    private volatile String served = "";
    private final AtomicInteger fetches = new AtomicInteger();

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

    private static String base64(byte[] bytes) {
        return BASE64.encodeToString(bytes);
    }

    private static String base64(BigInteger number, int length) {
        byte[] bytes = new byte[length];
        byte[] digits = number.toByteArray();
        int count = Math.min(digits.length, length);
        System.arraycopy(digits, digits.length - count, bytes, length - count, count);
        return base64(bytes);
    }

    private static String rsaJwk(String kid, KeyPair pair) {
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return "{\"kty\":\"RSA\",\"kid\":\"" + kid + "\",\"use\":\"sig\",\"n\":\"" + base64(key.getModulus(), 256)
                + "\",\"e\":\"AQAB\"}";
    }

    private static String allKeys() {
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

    private static String claims(long expiresInS, String more) {
        return "{\"iss\":\"https://issuer.example\",\"aud\":[\"mesh\",\"other\"],\"sub\":\"ana\",\"exp\":"
                + (System.currentTimeMillis() / 1000 + expiresInS) + more + '}';
    }

    private static String unsigned(String header, String claims) {
        return base64(header.getBytes(US_ASCII)) + '.' + base64(claims.getBytes(US_ASCII));
    }

    private static String jwt(String algorithm, String kid, KeyPair pair, String claims)
            throws GeneralSecurityException {
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

    private static String good() throws GeneralSecurityException {
        return jwt("RS256", "rsa", rsa, claims(600, ""));
    }

    private void start(String... settings) throws Exception {
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

    private String serve(String keys) throws IOException {
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

    private HttpAnswer call(String token) throws IOException {
        return client().call(Requests.form("argument", "Authorization: Bearer " + token));
    }

    private void assertInvalid(String token, String why) throws IOException {
        assertThat(call(token).assertProblem(401, "INVALID_TOKEN"))
                .containsEntry("detail", "the token of the header Authorization is not valid: " + why);
    }

    @ParameterizedTest
    @CsvSource({"RS256, rsa", "RS256,", "ES256, ec", "ES256,", "EdDSA, ed"})
    void aTokenSignedByAKeyOfTheIssuerIsTakenAgainAndAgain(String algorithm, String kid) throws Exception {
        start();
        KeyPair pair = switch (algorithm) {
            case "ES256" -> ec;
            case "EdDSA" -> ed25519;
            default -> rsa;
        };
        String token = jwt(algorithm, kid, pair, claims(600, ""));
        assertThat(call(token).text()).isEqualTo("argument");
        assertThat(call(token).text()).isEqualTo("argument");
        // Any other character of the signature: of the last one not all bits count.
        int at = token.length() - 20;
        String changed = token.substring(0, at) + (token.charAt(at) == 'A' ? 'B' : 'A') + token.substring(at + 1);
        assertInvalid(changed, "its signature is wrong");
    }

    @Test
    void whatATokenClaimsMustFit() throws Exception {
        start();
        assertThat(call(jwt("RS256", "rsa", rsa, claims(-20, ""))).status())
                .as("within the skew")
                .isEqualTo(200);
        assertInvalid(jwt("RS256", "rsa", rsa, claims(-40, "")), "it has expired");
        String soon = ",\"nbf\":" + (System.currentTimeMillis() / 1000 + 20);
        assertThat(call(jwt("RS256", "rsa", rsa, claims(600, soon))).status()).isEqualTo(200);
        String later = ",\"nbf\":" + (System.currentTimeMillis() / 1000 + 60);
        assertInvalid(jwt("RS256", "rsa", rsa, claims(600, later)), "it is not valid yet");
        String claims = claims(600, "");
        assertInvalid(
                jwt("RS256", "rsa", rsa, claims.replace("issuer.example", "other.example")),
                "its iss is \"https://other.example\" (expected: that of http.auth.issuer)");
        assertInvalid(
                jwt("RS256", "rsa", rsa, claims.replace("\"iss\"", "\"isz\"")),
                "its iss is missing (expected: that of http.auth.issuer)");
        assertInvalid(
                jwt("RS256", "rsa", rsa, claims.replace("\"mesh\"", "\"mesh2\"")),
                "its aud is \"mesh2, other\" (expected: that of http.auth.audience)");
        assertInvalid(
                jwt("RS256", "rsa", rsa, claims.replace("\"aud\"", "\"auz\"")),
                "its aud is missing (expected: that of http.auth.audience)");
        assertInvalid(jwt("RS256", "rsa", rsa, claims.replace("\"exp\"", "\"exq\"")), "it has no exp");
        assertInvalid(
                jwt("RS256", "rsa", rsa, claims.replace("\"ana\"", "\"\"")),
                "it has no subject of 1 to 256 characters");
        assertInvalid(jwt("RS256", "rsa", otherRsa, claims), "its signature is wrong");
        assertInvalid(jwt("RS256", "gone", rsa, claims), "its issuer has no key \"gone\" for RS256");
        assertInvalid(jwt("ES256", "rsa", ec, claims), "its issuer has no key \"rsa\" for ES256");
    }

    @Test
    void noTokenIsTakenThatAnybodyCouldMake() throws Exception {
        start();
        String claims = claims(600, "");
        for (String none : new String[] {"none", "None", "NONE"}) {
            assertThat(call(unsigned("{\"alg\":\"" + none + "\"}", claims) + '.')
                            .status())
                    .isEqualTo(401);
            assertThat(call(unsigned("{\"alg\":\"" + none + "\"}", claims) + ".AAAA")
                            .status())
                    .isEqualTo(401);
        }
        for (byte[] secret :
                new byte[][] {rsa.getPublic().getEncoded(), "secretsecretsecretsecretsecret".getBytes(US_ASCII)}) {
            for (String kid : new String[] {"rsa", "secret"}) {
                String signed = unsigned("{\"alg\":\"HS256\",\"kid\":\"" + kid + "\"}", claims);
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(secret, "HmacSHA256"));
                assertInvalid(
                        signed + '.' + base64(mac.doFinal(signed.getBytes(US_ASCII))),
                        "the algorithm \"HS256\" (expected: RS, PS or ES with 256, 384 or 512, or EdDSA)");
            }
        }
        String zeros = unsigned("{\"alg\":\"ES256\",\"kid\":\"ec\"}", claims) + '.' + base64(new byte[64]);
        assertThat(call(zeros).status()).as("r = s = 0").isEqualTo(401);
        String embedded =
                unsigned("{\"alg\":\"RS256\",\"jwk\":" + rsaJwk("own", otherRsa) + ",\"kid\":\"own\"}", claims);
        assertInvalid(embedded + ".AAAA", "its issuer has no key \"own\" for RS256");
        String critical = unsigned("{\"alg\":\"RS256\",\"kid\":\"rsa\",\"crit\":[\"b64\"],\"b64\":false}", claims);
        assertThat(call(critical + ".AAAA").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a.b",
                "a.b.c",
                "...",
                "..",
                "a.b.c.d.e",
                "e30.e30.e30",
                "eyJhbGciOiJSUzI1NiJ9..",
                "eyJhbGciOiJSUzI1NiJ9.W1tbW1tbW1tb.AAAA",
                "not/base64+url=.e30.AAAA",
                "0123456789abcdef"
            })
    void whatIsNoTokenIsRefused(String text) throws Exception {
        start();
        call(text).assertProblem(401, "INVALID_TOKEN");
        assertThat(call(good()).status()).isEqualTo(200);
    }

    @Test
    void deepAndLongTokensAreRefusedAndTheNextOneIsServed() throws Exception {
        start("http.max-head", "32 KiB");
        String deep = unsigned("{\"alg\":\"RS256\",\"kid\":\"rsa\"}", "[".repeat(4000)) + ".AAAA";
        assertThat(call(deep).status()).isEqualTo(401);
        assertThat(call(unsigned("{\"x\":" + "{\"x\":".repeat(900), "{}") + ".AAAA")
                        .status())
                .isEqualTo(401);
        assertInvalid("a".repeat(9000), "longer than 8192 bytes");
        String longHeader = "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\""
                + "A".repeat(4000) + "\"}}";
        assertInvalid(unsigned(longHeader, claims(600, "")) + ".AAAA", "its header is longer than 1024 characters");
        assertThat(call(good()).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"exp\":1e999999999,\"sub\":\"ana\"}",
                "{\"exp\":1E+999999999,\"nbf\":-1e999999999,\"iat\":0.1e-999999999}",
                "{\"exp\":99999999999999999999999999999999999999999}",
                "{\"exp\":9223372036854775807,\"sub\":\"ana\"}",
                "{\"exp\":\"soon\"}",
                "{\"exp\":[[[[]]]],\"aud\":{}}",
                "[]",
                "null",
                "7",
                "\"text\""
            })
    void claimsThatAnybodyMayInventAreRefusedAtOnce(String claims) throws Exception {
        start();
        long startNs = System.nanoTime();
        assertThat(call(unsigned("{\"alg\":\"RS256\",\"kid\":\"rsa\"}", claims) + ".AAAA")
                        .status())
                .isEqualTo(401);
        assertThat(call(unsigned("{\"alg\":\"RS256\",\"kid\":\"rsa\",\"x\":1e999999999}", claims) + ".AAAA")
                        .status())
                .isEqualTo(401);
        assertThat(call(jwt("RS256", "rsa", rsa, claims)).status()).isEqualTo(401);
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(5));
        assertThat(call(good()).status()).isEqualTo(200);
    }

    @Test
    void aKeyForOtherOperationsVerifiesNothing() throws Exception {
        String key = rsaJwk("one", rsa).replace("\"use\":\"sig\"", "\"key_ops\":[\"encrypt\"]");
        String other = rsaJwk("two", otherRsa).replace("\"use\":\"sig\"", "\"key_ops\":[\"verify\"]");
        Path keys = Files.writeString(directory.resolve("operations"), "{\"keys\":[" + key + "," + other + "]}");
        start("http.auth.jwks", keys.toString());
        assertInvalid(jwt("RS256", "one", rsa, claims(600, "")), "its issuer has no key \"one\" for RS256");
        assertThat(call(jwt("RS256", "two", otherRsa, claims(600, ""))).status())
                .isEqualTo(200);
    }

    @Test
    void rulesMayNameGroups() throws Exception {
        Path rules = Files.writeString(directory.resolve("rules"), "allow group:ops a.B\nallow group:read a.B#m\n");
        start("http.auth.rules", rules.toString(), "http.auth.groups-claim", "scope");
        assertThat(call(jwt("RS256", "rsa", rsa, claims(600, ",\"scope\":\"openid read\"")))
                        .status())
                .isEqualTo(200);
        assertThat(call(jwt("RS256", "rsa", rsa, claims(600, ",\"scope\":[\"dev\",\"ops\"]")))
                        .status())
                .isEqualTo(200);
        assertThat(call(jwt("RS256", "rsa", rsa, claims(600, ",\"scope\":\"write\"")))
                        .status())
                .isEqualTo(403);
        assertThat(call(good()).status()).isEqualTo(403);
    }

    @Test
    void tokensOfAFileAndOfAnIssuerMayBeUsedAtOnce() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "bo bos-token-0123456789\n");
        start("http.auth", "token, jwt", "http.auth.token-file", tokens.toString());
        assertThat(call(good()).status()).isEqualTo(200);
        assertThat(call("bos-token-0123456789").status()).isEqualTo(200);
        assertThat(call("bos-token-0123456788").status()).isEqualTo(401);
    }

    @Test
    void aSubjectOfTheIssuerHasNotTheRulesOfItsNamesakeInTheFile() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana anas-token-0123456789\n");
        Path rules = Files.writeString(directory.resolve("rules"), "allow token:ana a.B\n");
        start(
                "http.auth", "token,jwt",
                "http.auth.token-file", tokens.toString(),
                "http.auth.rules", rules.toString());
        assertThat(call("anas-token-0123456789").status()).isEqualTo(200);
        assertInvalid("wrong-token-0123456789", "unknown");
        assertThat(call(good()).assertProblem(403, "FORBIDDEN"))
                .containsEntry("detail", "\"jwt:ana\" may not call a.B#m (http.auth.rules)");
        takeAgent().stop(0);
        Files.writeString(rules, "allow ana a.B\n");
        assertThatThrownBy(() -> start(
                        "http.auth", "token,jwt",
                        "http.auth.token-file", tokens.toString(),
                        "http.auth.rules", rules.toString()))
                .hasMessageContaining("http.auth.rules: " + rules + ":1: \"ana\" (expected: token:ana for a token");
    }

    @Test
    void aRememberedTokenEndsWhenItExpires() throws Exception {
        start();
        String token = jwt("RS256", "rsa", rsa, claims(-28, ""));
        HttpSocket client = client();
        String request = HttpSocket.request("GET /a.B", "", "Authorization: Bearer " + token);
        assertThat(client.call(request).status()).isEqualTo(200);
        Await.until("it has expired", () -> client.call(request).status() == 401);
    }

    @Test
    void aTokenThatExpiresWhileTheBodyComesIsRefused() throws Exception {
        start();
        String token = jwt("RS256", "rsa", rsa, claims(-28, ""));
        String request = Requests.form("argument", "Authorization: Bearer " + token);
        HttpSocket client = client();
        client.send(request.substring(0, request.length() - 20));
        Await.until("it has expired", () -> call(token).status() == 401);
        client.send(request.substring(request.length() - 20));
        assertThat(client.answer().assertProblem(401, "INVALID_TOKEN").get("detail"))
                .endsWith("it has expired");
    }

    @Test
    void aFloodOfForgedTokensDoesNotHoldUpWhoIsKnown() throws Exception {
        start();
        String known = HttpSocket.request("GET /a.B", "", "Authorization: Bearer " + good());
        HttpSocket client = client();
        assertThat(client.call(known).status()).isEqualTo(200);
        String forged = jwt("RS256", null, otherRsa, claims(600, ""));
        // So many in one write that the checks are most of what it takes, however slow the machine is.
        int forgedAtOnce = 600;
        String flood = HttpSocket.request("GET /a.B", "", "Authorization: Bearer " + forged)
                .repeat(forgedAtOnce);
        HttpSocket stranger = client();
        // The connection of a stranger would end with the first of them.
        assertThat(stranger.call(known).status()).isEqualTo(200);
        Await.until("there is no time for more of them", () -> {
            stranger.send(flood);
            boolean refused = false;
            for (int i = 0; i < forgedAtOnce; i++) {
                HttpAnswer answer = stranger.answer();
                assertThat(answer.status()).isIn(401, 503);
                if (answer.status() == 503) {
                    assertThat(answer.assertProblem(503, "OVERLOADED").get("detail"))
                            .startsWith("too many JWTs that are wrong");
                    assertThat(answer.header("retry-after")).isEqualTo("1");
                    refused = true;
                }
            }
            assertThat(client.call(known).status()).isEqualTo(200);
            return refused;
        });
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total", "code", "OVERLOADED"))
                .isPositive();
        String fresh = jwt("RS256", "rsa", rsa, claims(601, ""));
        Await.until("there is time again", () -> call(fresh).status() == 200);
    }

    @Test
    void aTokenWhoseKeyStaysIsNotCheckedAgainWhenAnotherComes() throws Exception {
        start("http.auth.jwks", serve("{\"keys\":[" + rsaJwk("one", rsa) + "]}"));
        String token = jwt("RS256", "one", rsa, claims(600, ""));
        assertThat(call(token).status()).isEqualTo(200);
        served = "{\"keys\":[" + rsaJwk("one", rsa) + "," + rsaJwk("two", otherRsa) + "]}";
        String next = jwt("RS256", "two", otherRsa, claims(600, ""));
        Await.until("the new key is there", () -> call(next).status() == 200);
        assertThat(call(token).status()).isEqualTo(200);
        served = "{\"keys\":[" + rsaJwk("two", otherRsa) + "]}";
        String missing = jwt("RS256", "three", rsa, claims(600, ""));
        Await.until("the old key is gone", () -> {
            call(missing);
            return call(token).status() == 401;
        });
        assertThat(call(next).status()).isEqualTo(200);
    }

    @Test
    void keysAreFetchedAndAKeyThatIsMissingIsLookedForOnceInAWhile() throws Exception {
        start("http.auth.jwks", serve("{\"keys\":[" + rsaJwk("one", rsa) + "]}"));
        String old = jwt("RS256", "one", rsa, claims(600, ""));
        String next = jwt("RS256", "two", otherRsa, claims(600, ""));
        HttpSocket client = client();
        assertThat(client.call(HttpSocket.request("GET /a.B", "", "Authorization: Bearer " + old))
                        .status())
                .isEqualTo(200);
        served = "{\"keys\":[" + rsaJwk("two", otherRsa) + "]}";
        String request = HttpSocket.request("GET /a.B", "", "Authorization: Bearer " + next);
        Await.until("the new key is there", () -> client.call(request).status() == 200);
        assertThat(fetches).as("however many requests there were").hasValue(2);
        assertInvalid(old, "its issuer has no key \"one\" for RS256");
    }

    @Test
    void aKeyThatIsReplacedUnderItsOldNameIsFetched() throws Exception {
        start("http.auth.jwks", serve("{\"keys\":[" + rsaJwk("one", rsa) + "]}"));
        assertThat(call(jwt("RS256", "one", rsa, claims(600, ""))).status()).isEqualTo(200);
        served = "{\"keys\":[" + rsaJwk("one", otherRsa) + "]}";
        String next = jwt("RS256", "one", otherRsa, claims(600, ""));
        assertInvalid(next, "its signature is wrong");
        Await.until("the new key is there", () -> call(next).status() == 200);
    }

    @Test
    void keysThatWereFetchedHoldWhileTheirServerFails() throws Exception {
        start("http.auth.jwks", serve("{\"keys\":[" + rsaJwk("one", rsa) + "]}"));
        String token = jwt("RS256", "one", rsa, claims(600, ""));
        assertThat(call(token).status()).isEqualTo(200);
        served = "<html>maintenance</html>";
        assertInvalid(jwt("RS256", "two", rsa, claims(600, "")), "its issuer has no key \"two\" for RS256");
        Await.until("it is fetched again", () -> fetches.get() == 2);
        assertThat(call(token).status()).isEqualTo(200);
        assertThat(call(jwt("RS256", "one", rsa, claims(601, ""))).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "http://issuer.example/keys, http://issuer.example (expected: a file",
        "https://user:secret@issuer.example/keys, https://issuer.example (expected: a file",
        "https://user:s^ecret@issuer.example/keys, https://... (expected: a URL",
        "https://issuer.example/keys?token=s^ecret, https://... (expected: a URL",
        "ftp://127.0.0.1/keys, ftp://127.0.0.1 (expected: a file",
        "/no/such/keys, no such file",
        "'', empty (expected: a file or a URL"
    })
    void aWrongPlaceForKeysIsRefused(String place, String reason) {
        assertThatThrownBy(() -> start("http.auth.jwks", place))
                .hasMessageContaining("http.auth.jwks")
                .hasMessageContaining(reason)
                .hasMessageNotContaining("ecret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http.auth.issuer", "http.auth.audience"})
    void whoseTokensAreMeantAndForWhomMustBeSaid(String setting) throws Exception {
        for (String empty : new String[] {"", " "}) {
            assertThatThrownBy(() -> start(setting, empty))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining(setting + ": " + (empty.isEmpty() ? "not set" : empty) + " (expected: the ")
                    .hasMessageContaining(", or * for any, for http.auth=jwt)");
        }
    }

    @Test
    void anyIssuerAndAnyAudienceMayBeMeant() throws Exception {
        start("http.auth.issuer", "*", "http.auth.audience", "*");
        String claims = claims(600, "").replaceFirst("\"iss\".*\"sub\"", "\"sub\"");
        assertThat(call(jwt("RS256", "rsa", rsa, claims)).status()).isEqualTo(200);
        assertThat(call(good()).status()).isEqualTo(200);
    }

    @Test
    void aFileThatIsNoSetOfKeysIsRefused() throws Exception {
        Path keys = Files.writeString(directory.resolve("other"), "null");
        assertThatThrownBy(() -> start("http.auth.jwks", keys.toString()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("http.auth.jwks: " + keys + ": not a JWK set");
    }

    @Test
    void aFileWithoutAKeyIsRefused() throws Exception {
        Path keys = Files.writeString(directory.resolve("other"), "{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}]}");
        assertThatThrownBy(() -> start("http.auth.jwks", keys.toString()))
                .hasMessageContaining("http.auth.jwks: " + keys + ": no key for signatures");
    }
}
