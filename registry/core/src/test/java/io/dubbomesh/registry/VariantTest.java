package io.dubbomesh.registry;

import io.dubbomesh.testsupport.equality.RecordEquality;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class VariantTest {
    @ParameterizedTest
    @CsvSource({
        "'', '', true",
        "0.0.0, '', true",
        "1.0, '', false",
        "'', a, false",
        "*, '', true",
        "'', *, true",
        "*, *, true",
        "'', 'a,b', false",
        "1.*, '', false",
        "'*,1.0', '', false"
    })
    void theVariantWithoutVersionAndGroupIsAskedForByNoneOrAny(String version, String group, boolean asked) {
        assertThat(Variant.NONE.isAskedForBy(version, group)).isEqualTo(asked);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, a, true",
        "*, a, true",
        "1.0, *, true",
        "1.0, 'a,b', true",
        "1.0, 'b , a', true",
        "*, 'b,a', true",
        "1.0, 'b,aa', false",
        "1.0, 'b,', false",
        "1.0, '', false",
        "'', a, false",
        "2.0, a, false",
        "'1.0,2.0', a, false"
    })
    void aVersionIsOneOrAnyAndAGroupOneOrSeveralOrAny(String version, String group, boolean asked) {
        assertThat(new Variant("1.0", "a").isAskedForBy(version, group)).isEqualTo(asked);
    }

    @Test
    void someAreListedInOrder() {
        assertThat(Variant.list(List.of(new Variant("2.0", ""), Variant.NONE, new Variant("1.0", "a"), Variant.NONE)))
                .isEqualTo(
                        "version \"\" and group \"\"; version \"1.0\" and group \"a\"; version \"2.0\" and group \"\"");
        List<Variant> many =
                IntStream.range(10, 21).mapToObj(i -> new Variant("" + i, "")).toList();
        assertThat(Variant.list(many)).endsWith("version \"19\" and group \"\"; ...");
    }

    @Test
    void everyComponentCountsInAComparison() throws Exception {
        RecordEquality.check(new Variant("1.0", "red"));
    }
}
