package io.dubbomesh.protocol.javadoc;

import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceTextsTest {
    /** What the operator has written stands above, text by text. */
    @Test
    void textsOfTheOperatorReplaceThoseOfSources() {
        ServiceTexts below = new ServiceTexts(
                "1",
                Map.of(
                        "a.A",
                        new OfService("A", Map.of("m", new OfMethod("m", "r", Map.of("p", "P", "q", "Q")))),
                        "a.B",
                        new OfService("B", Map.of())),
                Map.of("a.C", new OfClass("C", Map.of("f", "F", "g", "G"))));
        ServiceTexts own = new ServiceTexts(
                "2",
                Map.of("a.A", new OfService(null, Map.of("m", new OfMethod("mine", null, Map.of("p", "mine"))))),
                Map.of("a.C", new OfClass("mine", Map.of("f", "mine"))));

        ServiceTexts texts = own.over(below);

        assertThat(texts.ofService("a.A").description()).isEqualTo("A");
        assertThat(texts.ofMethod("a.A", "m")).isEqualTo(new OfMethod("mine", "r", Map.of("p", "mine", "q", "Q")));
        assertThat(texts.ofService("a.B").description()).isEqualTo("B");
        assertThat(texts.ofClass("a.C")).isEqualTo("mine");
        assertThat(texts.ofField("a.C", "f")).isEqualTo("mine");
        assertThat(texts.ofField("a.C", "g")).isEqualTo("G");
        assertThat(texts.revision()).isNotEqualTo(own.revision());
        assertThat(own.over(ServiceTexts.NONE)).isSameAs(own);
    }

    @Test
    void theTextsAboutOneServiceAreThoseOfItAndOfItsClasses() {
        ServiceTexts all = new ServiceTexts(
                "1",
                Map.of("a.A", new OfService("A", Map.of()), "a.B", new OfService("B", Map.of())),
                Map.of("a.C", new OfClass("C", Map.of()), "a.D", new OfClass("D", Map.of())));

        assertThat(all.about("a.A", List.of("a.C", "a.E")))
                .isEqualTo(new ServiceTexts(
                        "", Map.of("a.A", new OfService("A", Map.of())), Map.of("a.C", new OfClass("C", Map.of()))));
        assertThat(all.about("a.E", List.of("a.F"))).isSameAs(ServiceTexts.NONE);
    }

    /** They are part of a description, which an event loop writes. */
    @Test
    void theTextsAboutOneServiceHaveABound() {
        String half = "x".repeat(600_000);
        ServiceTexts all = new ServiceTexts(
                "1",
                Map.of("a.A", new OfService(half, Map.of()), "a.B", new OfService(half + half, Map.of())),
                Map.of("a.C", new OfClass(half, Map.of()), "a.D", new OfClass(null, Map.of("f", half))));

        assertThat(all.about("a.A", List.of("a.C")).classes()).isEmpty();
        assertThat(all.about("a.A", List.of("a.C")).ofService("a.A").description())
                .isEqualTo(half);
        assertThat(all.about("a.B", List.of()).services()).isEmpty();
        assertThat(all.about("a.E", List.of("a.D", "a.C")).classes().keySet()).containsExactly("a.C");
    }

    @Test
    void ofSeveralServicesTheFirstThatHasAClassDescribesIt() {
        ServiceTexts first = new ServiceTexts("", Map.of(), Map.of("a.C", new OfClass("1", Map.of())));
        ServiceTexts second = new ServiceTexts("", Map.of(), Map.of("a.C", new OfClass("2", Map.of())));

        assertThat(ServiceTexts.of(List.of(first, second)).ofClass("a.C")).isEqualTo("1");
        assertThat(ServiceTexts.of(List.of(ServiceTexts.NONE))).isSameAs(ServiceTexts.NONE);
        assertThat(ServiceTexts.NONE.over(first)).isSameAs(first);
    }
}
