package io.dubbomesh.chaos;

import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.ProviderProtocol;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class CatalogueTest {
    private static final int MINUTES_OF_THE_SOAK = 10;

    private final List<Row> rows = Catalogue.rows(MINUTES_OF_THE_SOAK);

    @Test
    void everyRowIsThereOnceAndInItsPlace() {
        assertThat(rows.stream().map(Row::id))
                .containsExactly(
                        "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9", "H10", "H11", "H12", "H13", "H14", "H15",
                        "H16", "F1", "F1-tri", "F2", "F3", "F3-tri", "F4", "F5", "F5-tri", "F6", "F7", "F8", "F8-tri",
                        "F9", "F9-tri", "F10", "F11", "F12", "F12-tri", "F12B", "F13", "F14", "F14B", "F15", "F16",
                        "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E11", "E12", "E13", "E14", "E15",
                        "P1", "P1-tri", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P10", "O1", "O1-tri", "O1A", "O2",
                        "O3", "O4", "O5", "O6", "O7", "O8", "S1", "S1A", "S2", "S3", "S4", "S5", "S6", "S7", "S7A",
                        "S7B", "L1", "L2", "L3", "L4");
    }

    @Test
    void theRowsByTripleHaveTheFiguresOfTheOthers() {
        List<Row> byTriple =
                rows.stream().filter(row -> row.id().endsWith("-tri")).toList();
        assertThat(byTriple).hasSize(8).allSatisfy(row -> {
            assertThat(row.protocol()).isEqualTo(ProviderProtocol.TRIPLE);
            assertThat(rows).anySatisfy(other -> {
                assertThat(other.id() + "-tri").isEqualTo(row.id());
                assertThat(other.protocol()).isEqualTo(ProviderProtocol.DUBBO);
                assertThat(other.wanted()).isEqualTo(row.wanted());
                assertThat(other.run()).isSameAs(row.run());
            });
        });
    }

    @Test
    void theQuickRowsEndWithinMinutes() {
        assertThat(rows.stream().filter(Row::quick).map(Row::id)).contains("F1", "F3", "F13", "E2", "P2");
    }
}
