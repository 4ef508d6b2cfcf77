package io.dubbomesh.consumer.auth;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class JwtVerifierTest {
    @Test
    void aTokenIsNotWrongAsLongAsThereAreNoKeys() {
        JwtVerifier verifier =
                new JwtVerifier(new JwtSettings("https://issuer.example", "*", "*", "sub", "groups"), () -> {});

        CallException refused =
                catchThrowableOfType(CallException.class, () -> verifier.verify("e30.e30.AAAA", null, 0));

        assertThat(refused.outcome()).isEqualTo(Outcome.OVERLOADED);
        assertThat(refused).hasMessage("the keys of http.auth.jwks are not loaded yet");
    }
}
