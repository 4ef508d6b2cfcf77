package io.dubbomesh.consumer;

import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.netty.util.concurrent.MockTicker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the sources of an issuer's keys, and which of them verify. */
class JwtKeysTest extends JwtFixture {
    private final MockTicker time = stopTime();

    /** Lets a second pass at each check. */
    private void awaitInTime(String what, Await.Condition condition) throws Exception {
        Await.until(what, () -> {
            time.advance(1, TimeUnit.SECONDS);
            return condition.holds();
        });
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
    void aTokenWhoseKeyStaysIsNotCheckedAgainWhenAnotherComes() throws Exception {
        start("http.auth.jwks", serve("{\"keys\":[" + rsaJwk("one", rsa) + "]}"));
        String token = jwt("RS256", "one", rsa, claims(600, ""));
        assertThat(call(token).status()).isEqualTo(200);
        served = "{\"keys\":[" + rsaJwk("one", rsa) + "," + rsaJwk("two", otherRsa) + "]}";
        String next = jwt("RS256", "two", otherRsa, claims(600, ""));
        awaitInTime("the new key is there", () -> call(next).status() == 200);
        assertThat(call(token).status()).isEqualTo(200);
        served = "{\"keys\":[" + rsaJwk("two", otherRsa) + "]}";
        String missing = jwt("RS256", "three", rsa, claims(600, ""));
        awaitInTime("the old key is gone", () -> {
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
        awaitInTime("the new key is there", () -> client.call(request).status() == 200);
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
        awaitInTime("the new key is there", () -> call(next).status() == 200);
    }

    @Test
    void keysThatWereFetchedHoldWhileTheirServerFails() throws Exception {
        start("http.auth.jwks", serve("{\"keys\":[" + rsaJwk("one", rsa) + "]}"));
        String token = jwt("RS256", "one", rsa, claims(600, ""));
        assertThat(call(token).status()).isEqualTo(200);
        served = "<html>maintenance</html>";
        assertInvalid(jwt("RS256", "two", rsa, claims(600, "")), "its issuer has no key \"two\" for RS256");
        awaitInTime("it is fetched again", () -> fetches.get() == 2);
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
