package io.dubbomesh.consumer.auth;

import com.nimbusds.jose.jwk.JWK;
import io.dubbomesh.consumer.auth.AuthSettings.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RuleTableTest {
    private static final RuleTable RULES = RuleTable.parse("""
            # who may call what
            allow ana  com.example.Greeter
            allow bo   com.example.*#get*

            allow group:ops com.example.Admin#restart
            allow * com.example.Clock#now
            allow ana com.example.Shop#$describe
            """, Set.of(Kind.TOKEN));

    @ParameterizedTest
    @CsvSource({
        "ana, com.example.Greeter, greet, true",
        "ana, com.example.Greeter, $describe, true",
        "ana, com.example.Greeters, greet, false",
        "ana, com.example.Shop, $describe, true",
        "ana, com.example.Shop, order, false",
        "bo, com.example.Shop, getAll, true",
        "bo, com.example.Shop, get, true",
        "bo, com.example.Shop, order, false",
        "bo, com.example.Shop, $describe, false",
        "bo, org.example.Shop, getAll, false",
        "cy, com.example.Clock, now, true",
        "cy, com.example.Clock, set, false",
        "Ana, com.example.Greeter, greet, false",
        "*, com.example.Greeter, greet, false"
    })
    void aCallIsAllowedIfALineSaysSo(String subject, String service, String method, boolean allowed) {
        assertThat(RULES.allows(new Caller(Kind.TOKEN, subject, Set.of(), Caller.NEVER, null), service, method))
                .isEqualTo(allowed);
    }

    @Test
    void aLineForAGroupIsForThoseWhoAreInIt() {
        Caller op = new Caller(Kind.TOKEN, "dee", Set.of("staff", "ops"), Caller.NEVER, null);
        assertThat(RULES.allows(op, "com.example.Admin", "restart")).isTrue();
        assertThat(RULES.allows(op, "com.example.Admin", "stop")).isFalse();
        Caller namesake = new Caller(Kind.TOKEN, "ops", Set.of(), Caller.NEVER, null);
        assertThat(RULES.allows(namesake, "com.example.Admin", "restart")).isFalse();
        Caller impostor = new Caller(Kind.TOKEN, "group:ops", Set.of(), Caller.NEVER, null);
        assertThat(RULES.allows(impostor, "com.example.Admin", "restart")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deny ana a.B | 1: \"deny\" (expected: allow SUBJECT SERVICE[#METHOD])",
                "allow ana | 1: 2 words (expected: allow SUBJECT SERVICE[#METHOD])",
                "allow ana a.B # all | 1: 5 words (expected: allow SUBJECT SERVICE[#METHOD])",
                "allow ana a.B:2.0:blue | 1: \"a.B:2.0:blue\" (expected: one SERVICE[#METHOD], without version and group, which a rule does not know)",
                "allow ana a.B#m,n | 1: \"a.B#m,n\" (expected: one SERVICE[#METHOD], without version and group, which a rule does not know)",
                "allow ana *.B | 1: \"*.B\" (expected: a name, or the beginning of one and *)",
                "allow ana a.B# | 1: \"\" (expected: a name, or the beginning of one and *)",
                "allow ana* a.B | 1: \"ana*\" (expected: a whole name, or * for everybody who is authenticated)",
                "allow token:* a.B | 1: \"token:*\" (expected: a whole name, or * for everybody who is authenticated)",
                "allow group: a.B | 1: \"group:\" (expected: a whole name, or * for everybody who is authenticated)"
            })
    void aLineThatIsNotARuleIsRefused(String line, String message) {
        assertThatThrownBy(() -> RuleTable.parse(line, Set.of(Kind.TOKEN))).hasMessage(message);
        assertThatThrownBy(() -> RuleTable.parse("# first\n\n" + line, Set.of(Kind.TOKEN)))
                .hasMessage(message.replace("1:", "3:"));
    }

    @Test
    void theSameNameInAFileAndInAJwtIsTwoCallers() throws Exception {
        RuleTable rules = RuleTable.parse(
                "allow token:ops a.File\nallow jwt:ops a.Issuer\nallow jwt:token:x a.Odd",
                Set.of(Kind.TOKEN, Kind.JWT));
        JWK key = JWK.parse(
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}");
        Caller ofFile = new Caller(Kind.TOKEN, "ops", Set.of(), Caller.NEVER, null);
        Caller ofIssuer = new Caller(Kind.JWT, "ops", Set.of(), Caller.NEVER, key);
        assertThat(rules.allows(ofFile, "a.File", "m")).isTrue();
        assertThat(rules.allows(ofFile, "a.Issuer", "m")).isFalse();
        assertThat(rules.allows(ofIssuer, "a.File", "m")).isFalse();
        assertThat(rules.allows(ofIssuer, "a.Issuer", "m")).isTrue();
        Caller odd = new Caller(Kind.JWT, "token:x", Set.of(), Caller.NEVER, key);
        assertThat(rules.allows(odd, "a.Odd", "m")).isTrue();
    }

    @Test
    void aNameWithoutAKindIsOfTheOnlyOne() {
        assertThat(RuleTable.parse("allow ops a.B", Set.of(Kind.TOKEN))
                        .allows(new Caller(Kind.TOKEN, "ops", Set.of(), Caller.NEVER, null), "a.B", "m"))
                .isTrue();
        assertThat(RuleTable.parse("allow token:ops a.B\nallow jwt:ops a.C", Set.of(Kind.TOKEN))
                        .allows(new Caller(Kind.TOKEN, "ops", Set.of(), Caller.NEVER, null), "a.B", "m"))
                .isTrue();
        assertThatThrownBy(() -> RuleTable.parse("allow * a.B\nallow ops a.B", Set.of(Kind.TOKEN, Kind.JWT)))
                .hasMessage(
                        "2: \"ops\" (expected: token:ops for a token of the file, jwt:ops for a JWT, since http.auth has both)");
    }
}
