package io.dubbomesh.consumer;

import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests authentication and call rules with JWTs. */
class JwtAuthTest extends JwtFixture {
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
}
