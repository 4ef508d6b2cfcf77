package io.dubbomesh.demo.office;

import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Returns what it gets. */
final class DemoValues implements Values {
    @Override
    public Named named(Named value) {
        return value;
    }

    @Override
    public List<Named> namedList(List<Named> value) {
        return value;
    }

    @Override
    public Map<String, Named> namedMap(Map<String, Named> value) {
        return value;
    }

    @Override
    public Carrier carrier(Carrier value) {
        return value;
    }

    @Override
    public Set<Carrier> carriers(Set<Carrier> value) {
        return value;
    }

    @Override
    public Parcel parcel(Parcel value) {
        return value;
    }

    @Override
    public String seen(Parcel value) {
        return value.getCarrier() + " " + value.isDeleted() + " " + value.getABC() + " "
                + (value.getSent() == null ? null : value.getSent().getTime());
    }

    @Override
    public Search search(Search value) {
        return value;
    }

    @Override
    public String searched(Search value) {
        return value.getPage() + " " + value.getTags();
    }

    @Override
    public Attributes attributes(Attributes value) {
        return value;
    }

    @Override
    public Outcome<HashMap<Long, String>> outcome(Outcome<HashMap<Long, String>> value) {
        return value;
    }

    @Override
    public LocalDateTime dateTime(LocalDateTime value) {
        return value;
    }

    @Override
    public Timestamp timestamp(Timestamp value) {
        return value;
    }

    @Override
    public java.sql.Date day(java.sql.Date value) {
        return value;
    }

    @Override
    public Short tiny(Short value) {
        return value;
    }

    @Override
    public BitSet bits() {
        BitSet bits = new BitSet();
        bits.set(0);
        bits.set(2);
        bits.set(70);
        return bits;
    }

    @Override
    public List<List<String>> shared() {
        List<String> list = new ArrayList<>(List.of("a"));
        return new ArrayList<>(Arrays.asList(list, list, null));
    }
}
