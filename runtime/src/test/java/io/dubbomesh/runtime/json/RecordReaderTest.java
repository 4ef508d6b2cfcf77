package io.dubbomesh.runtime.json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecordReaderTest {
    private record Point(long x, double y) {}

    private record Document(
            String name,
            boolean open,
            long count,
            Point origin,
            List<Point> points,
            List<Double> series,
            Map<String, String> labels,
            Optional<Long> weight,
            Optional<List<String>> constants) {}

    private static Document read(String json) {
        return Json.toRecord((Map<?, ?>) Json.read(json), Document.class);
    }

    @Test
    void aRecordIsReadAsItWasWritten() {
        Document document = new Document(
                "a",
                true,
                3,
                new Point(1, 0.5),
                List.of(new Point(2, 2)),
                List.of(1.0, 2.5),
                Map.of("k", "v"),
                Optional.empty(),
                Optional.empty());

        assertThat(read("""
                {"name":"a","open":true,"count":3,"origin":{"x":1,"y":0.5},"points":[{"x":2,"y":2}],"series":[1,2.5],
                "labels":{"k":"v"}}""")).isEqualTo(document);
    }

    @Test
    void whatIsMissingIsEmptyAndWhatIsUnknownIsIgnored() {
        Document empty = new Document(
                "", false, 0, new Point(0, 0), List.of(), List.of(), Map.of(), Optional.empty(), Optional.empty());

        assertThat(read("{}")).isEqualTo(empty);
        assertThat(read("{\"later\":[1],\"name\":null,\"origin\":null,\"points\":null,\"weight\":null}"))
                .isEqualTo(empty);
    }

    @Test
    void anOptionalTellsWhetherThereIsAMember() {
        assertThat(read("{\"weight\":0}").weight()).contains(0L);
        assertThat(read("{\"constants\":[]}").constants()).contains(List.of());
    }

    @Test
    void aSeriesHasGaps() {
        assertThat(read("{\"series\":[null,1]}").series()).isEqualTo(Arrays.asList(null, 1.0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\":1} | name: 1 (expected: a String)",
                "{\"open\":\"no\"} | open: \"no\" (expected: a Boolean)",
                "{\"count\":true} | count: true (expected: a Number)",
                "{\"points\":{}} | points: {} (expected: an array)",
                "{\"origin\":[2]} | origin: [2] (expected: an object)",
            })
    void aValueOfAnotherTypeIsNamed(String json, String message) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
