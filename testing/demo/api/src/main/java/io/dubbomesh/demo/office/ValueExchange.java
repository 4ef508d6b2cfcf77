package io.dubbomesh.demo.office;

import java.io.Serializable;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
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

/**
 * Returns what it gets, and tells in the attachment {@code seen} of the result what that was, with its classes: values
 * of each kind that serializations write in different ways.
 */
public interface ValueExchange {
    Times times(Times value);

    List<Timestamp> timestamps(List<Timestamp> value);

    Time sqlTime(Time value);

    Stamps stamps(Stamps value);

    Box<Timestamp> timestampBox(Box<Timestamp> value);

    List<UUID> uuids(List<UUID> value);

    List<Duration> durations(List<Duration> value);

    List<Instant> moments(List<Instant> value);

    DayOfWeek dayOfWeek(DayOfWeek value);

    Map<LocalDate, Integer> byDay(Map<LocalDate, Integer> value);

    Map<Long, String> byLong(Map<Long, String> value);

    Map<Short, String> byShort(Map<Short, String> value);

    Map<Boolean, String> byBoolean(Map<Boolean, String> value);

    Map<Double, String> byDouble(Map<Double, String> value);

    Map<BigDecimal, String> byDecimal(Map<BigDecimal, String> value);

    Map<Character, String> byChar(Map<Character, String> value);

    Map<Values.Carrier, String> byEnum(Map<Values.Carrier, String> value);

    Map<UUID, String> byUuid(Map<UUID, String> value);

    Map<java.util.Date, String> byDate(Map<java.util.Date, String> value);

    Map<List<Integer>, String> byList(Map<List<Integer>, String> value);

    Map<Object, Object> byObject(Map<Object, Object> value);

    Set<Long> set(Set<Long> value);

    SortedSet<String> sortedSet(SortedSet<String> value);

    Deque<Long> deque(Deque<Long> value);

    Queue<String> queue(Queue<String> value);

    LinkedList<Values.Carrier> linkedList(LinkedList<Values.Carrier> value);

    Vector<Integer> vector(Vector<Integer> value);

    LinkedHashSet<Values.Carrier> linkedSet(LinkedHashSet<Values.Carrier> value);

    Collection<Values.Named> collection(Collection<Values.Named> value);

    Iterable<Long> iterable(Iterable<Long> value);

    TreeMap<String, Long> treeMap(TreeMap<String, Long> value);

    SortedMap<Long, String> sortedMap(SortedMap<Long, String> value);

    ConcurrentMap<String, Values.Carrier> concurrentMap(ConcurrentMap<String, Values.Carrier> value);

    Hashtable<String, Integer> hashtable(Hashtable<String, Integer> value);

    Properties properties(Properties value);

    String[][] texts(String[][] value);

    byte[][] byteArrays(byte[][] value);

    Long[] boxedLongs(Long[] value);

    Values.Carrier[] enums(Values.Carrier[] value);

    Values.Named[] nameds(Values.Named[] value);

    Object[] anything(Object[] value);

    List<Long>[] listArray(List<Long>[] value);

    Timestamp[] timestampArray(Timestamp[] value);

    Arrays arrays(Arrays value);

    Map<String, List<Map<Long, Set<Values.Carrier>>>> deep(Map<String, List<Map<Long, Set<Values.Carrier>>>> value);

    Box<Values.Named> box(Box<Values.Named> value);

    Box<Box<Values.Carrier>> boxes(Box<Box<Values.Carrier>> value);

    Box<Long> longBox(Box<Long> value);

    Pair<Values.Carrier, List<Values.Named>> pair(Pair<Values.Carrier, List<Values.Named>> value);

    LongPair longPair(LongPair value);

    List<? extends Values.Named> wild(List<? extends Values.Named> value);

    Number number(Number value);

    Serializable serializable(Serializable value);

    Derived derived(Derived value);

    Base base(Base value);

    List<Base> bases(List<Base> value);

    Shadow shadow(Shadow value);

    Point point(Point value);

    Spellings spellings(Spellings value);

    Zeros zeros(Zeros value);

    Boxed boxed(Boxed value);

    Wrapped wrapped(Wrapped value);

    Attrs<String> attrs(Attrs<String> value);

    Carriers carriers(Carriers value);

    ByNumber byNumber(ByNumber value);

    Holder holder(Holder value);

    Optional<String> optional(Optional<String> value);

    EnumMap<Values.Carrier, String> enumMap(EnumMap<Values.Carrier, String> value);

    EnumSet<Values.Carrier> enumSet(EnumSet<Values.Carrier> value);

    BitSet bitSet(BitSet value);

    AtomicLong atomicLong(AtomicLong value);

    AtomicInteger atomicInteger(AtomicInteger value);

    OptionalInt optionalInt(OptionalInt value);

    StringBuilder builder(StringBuilder value);

    class Holder implements Serializable {
        public Attrs<String> attrs;
        public Carriers carriers;
        public ByNumber byNumber;
        public SortedMap<String, Long> sorted;
        public Set<Values.Carrier> carrierSet;
    }

    class ByNumber extends LinkedHashMap<Long, Values.Named> {}

    class Carriers extends ArrayList<Values.Carrier> {}

    class Attrs<T> extends HashMap<String, Object> {}

    class Wrapped implements Serializable {
        public Values.Named named;
        public List<Values.Named> list;
        public Map<String, Values.Named> map;
        public Object object;
    }

    class Boxed implements Serializable {
        public Boolean z;
        public Byte b;
        public Short s;
        public Integer i;
        public Long l;
        public Float f;
        public Double d;
        public Character c;
        public Values.Carrier carrier;
        public Object object;
        public Number number;
    }

    class Zeros implements Serializable {
        public boolean z;
        public byte b;
        public short s;
        public int i;
        public long l;
        public double d;
        public char c;
        public String text;
        public List<String> list;
        public Map<String, String> map;
    }

    class Spellings implements Serializable {
        private Boolean isActive;
        private String URL;
        private String aName;
        private long ID;
        private String xY;
        private boolean isOpen;

        public Boolean getActive() {
            return isActive;
        }

        public void setActive(Boolean active) {
            this.isActive = active;
        }

        public String getURL() {
            return URL;
        }

        public void setURL(String url) {
            this.URL = url;
        }

        public String getAName() {
            return aName;
        }

        public void setAName(String name) {
            this.aName = name;
        }

        public long getID() {
            return ID;
        }

        public void setID(long id) {
            this.ID = id;
        }

        public String getxY() {
            return xY;
        }

        public void setxY(String xY) {
            this.xY = xY;
        }

        public boolean isOpen() {
            return isOpen;
        }

        public void setOpen(boolean open) {
            this.isOpen = open;
        }
    }

    class Shadow extends Base {
        public int id;
    }

    class Derived extends Base {
        public String extra;
    }

    class Base implements Serializable {
        public int id;
    }

    class LongPair extends Pair<Long, Values.Named> {}

    class Pair<L, R> implements Serializable {
        public L left;
        public R right;
    }

    class Box<T> implements Serializable {
        public T value;
        public List<T> list;
        public Map<String, T> byName;
        public T[] array;
    }

    class Arrays implements Serializable {
        public byte[] bytes;
        public short[] shorts;
        public int[] ints;
        public long[] longs;
        public double[] doubles;
        public boolean[] flags;
        public char[] chars;
        public String[] texts;
        public Long[] boxed;
        public Values.Carrier[] carriers;
        public Values.Named[] nameds;
        public int[][] matrix;
        public Object[] objects;
    }

    class Stamps implements Serializable {
        public List<Timestamp> list;
        public Map<String, Timestamp> byName;
        public Timestamp[] array;
        public List<UUID> keys;
        public Object any;
    }

    class Times implements Serializable {
        public Timestamp at;
        public Date day;
        public Time time;
        public java.util.Date moment;
        public LocalDate localDate;
        public LocalTime localTime;
        public LocalDateTime localDateTime;
        public Instant instant;
        public OffsetDateTime offset;
        public ZonedDateTime zoned;
        public Duration duration;
        public Period period;
        public Year year;
        public YearMonth yearMonth;
        public MonthDay monthDay;
    }
}
