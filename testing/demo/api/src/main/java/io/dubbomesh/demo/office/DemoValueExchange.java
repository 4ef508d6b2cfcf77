package io.dubbomesh.demo.office;

import io.dubbomesh.demo.conformance.Description;

import java.io.Serializable;
import java.math.BigDecimal;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** Returns what it gets, with the attachment. */
final class DemoValueExchange implements ValueExchange {
    private final BiConsumer<String, String> resultAttachments;

    DemoValueExchange(BiConsumer<String, String> resultAttachments) {
        this.resultAttachments = resultAttachments;
    }

    private <T> T seen(T value) {
        resultAttachments.accept("seen", Description.of(value));
        return value;
    }

    @Override
    public ValueExchange.Times times(ValueExchange.Times value) {
        return seen(value);
    }

    @Override
    public List<Timestamp> timestamps(List<Timestamp> value) {
        return seen(value);
    }

    @Override
    public Time sqlTime(Time value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Stamps stamps(ValueExchange.Stamps value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Box<Timestamp> timestampBox(ValueExchange.Box<Timestamp> value) {
        return seen(value);
    }

    @Override
    public List<UUID> uuids(List<UUID> value) {
        return seen(value);
    }

    @Override
    public List<Duration> durations(List<Duration> value) {
        return seen(value);
    }

    @Override
    public List<Instant> moments(List<Instant> value) {
        return seen(value);
    }

    @Override
    public DayOfWeek dayOfWeek(DayOfWeek value) {
        return seen(value);
    }

    @Override
    public Map<LocalDate, Integer> byDay(Map<LocalDate, Integer> value) {
        return seen(value);
    }

    @Override
    public Map<Long, String> byLong(Map<Long, String> value) {
        return seen(value);
    }

    @Override
    public Map<Short, String> byShort(Map<Short, String> value) {
        return seen(value);
    }

    @Override
    public Map<Boolean, String> byBoolean(Map<Boolean, String> value) {
        return seen(value);
    }

    @Override
    public Map<Double, String> byDouble(Map<Double, String> value) {
        return seen(value);
    }

    @Override
    public Map<BigDecimal, String> byDecimal(Map<BigDecimal, String> value) {
        return seen(value);
    }

    @Override
    public Map<Character, String> byChar(Map<Character, String> value) {
        return seen(value);
    }

    @Override
    public Map<Values.Carrier, String> byEnum(Map<Values.Carrier, String> value) {
        return seen(value);
    }

    @Override
    public Map<UUID, String> byUuid(Map<UUID, String> value) {
        return seen(value);
    }

    @Override
    public Map<Date, String> byDate(Map<Date, String> value) {
        return seen(value);
    }

    @Override
    public Map<List<Integer>, String> byList(Map<List<Integer>, String> value) {
        return seen(value);
    }

    @Override
    public Map<Object, Object> byObject(Map<Object, Object> value) {
        return seen(value);
    }

    @Override
    public Set<Long> set(Set<Long> value) {
        return seen(value);
    }

    @Override
    public SortedSet<String> sortedSet(SortedSet<String> value) {
        return seen(value);
    }

    @Override
    public Deque<Long> deque(Deque<Long> value) {
        return seen(value);
    }

    @Override
    public Queue<String> queue(Queue<String> value) {
        return seen(value);
    }

    @Override
    public LinkedList<Values.Carrier> linkedList(LinkedList<Values.Carrier> value) {
        return seen(value);
    }

    @Override
    public Vector<Integer> vector(Vector<Integer> value) {
        return seen(value);
    }

    @Override
    public LinkedHashSet<Values.Carrier> linkedSet(LinkedHashSet<Values.Carrier> value) {
        return seen(value);
    }

    @Override
    public Collection<Values.Named> collection(Collection<Values.Named> value) {
        return seen(value);
    }

    @Override
    public Iterable<Long> iterable(Iterable<Long> value) {
        return seen(value);
    }

    @Override
    public TreeMap<String, Long> treeMap(TreeMap<String, Long> value) {
        return seen(value);
    }

    @Override
    public SortedMap<Long, String> sortedMap(SortedMap<Long, String> value) {
        return seen(value);
    }

    @Override
    public ConcurrentMap<String, Values.Carrier> concurrentMap(ConcurrentMap<String, Values.Carrier> value) {
        return seen(value);
    }

    @Override
    public Hashtable<String, Integer> hashtable(Hashtable<String, Integer> value) {
        return seen(value);
    }

    @Override
    public Properties properties(Properties value) {
        return seen(value);
    }

    @Override
    public String[][] texts(String[][] value) {
        return seen(value);
    }

    @Override
    public byte[][] byteArrays(byte[][] value) {
        return seen(value);
    }

    @Override
    public Long[] boxedLongs(Long[] value) {
        return seen(value);
    }

    @Override
    public Values.Carrier[] enums(Values.Carrier[] value) {
        return seen(value);
    }

    @Override
    public Values.Named[] nameds(Values.Named[] value) {
        return seen(value);
    }

    @Override
    public Object[] anything(Object[] value) {
        return seen(value);
    }

    @Override
    public List<Long>[] listArray(List<Long>[] value) {
        return seen(value);
    }

    @Override
    public Timestamp[] timestampArray(Timestamp[] value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Arrays arrays(ValueExchange.Arrays value) {
        return seen(value);
    }

    @Override
    public Map<String, List<Map<Long, Set<Values.Carrier>>>> deep(
            Map<String, List<Map<Long, Set<Values.Carrier>>>> value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Box<Values.Named> box(ValueExchange.Box<Values.Named> value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Box<ValueExchange.Box<Values.Carrier>> boxes(
            ValueExchange.Box<ValueExchange.Box<Values.Carrier>> value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Box<Long> longBox(ValueExchange.Box<Long> value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Pair<Values.Carrier, List<Values.Named>> pair(
            ValueExchange.Pair<Values.Carrier, List<Values.Named>> value) {
        return seen(value);
    }

    @Override
    public ValueExchange.LongPair longPair(ValueExchange.LongPair value) {
        return seen(value);
    }

    @Override
    public List<? extends Values.Named> wild(List<? extends Values.Named> value) {
        return seen(value);
    }

    @Override
    public Number number(Number value) {
        return seen(value);
    }

    @Override
    public Serializable serializable(Serializable value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Derived derived(ValueExchange.Derived value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Base base(ValueExchange.Base value) {
        return seen(value);
    }

    @Override
    public List<ValueExchange.Base> bases(List<ValueExchange.Base> value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Shadow shadow(ValueExchange.Shadow value) {
        return seen(value);
    }

    @Override
    public Point point(Point value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Spellings spellings(ValueExchange.Spellings value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Zeros zeros(ValueExchange.Zeros value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Boxed boxed(ValueExchange.Boxed value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Wrapped wrapped(ValueExchange.Wrapped value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Attrs<String> attrs(ValueExchange.Attrs<String> value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Carriers carriers(ValueExchange.Carriers value) {
        return seen(value);
    }

    @Override
    public ValueExchange.ByNumber byNumber(ValueExchange.ByNumber value) {
        return seen(value);
    }

    @Override
    public ValueExchange.Holder holder(ValueExchange.Holder value) {
        return seen(value);
    }

    @Override
    public Optional<String> optional(Optional<String> value) {
        return seen(value);
    }

    @Override
    public EnumMap<Values.Carrier, String> enumMap(EnumMap<Values.Carrier, String> value) {
        return seen(value);
    }

    @Override
    public EnumSet<Values.Carrier> enumSet(EnumSet<Values.Carrier> value) {
        return seen(value);
    }

    @Override
    public BitSet bitSet(BitSet value) {
        return seen(value);
    }

    @Override
    public AtomicLong atomicLong(AtomicLong value) {
        return seen(value);
    }

    @Override
    public AtomicInteger atomicInteger(AtomicInteger value) {
        return seen(value);
    }

    @Override
    public OptionalInt optionalInt(OptionalInt value) {
        return seen(value);
    }

    @Override
    public StringBuilder builder(StringBuilder value) {
        return seen(value);
    }
}
