package io.dubbomesh.demo.office;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Lists;

import java.io.File;
import java.math.BigDecimal;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Makes the values that the names of its methods say. */
final class DemoValueSource implements ValueSource {
    @Override
    public Optional<String> optional() {
        return Optional.of("x");
    }

    @Override
    public Optional<Values.Named> optionalNamed() {
        return Optional.of(named("RED"));
    }

    @Override
    public Optional<String> optionalEmpty() {
        return Optional.empty();
    }

    @Override
    public Optional<List<Values.Carrier>> optionalList() {
        return Optional.of(new ArrayList<>(List.of(Values.Carrier.POST)));
    }

    @Override
    public List<Optional<String>> optionals() {
        return new ArrayList<>(List.of(Optional.of("a"), Optional.empty()));
    }

    @Override
    public OptionalInt optionalInt() {
        return OptionalInt.of(7);
    }

    @Override
    public OptionalLong optionalLong() {
        return OptionalLong.empty();
    }

    @Override
    public OptionalDouble optionalDouble() {
        return OptionalDouble.of(0.5);
    }

    @Override
    public EnumMap<Values.Carrier, Integer> enumMap() {
        return new EnumMap<>(Map.of(Values.Carrier.POST, 1));
    }

    @Override
    public EnumSet<Values.Carrier> enumSet() {
        return EnumSet.of(Values.Carrier.POST);
    }

    @Override
    public Map<Values.Carrier, Values.Named> enumMapAsMap() {
        return new EnumMap<>(Map.of(Values.Carrier.POST, named("RED")));
    }

    @Override
    public Set<Values.Carrier> enumSetAsSet() {
        return EnumSet.allOf(Values.Carrier.class);
    }

    @Override
    public BitSet bitSet() {
        return BitSet.valueOf(new long[] {5L});
    }

    @Override
    public BitSet noBits() {
        return new BitSet();
    }

    @Override
    public AtomicInteger atomicInteger() {
        return new AtomicInteger(7);
    }

    @Override
    public AtomicLong atomicLong() {
        return new AtomicLong(7);
    }

    @Override
    public AtomicBoolean atomicBoolean() {
        return new AtomicBoolean(true);
    }

    @Override
    public AtomicReference<Values.Named> atomicReference() {
        return new AtomicReference<>(named("RED"));
    }

    @Override
    public ValueSource.Counters holder() {
        return new ValueSource.Counters();
    }

    @Override
    public ImmutableList<Integer> guavaList() {
        return ImmutableList.of(1, 2);
    }

    @Override
    public ImmutableMap<String, String> guavaMap() {
        return ImmutableMap.of("xxx", "yyy");
    }

    @Override
    public ImmutableSet<Values.Carrier> guavaSet() {
        return ImmutableSet.of(Values.Carrier.POST);
    }

    @Override
    public List<Values.Named> guavaAsList() {
        return ImmutableList.of(named("RED"));
    }

    @Override
    public Map<Long, Values.Named> guavaAsMap() {
        return ImmutableMap.of(1L, named("RED"));
    }

    @Override
    public ImmutableSortedSet<String> guavaSortedSet() {
        return ImmutableSortedSet.of("b", "a");
    }

    @Override
    public ImmutableSortedMap<String, Integer> guavaSortedMap() {
        return ImmutableSortedMap.of("b", 1, "a", 2);
    }

    @Override
    public ImmutableMap<String, String> guavaEmpty() {
        return ImmutableMap.of();
    }

    @Override
    public Object guavaObject() {
        return ImmutableMap.of("a", ImmutableList.of(1));
    }

    @Override
    public List<List<Integer>> guavaLists() {
        return Lists.partition(new ArrayList<>(List.of(1, 2, 3)), 2);
    }

    @Override
    public List<Integer> listOf() {
        return List.of(1, 2, 3);
    }

    @Override
    public List<Values.Named> listOfOne() {
        return List.of(named("RED"));
    }

    @Override
    public Set<Values.Carrier> setOf() {
        return Set.of(Values.Carrier.POST);
    }

    @Override
    public Map<Long, Values.Carrier> mapOf() {
        return Map.of(1L, Values.Carrier.POST);
    }

    @Override
    public Map<String, Values.Named> mapOfText() {
        return Map.of("a", named("RED"));
    }

    @Override
    public Object listOfObject() {
        return List.of(1, "a");
    }

    @Override
    public List<Values.Named> asList() {
        return Arrays.asList(named("RED"), null);
    }

    @Override
    public List<Values.Carrier> asListOfEnums() {
        return Arrays.asList(Values.Carrier.POST, null, Values.Carrier.COURIER);
    }

    @Override
    public List<Values.Carrier> unmodifiableList() {
        return Collections.unmodifiableList(new ArrayList<>(List.of(Values.Carrier.POST)));
    }

    @Override
    public Set<Long> unmodifiableSet() {
        return Collections.unmodifiableSet(new HashSet<>(List.of(1L)));
    }

    @Override
    public Map<Values.Carrier, Long> unmodifiableMap() {
        return Collections.unmodifiableMap(new HashMap<>(Map.of(Values.Carrier.POST, 1L)));
    }

    @Override
    public SortedMap<String, Integer> unmodifiableSortedMap() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(Map.of("a", 1)));
    }

    @Override
    public List<Integer> synchronizedList() {
        return Collections.synchronizedList(new ArrayList<>(List.of(1)));
    }

    @Override
    public Set<Values.Carrier> singleton() {
        return Collections.singleton(Values.Carrier.POST);
    }

    @Override
    public List<Values.Named> singletonList() {
        return Collections.singletonList(named("RED"));
    }

    @Override
    public Map<String, Values.Carrier> singletonMap() {
        return Collections.singletonMap("a", Values.Carrier.POST);
    }

    @Override
    public List<Values.Named> emptyList() {
        return Collections.emptyList();
    }

    @Override
    public Map<String, Values.Named> emptyMap() {
        return Collections.emptyMap();
    }

    @Override
    public List<String> copies() {
        return Collections.nCopies(2, "a");
    }

    @Override
    public List<Integer> subList() {
        return new ArrayList<>(List.of(1, 2, 3)).subList(1, 3);
    }

    @Override
    public Set<String> keys() {
        return new HashMap<>(Map.of("a", 1)).keySet();
    }

    @Override
    public Collection<Integer> values() {
        return new HashMap<>(Map.of("a", 1)).values();
    }

    @Override
    public Deque<Integer> deque() {
        return new ArrayDeque<>(List.of(1, 2));
    }

    @Override
    public Queue<Integer> priorities() {
        return new PriorityQueue<>(List.of(2, 1));
    }

    @Override
    public Map<String, Values.Named> concurrent() {
        return new ConcurrentHashMap<>(Map.of("a", named("RED")));
    }

    @Override
    public List<Values.Carrier> copyOnWrite() {
        return new CopyOnWriteArrayList<>(List.of(Values.Carrier.POST));
    }

    @Override
    public TreeMap<String, Integer> reversed() {
        TreeMap<String, Integer> map = new TreeMap<>(Comparator.reverseOrder());
        map.put("a", 1);
        map.put("b", 2);
        return map;
    }

    @Override
    public Map<String, Object> anonymousMap() {
        HashMap<String, Object> map = new HashMap<>() {};
        map.put("k", 1);
        return map;
    }

    @Override
    public Map<String, Object> mixed() {
        LinkedHashMap<String, Object> map = new LinkedHashMap<>();
        map.put("carrier", Values.Carrier.POST);
        map.put("named", named("RED"));
        map.put("date", new java.util.Date(1795255200000L));
        map.put("decimal", new BigDecimal("1.50"));
        map.put("long", 9007199254740993L);
        map.put("bytes", new byte[] {0, 1});
        map.put("null", null);
        map.put("list", Arrays.asList(1, "a"));
        return map;
    }

    @Override
    public List<Values.Carrier> stream() {
        return Stream.of(Values.Carrier.POST).toList();
    }

    @Override
    public List<int[]> intArrayList() {
        return new ArrayList<>(List.of(new int[] {1, 2}));
    }

    @Override
    public Object anEnum() {
        return Values.Carrier.COURIER;
    }

    @Override
    public Object aNamed() {
        return named("x");
    }

    @Override
    public ValueSource.Outer inner() {
        return new ValueSource.Outer("x", 7);
    }

    @Override
    public ValueExchange.Base derivedAsBase() {
        return derived();
    }

    @Override
    public Object derivedAsObject() {
        return derived();
    }

    @Override
    public List<ValueExchange.Base> bases() {
        return new ArrayList<>(List.of(new ValueExchange.Base(), derived()));
    }

    @Override
    public Point record() {
        return new Point(1, 2, "p");
    }

    @Override
    public Object recordAsObject() {
        return new Point(1, 2, "p");
    }

    @Override
    public List<Point> records() {
        return new ArrayList<>(List.of(new Point(1, 2, null)));
    }

    @Override
    public ValueSource.Link ring() {
        ValueSource.Link first = new ValueSource.Link();
        first.next = new ValueSource.Link();
        first.next.next = first;
        return first;
    }

    @Override
    public List<ValueSource.Link> sharedParts() {
        ValueSource.Link first = new ValueSource.Link();
        ValueSource.Link second = new ValueSource.Link();
        second.next = first.next = new ValueSource.Link();
        return new ArrayList<>(List.of(first, second));
    }

    @Override
    public ValueExchange.Shadow shadow() {
        ValueExchange.Shadow shadow = new ValueExchange.Shadow();
        shadow.id = 5;
        return shadow;
    }

    @Override
    public DayOfWeek dayOfWeek() {
        return DayOfWeek.FRIDAY;
    }

    @Override
    public Locale locale() {
        return Locale.US;
    }

    @Override
    public UUID uuid() {
        return UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");
    }

    @Override
    public URI uri() {
        return URI.create("urn:a:b");
    }

    @Override
    public Currency currency() {
        return Currency.getInstance("EUR");
    }

    @Override
    public Calendar calendar() {
        GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        calendar.setTimeInMillis(1795255200000L);
        return calendar;
    }

    @Override
    public java.util.Date timestampAsDate() {
        return new Timestamp(1795255200123L);
    }

    @Override
    public Object timestampAsObject() {
        return new Timestamp(1795255200123L);
    }

    @Override
    public Date sqlDay() {
        return Date.valueOf("2026-11-21");
    }

    @Override
    public Time sqlTime() {
        return Time.valueOf("10:00:01");
    }

    @Override
    public StringBuilder builder() {
        return new StringBuilder("x");
    }

    @Override
    public File fileNamed() {
        return new File("/a/b");
    }

    @Override
    public URL url() {
        try {
            return URI.create("http://a/b").toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Optional<String> nullOptional() {
        return null;
    }

    @Override
    public Values.Carrier nullEnum() {
        return null;
    }

    @Override
    public Map<Long, Values.Named> nullMap() {
        return null;
    }

    private static Values.Named named(String name) {
        Values.Named named = new Values.Named();
        named.setName(name);
        return named;
    }

    private static ValueExchange.Derived derived() {
        ValueExchange.Derived derived = new ValueExchange.Derived();
        derived.id = 4;
        derived.extra = "x";
        return derived;
    }
}
