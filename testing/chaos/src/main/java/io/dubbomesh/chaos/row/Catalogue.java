package io.dubbomesh.chaos.row;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All rows, in the order in which they run: by letter, then by number, then by a second letter. */
public final class Catalogue {
    private static final String LETTERS = "HFEPOSL";

    private Catalogue() {}

    /** @param soakMinutes how long L2 lasts */
    public static List<Row> rows(int soakMinutes) {
        return Stream.of(
                        FailureRows.rows(),
                        RestartRows.rows(),
                        SickProviderRows.rows(),
                        NetworkRows.rows(),
                        RegistryRows.rows(),
                        NameRows.rows(),
                        EndpointChangeRows.rows(),
                        ZooKeeperRows.rows(),
                        ProviderRows.rows(),
                        HostileProviderRows.rows(),
                        HostileValueRows.rows(),
                        HostilePeerRows.rows(),
                        OverloadRows.rows(),
                        ClientRows.rows(),
                        AdminPortRows.rows(),
                        StrangerRows.rows(),
                        ExposureRows.rows(),
                        FramingRows.rows(),
                        RequestRows.rows(),
                        ConnectionRows.rows(),
                        DepartureRows.rows(),
                        InjectionRows.rows(),
                        HttpRows.rows(),
                        BuildRows.rows(),
                        LongRows.rows(soakMinutes))
                .flatMap(List::stream)
                .sorted(Comparator.<Row>comparingInt(
                                row -> LETTERS.indexOf(row.id().charAt(0)))
                        .thenComparingInt(row -> Integer.parseInt(row.id().replaceAll("\\D", "")))
                        .thenComparing(Row::id))
                .toList();
    }
}
