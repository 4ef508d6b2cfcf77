package io.dubbomesh.demo.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.util.Date;

/** The methods that return their argument. */
abstract class Echoes implements ConformanceService {

    @Override
    public boolean echoBoolean(boolean value) {
        return value;
    }

    @Override
    public byte echoByte(byte value) {
        return value;
    }

    @Override
    public short echoShort(short value) {
        return value;
    }

    @Override
    public int echoInt(int value) {
        return value;
    }

    @Override
    public long echoLong(long value) {
        return value;
    }

    @Override
    public float echoFloat(float value) {
        return value;
    }

    @Override
    public double echoDouble(double value) {
        return value;
    }

    @Override
    public char echoChar(char value) {
        return value;
    }

    @Override
    public Boolean echoBoxedBoolean(Boolean value) {
        return value;
    }

    @Override
    public Byte echoBoxedByte(Byte value) {
        return value;
    }

    @Override
    public Short echoBoxedShort(Short value) {
        return value;
    }

    @Override
    public Integer echoBoxedInt(Integer value) {
        return value;
    }

    @Override
    public Long echoBoxedLong(Long value) {
        return value;
    }

    @Override
    public Float echoBoxedFloat(Float value) {
        return value;
    }

    @Override
    public Double echoBoxedDouble(Double value) {
        return value;
    }

    @Override
    public Character echoBoxedChar(Character value) {
        return value;
    }

    @Override
    public String echoString(String value) {
        return value;
    }

    @Override
    public BigDecimal echoBigDecimal(BigDecimal value) {
        return value;
    }

    @Override
    public BigInteger echoBigInteger(BigInteger value) {
        return value;
    }

    @Override
    public Date echoDate(Date value) {
        return value;
    }

    @Override
    public LocalDate echoLocalDate(LocalDate value) {
        return value;
    }

    @Override
    public LocalTime echoLocalTime(LocalTime value) {
        return value;
    }

    @Override
    public LocalDateTime echoLocalDateTime(LocalDateTime value) {
        return value;
    }

    @Override
    public Instant echoInstant(Instant value) {
        return value;
    }

    @Override
    public OffsetDateTime echoOffsetDateTime(OffsetDateTime value) {
        return value;
    }

    @Override
    public OffsetTime echoOffsetTime(OffsetTime value) {
        return value;
    }

    @Override
    public ZonedDateTime echoZonedDateTime(ZonedDateTime value) {
        return value;
    }

    @Override
    public Duration echoDuration(Duration value) {
        return value;
    }

    @Override
    public Period echoPeriod(Period value) {
        return value;
    }

    @Override
    public Year echoYear(Year value) {
        return value;
    }

    @Override
    public YearMonth echoYearMonth(YearMonth value) {
        return value;
    }

    @Override
    public MonthDay echoMonthDay(MonthDay value) {
        return value;
    }

    @Override
    public ZoneId echoZoneId(ZoneId value) {
        return value;
    }

    @Override
    public ZoneOffset echoZoneOffset(ZoneOffset value) {
        return value;
    }

    @Override
    public boolean[] echoBooleans(boolean[] values) {
        return values;
    }

    @Override
    public byte[] echoBytes(byte[] values) {
        return values;
    }

    @Override
    public short[] echoShorts(short[] values) {
        return values;
    }

    @Override
    public int[] echoInts(int[] values) {
        return values;
    }

    @Override
    public long[] echoLongs(long[] values) {
        return values;
    }

    @Override
    public float[] echoFloats(float[] values) {
        return values;
    }

    @Override
    public double[] echoDoubles(double[] values) {
        return values;
    }

    @Override
    public char[] echoChars(char[] values) {
        return values;
    }

    @Override
    public Boolean[] echoBoxedBooleans(Boolean[] values) {
        return values;
    }

    @Override
    public Byte[] echoBoxedBytes(Byte[] values) {
        return values;
    }

    @Override
    public Short[] echoBoxedShorts(Short[] values) {
        return values;
    }

    @Override
    public Integer[] echoBoxedInts(Integer[] values) {
        return values;
    }

    @Override
    public Long[] echoBoxedLongs(Long[] values) {
        return values;
    }

    @Override
    public Float[] echoBoxedFloats(Float[] values) {
        return values;
    }

    @Override
    public Double[] echoBoxedDoubles(Double[] values) {
        return values;
    }

    @Override
    public Character[] echoBoxedChars(Character[] values) {
        return values;
    }

    @Override
    public String[] echoStrings(String[] values) {
        return values;
    }

    @Override
    public BigDecimal[] echoBigDecimals(BigDecimal[] values) {
        return values;
    }

    @Override
    public BigInteger[] echoBigIntegers(BigInteger[] values) {
        return values;
    }

    @Override
    public Date[] echoDates(Date[] values) {
        return values;
    }

    @Override
    public LocalDate[] echoLocalDates(LocalDate[] values) {
        return values;
    }

    @Override
    public int[][] echoMatrix(int[][] values) {
        return values;
    }

    @Override
    public Color[] echoColors(Color[] values) {
        return values;
    }

    @Override
    public Item[] echoItems(Item[] values) {
        return values;
    }

    @Override
    public Object echoObject(Object value) {
        return value;
    }

    @Override
    public Color echoColor(Color value) {
        return value;
    }

    @Override
    public Operation echoOperation(Operation value) {
        return value;
    }

    @Override
    public Item echoItem(Item item) {
        return item;
    }

    @Override
    public Order echoOrder(Order order) {
        return order;
    }

    @Override
    public Employee echoEmployee(Employee employee) {
        return employee;
    }

    @Override
    public Team echoTeam(Team team) {
        return team;
    }

    @Override
    public Scalars echoScalars(Scalars scalars) {
        return scalars;
    }

    @Override
    public Measurement echoMeasurement(Measurement measurement) {
        return measurement;
    }

    @Override
    public Table echoTable(Table table) {
        return table;
    }

    @Override
    public Containers echoContainers(Containers containers) {
        return containers;
    }

    @Override
    public Dates echoDateFields(Dates dates) {
        return dates;
    }

    @Override
    public Times echoTimes(Times times) {
        return times;
    }

    @Override
    public Colors echoColorFields(Colors colors) {
        return colors;
    }

    @Override
    public Page<Item> echoPage(Page<Item> page) {
        return page;
    }
}
