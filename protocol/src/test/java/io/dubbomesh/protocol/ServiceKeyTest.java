package io.dubbomesh.protocol;

import io.dubbomesh.testsupport.equality.RecordEquality;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ServiceKeyTest {
    @Test
    void versionAndGroupMayBeLeftOut() {
        assertThat(ServiceKey.parse("a.B")).isEqualTo(new ServiceKey("a.B", "", ""));
        assertThat(ServiceKey.parse(" a.B:1.0 ")).isEqualTo(new ServiceKey("a.B", "1.0", ""));
        assertThat(ServiceKey.parse("a.B::red")).isEqualTo(new ServiceKey("a.B", "", "red"));
        assertThat(ServiceKey.parse("a.B:1.0:red")).isEqualTo(new ServiceKey("a.B", "1.0", "red"));
    }

    @Test
    void theVersionOfNoVersionIsNone() {
        assertThat(ServiceKey.parse("a.B:0.0.0")).isEqualTo(new ServiceKey("a.B", "", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.B", "a.B:1.0", "a.B::red", "a.B:1.0:red"})
    void theTextOfAServiceIsTheTextItIsReadFrom(String text) {
        assertThat(ServiceKey.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":1", "a.B:1:g:x", "a b", ".a", "a.", "a/b"})
    void whatNamesNoServiceIsShown(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceKey.parse(text))
                .withMessage(text + " (expected: interface[:version[:group]])");
    }

    @Test
    void everyComponentCountsInAComparison() throws Exception {
        RecordEquality.check(new ServiceKey("a.B", "1.0", "red"));
    }
}
