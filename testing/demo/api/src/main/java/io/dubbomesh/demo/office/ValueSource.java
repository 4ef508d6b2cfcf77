package io.dubbomesh.demo.office;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;

import java.io.File;
import java.io.Serializable;
import java.net.URI;
import java.net.URL;
import java.sql.Date;
import java.sql.Time;
import java.time.DayOfWeek;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Returns values that a client cannot give, or not in the class that a provider returns. */
public interface ValueSource {
    Optional<String> optional();

    Optional<Values.Named> optionalNamed();

    Optional<String> optionalEmpty();

    Optional<List<Values.Carrier>> optionalList();

    List<Optional<String>> optionals();

    OptionalInt optionalInt();

    OptionalLong optionalLong();

    OptionalDouble optionalDouble();

    EnumMap<Values.Carrier, Integer> enumMap();

    EnumSet<Values.Carrier> enumSet();

    Map<Values.Carrier, Values.Named> enumMapAsMap();

    Set<Values.Carrier> enumSetAsSet();

    BitSet bitSet();

    BitSet noBits();

    AtomicInteger atomicInteger();

    AtomicLong atomicLong();

    AtomicBoolean atomicBoolean();

    AtomicReference<Values.Named> atomicReference();

    Counters holder();

    ImmutableList<Integer> guavaList();

    ImmutableMap<String, String> guavaMap();

    ImmutableSet<Values.Carrier> guavaSet();

    List<Values.Named> guavaAsList();

    Map<Long, Values.Named> guavaAsMap();

    ImmutableSortedSet<String> guavaSortedSet();

    ImmutableSortedMap<String, Integer> guavaSortedMap();

    ImmutableMap<String, String> guavaEmpty();

    Object guavaObject();

    List<List<Integer>> guavaLists();

    List<Integer> listOf();

    List<Values.Named> listOfOne();

    Set<Values.Carrier> setOf();

    Map<Long, Values.Carrier> mapOf();

    Map<String, Values.Named> mapOfText();

    Object listOfObject();

    List<Values.Named> asList();

    List<Values.Carrier> asListOfEnums();

    List<Values.Carrier> unmodifiableList();

    Set<Long> unmodifiableSet();

    Map<Values.Carrier, Long> unmodifiableMap();

    SortedMap<String, Integer> unmodifiableSortedMap();

    List<Integer> synchronizedList();

    Set<Values.Carrier> singleton();

    List<Values.Named> singletonList();

    Map<String, Values.Carrier> singletonMap();

    List<Values.Named> emptyList();

    Map<String, Values.Named> emptyMap();

    List<String> copies();

    List<Integer> subList();

    Set<String> keys();

    Collection<Integer> values();

    Deque<Integer> deque();

    Queue<Integer> priorities();

    Map<String, Values.Named> concurrent();

    List<Values.Carrier> copyOnWrite();

    TreeMap<String, Integer> reversed();

    Map<String, Object> anonymousMap();

    Map<String, Object> mixed();

    List<Values.Carrier> stream();

    List<int[]> intArrayList();

    Object anEnum();

    Object aNamed();

    Outer inner();

    ValueExchange.Base derivedAsBase();

    Object derivedAsObject();

    List<ValueExchange.Base> bases();

    Point record();

    Object recordAsObject();

    List<Point> records();

    Link ring();

    List<Link> sharedParts();

    ValueExchange.Shadow shadow();

    DayOfWeek dayOfWeek();

    Locale locale();

    UUID uuid();

    URI uri();

    Currency currency();

    Calendar calendar();

    java.util.Date timestampAsDate();

    Object timestampAsObject();

    Date sqlDay();

    Time sqlTime();

    StringBuilder builder();

    File fileNamed();

    URL url();

    Optional<String> nullOptional();

    Values.Carrier nullEnum();

    Map<Long, Values.Named> nullMap();

    class Link implements Serializable {
        public Link next;
    }

    class Outer implements Serializable {
        public String label;
        public Inner inner;

        Outer(String label, int number) {
            this.label = label;
            this.inner = new Inner(number);
        }

        public class Inner implements Serializable {
            public int number;

            Inner(int number) {
                this.number = number;
            }

            String name() {
                return Outer.this.label + this.number;
            }
        }
    }

    class Counters implements Serializable {
        public AtomicLong hits = new AtomicLong(7);
        public transient int left = 1;
        public BitSet bits = BitSet.valueOf(new long[] {2L});
        public EnumMap<Values.Carrier, Integer> byCarrier = new EnumMap<>(Map.of(Values.Carrier.POST, 2));
        public Set<Values.Carrier> carriers = EnumSet.of(Values.Carrier.POST);
    }
}
