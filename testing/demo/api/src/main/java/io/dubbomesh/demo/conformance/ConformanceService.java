package io.dubbomesh.demo.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A service with every kind of argument and result that Dubbo knows. A right result shows that each value kept its Java
 * type, not only its text: most methods return their argument; those with collections use the elements, which fails if
 * they have another class.
 */
public interface ConformanceService {

    // --- Scalars, returned unchanged.

    boolean echoBoolean(boolean value);

    byte echoByte(byte value);

    short echoShort(short value);

    int echoInt(int value);

    long echoLong(long value);

    float echoFloat(float value);

    double echoDouble(double value);

    char echoChar(char value);

    Boolean echoBoxedBoolean(Boolean value);

    Byte echoBoxedByte(Byte value);

    Short echoBoxedShort(Short value);

    Integer echoBoxedInt(Integer value);

    Long echoBoxedLong(Long value);

    Float echoBoxedFloat(Float value);

    Double echoBoxedDouble(Double value);

    Character echoBoxedChar(Character value);

    String echoString(String value);

    BigDecimal echoBigDecimal(BigDecimal value);

    BigInteger echoBigInteger(BigInteger value);

    // --- Other classes of the JDK, returned as text.

    String textOfUuid(UUID value);

    String textOfUri(URI value);

    String textOfLocale(Locale value);

    String textOfCurrency(Currency value);

    /** Its milliseconds. */
    String textOfCalendar(Calendar value);

    // --- Dates and times, returned unchanged.

    Date echoDate(Date value);

    LocalDate echoLocalDate(LocalDate value);

    LocalTime echoLocalTime(LocalTime value);

    LocalDateTime echoLocalDateTime(LocalDateTime value);

    Instant echoInstant(Instant value);

    OffsetDateTime echoOffsetDateTime(OffsetDateTime value);

    OffsetTime echoOffsetTime(OffsetTime value);

    ZonedDateTime echoZonedDateTime(ZonedDateTime value);

    Duration echoDuration(Duration value);

    Period echoPeriod(Period value);

    Year echoYear(Year value);

    YearMonth echoYearMonth(YearMonth value);

    MonthDay echoMonthDay(MonthDay value);

    ZoneId echoZoneId(ZoneId value);

    ZoneOffset echoZoneOffset(ZoneOffset value);

    // --- Arrays, returned unchanged.

    boolean[] echoBooleans(boolean[] values);

    byte[] echoBytes(byte[] values);

    short[] echoShorts(short[] values);

    int[] echoInts(int[] values);

    long[] echoLongs(long[] values);

    float[] echoFloats(float[] values);

    double[] echoDoubles(double[] values);

    char[] echoChars(char[] values);

    Boolean[] echoBoxedBooleans(Boolean[] values);

    Byte[] echoBoxedBytes(Byte[] values);

    Short[] echoBoxedShorts(Short[] values);

    Integer[] echoBoxedInts(Integer[] values);

    Long[] echoBoxedLongs(Long[] values);

    Float[] echoBoxedFloats(Float[] values);

    Double[] echoBoxedDoubles(Double[] values);

    Character[] echoBoxedChars(Character[] values);

    String[] echoStrings(String[] values);

    BigDecimal[] echoBigDecimals(BigDecimal[] values);

    BigInteger[] echoBigIntegers(BigInteger[] values);

    Date[] echoDates(Date[] values);

    LocalDate[] echoLocalDates(LocalDate[] values);

    int[][] echoMatrix(int[][] values);

    Color[] echoColors(Color[] values);

    Item[] echoItems(Item[] values);

    // --- Objects, returned unchanged.

    Object echoObject(Object value);

    Color echoColor(Color value);

    Operation echoOperation(Operation value);

    Item echoItem(Item item);

    Order echoOrder(Order order);

    Employee echoEmployee(Employee employee);

    Team echoTeam(Team team);

    Scalars echoScalars(Scalars scalars);

    Measurement echoMeasurement(Measurement measurement);

    Table echoTable(Table table);

    Containers echoContainers(Containers containers);

    Dates echoDateFields(Dates dates);

    Times echoTimes(Times times);

    Colors echoColorFields(Colors colors);

    Page<Item> echoPage(Page<Item> page);

    // --- Elements are used by their declared class: an element of another class fails the call.

    List<Long> increment(List<Long> values);

    Set<String> upperCase(Set<String> values);

    Collection<BigDecimal> negate(Collection<BigDecimal> values);

    Map<String, Integer> incrementEach(Map<String, Integer> values);

    List<Short> incrementShorts(List<Short> values);

    Map<String, Float> halveEach(Map<String, Float> values);

    List<List<Integer>> transpose(List<List<Integer>> rows);

    List<Map<String, Long>> incrementAll(List<Map<String, Long>> values);

    List<byte[]> reverseEach(List<byte[]> values);

    List<Date> nextDays(List<Date> days);

    List<LocalDate> nextLocalDays(List<LocalDate> days);

    Map<Integer, String> trimNames(Map<Integer, String> namesByNumber);

    Map<Long, Item> doubleQuantities(Map<Long, Item> items);

    Map<Boolean, String> invert(Map<Boolean, String> values);

    List<Color> rotate(List<Color> colors);

    Set<Color> others(Set<Color> colors);

    Map<Color, Integer> count(List<Color> colors);

    Map<Color, Integer> incrementColors(Map<Color, Integer> amounts);

    Map<Item, Integer> countItems(List<Item> items);

    /** Price times quantity. */
    BigDecimal total(Item item);

    BigDecimal totalOfAll(List<Item> items);

    BigDecimal totalOfArray(Item[] items);

    BigDecimal totalOfOrder(Order order);

    Map<String, BigDecimal> totalOfEach(Map<String, List<Item>> itemsByShelf);

    Page<Item> page(List<Item> items, int size);

    BigDecimal totalOfPage(Page<Item> page);

    long apply(Operation operation, long left, long right);

    List<Operation> operations();

    // --- The classes and values of the arguments: {@code [Long 1, String a]}; maps and sets sorted.

    String describe(Object value);

    String describeList(List<Object> values);

    String describeMap(Map<String, Object> values);

    String describeLongs(List<Long> values);

    String describeScalars(Scalars scalars);

    String describeContainers(Containers containers);

    String describeTimes(Times times);

    String describeTeam(Team team);

    String describeNulls(String text, Integer number, Item item, List<Long> list, int[] array, Color color, Object any);

    // --- Any number of arguments.

    String ping();

    int sum(int... values);

    String join(String separator, String... parts);

    String describeAll(String name, Object... values);

    // --- Overloads: each returns its own types.

    String overloaded();

    String overloaded(int value);

    String overloaded(long value);

    String overloaded(Integer value);

    String overloaded(String value);

    String overloaded(Item item);

    String overloaded(List<Long> values);

    String overloaded(int left, int right);

    String overloaded(String left, int right);

    // --- No value, and empty ones.

    void nothing();

    void swallow(String value);

    String nullString();

    Integer nullInteger();

    Item nullItem();

    List<Long> nullList();

    List<String> listWithNulls();

    List<Item> emptyList();

    Map<String, Item> emptyMap();

    int[] emptyArray();

    // --- Depth, size, references.

    /** A chain of so many nodes. */
    Node chain(int length);

    int lengthOf(Node chain);

    /** A list in a list in a list... */
    List<Object> nested(int depth);

    int depthOf(Object nested);

    String repeat(String text, int times);

    int lengthOfText(String text);

    /** The same item three times, in a list. */
    List<Item> shared();

    /** A node that is its own successor, which JSON cannot express. */
    Node ring();

    /** An {@link Employee} and a {@link Person}. */
    List<Person> people();

    Object anyEmployee();

    // --- Exceptions.

    String failUnchecked(String message);

    String failOwnUnchecked(String message) throws ClosedException;

    String failChecked(String message) throws OutOfStockException;

    /** An {@link OutOfStockException} caused by an IllegalStateException, caused by an IllegalArgumentException. */
    String failWithCauses(String message) throws OutOfStockException;

    String failWithoutMessage();

    /** With a class that this interface does not mention. */
    String failUndeclared(String message);

    // --- Asynchronous results.

    CompletableFuture<String> later(String value);

    CompletableFuture<Item> itemLater(Item item);

    CompletableFuture<Void> nothingLater();

    CompletableFuture<String> failLater(String message);

    // --- The call itself.

    /** The attachment of the request, or null. */
    String attachment(String key);

    /** Adds an attachment to the result. */
    String attach(String key, String value);

    /** The version of the service that was called: it is exported twice. */
    String version();
}
