package io.dubbomesh.chaos;

import io.dubbomesh.chaos.fault.BuildRows;
import io.dubbomesh.chaos.fault.ClientRows;
import io.dubbomesh.chaos.fault.ConnectionRows;
import io.dubbomesh.chaos.fault.DepartureRows;
import io.dubbomesh.chaos.fault.EndpointChangeRows;
import io.dubbomesh.chaos.fault.FailureRows;
import io.dubbomesh.chaos.fault.HttpRows;
import io.dubbomesh.chaos.fault.LongRows;
import io.dubbomesh.chaos.fault.NameRows;
import io.dubbomesh.chaos.fault.NetworkRows;
import io.dubbomesh.chaos.fault.OverloadRows;
import io.dubbomesh.chaos.fault.ProviderRows;
import io.dubbomesh.chaos.fault.RegistryRows;
import io.dubbomesh.chaos.fault.RestartRows;
import io.dubbomesh.chaos.fault.SickProviderRows;
import io.dubbomesh.chaos.fault.ZooKeeperRows;
import io.dubbomesh.chaos.hostile.AdminPortRows;
import io.dubbomesh.chaos.hostile.ExposureRows;
import io.dubbomesh.chaos.hostile.FramingRows;
import io.dubbomesh.chaos.hostile.HostileHttp2Rows;
import io.dubbomesh.chaos.hostile.HostilePeerRows;
import io.dubbomesh.chaos.hostile.HostileProviderRows;
import io.dubbomesh.chaos.hostile.HostileValueRows;
import io.dubbomesh.chaos.hostile.InjectionRows;
import io.dubbomesh.chaos.hostile.RequestRows;
import io.dubbomesh.chaos.hostile.StrangerRows;
import io.dubbomesh.chaos.row.Row;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All rows, in the order in which they run: by letter, then by number, then by a second letter. */
public final class Catalogue {
    private static final String LETTERS = "HFEPOSL";

    /** The rows that there are with providers of Triple, too. */
    private static final Set<String> ALSO_BY_TRIPLE = Set.of("F1", "F3", "F5", "F8", "F9", "F12", "O1", "P1");

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
                        HostileHttp2Rows.rows(),
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
                .flatMap(row -> ALSO_BY_TRIPLE.contains(row.id()) ? Stream.of(row, row.byTriple()) : Stream.of(row))
                .sorted(Comparator.<Row>comparingInt(
                                row -> LETTERS.indexOf(row.id().charAt(0)))
                        .thenComparingInt(row -> Integer.parseInt(row.id().replaceAll("\\D", "")))
                        .thenComparing(Row::id))
                .toList();
    }
}
